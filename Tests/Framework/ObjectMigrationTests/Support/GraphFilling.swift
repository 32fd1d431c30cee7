import Foundation
import ObjectGraph
import ObjectModel
import SeededRandom

/// Fills stores of any model with random objects.
struct GraphFilling {
    var random: SeededRandom
    private var serial: Int64 = 0

    /// Begins with a serial number, from which values are made that differ from each other.
    init(_ random: SeededRandom, from serial: Int64 = 0) {
        self.random = random
        self.serial = serial
    }

    /// Makes rules and minimum counts of a model so wide that random objects can be saved.
    static func relax(_ model: ManagedObjectModel) {
        for entity in model.entities {
            for property in entity.ownProperties {
                if let attribute = property as? AttributeDescription { attribute.rules = [] }
                if let relationship = property as? RelationshipDescription {
                    relationship.isOptional = true
                    relationship.minCount = 0
                    if relationship.maxCount > 1 { relationship.maxCount = 0 }
                    if relationship.deleteRule == .deny { relationship.deleteRule = .nullify }
                }
            }
        }
    }

    /// Makes a store with some objects of each entity, connected at random.
    mutating func makeStore(
        _ url: URL,
        _ model: ManagedObjectModel,
        each count: Int = 4,
        options: StoreOptions = StoreOptions()
    ) throws {
        let container = try PersistentContainer(model: model, url: url, options: options)
        defer { container.close() }
        let context = container.viewContext
        var objects: [ManagedObject] = []
        for entity in model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
            for _ in 0..<count { objects.append(try context.insert(entityNamed: entity.name)) }
        }
        for object in objects {
            for attribute in object.entity.attributes
            where !attribute.isTransient && !attribute.isDerived {
                try set(attribute, of: object)
            }
        }
        for object in objects {
            for relationship in object.entity.relationships where !relationship.isTransient {
                if random.chance(3) { continue }
                let others = objects.filter { other in
                    relationship.destination.map { other.entity.isKind(of: $0) } ?? false
                }
                if others.isEmpty { continue }
                if !relationship.isToMany {
                    try object.setValue(.object(random.pick(others)), forKey: relationship.name)
                    continue
                }
                var members: [ManagedObject] = []
                for _ in 0..<(1 + random.below(4)) {
                    let other = random.pick(others)
                    if !members.contains(where: { $0 === other }) { members.append(other) }
                }
                let values = members.map { GraphValue.object($0) }
                try object.setValue(
                    relationship.isOrdered ? .array(values) : .set(Set(values)),
                    forKey: relationship.name
                )
            }
        }
        try context.save()
    }

    private mutating func set(_ attribute: AttributeDescription, of object: ManagedObject) throws {
        if attribute.type == .composite {
            var values: [String: GraphValue] = [:]
            for element in attribute.elements { values[element.elementName] = value(element) }
            return try object.setValue(.dictionary(values), forKey: attribute.name)
        }
        if attribute.isOptional, random.chance(3) {
            return try object.setValue(.null, forKey: attribute.name)
        }
        try object.setValue(value(attribute), forKey: attribute.name)
    }

    private mutating func value(_ attribute: AttributeDescription) -> GraphValue {
        serial += 1
        return switch attribute.type {
        case .integer16, .integer32, .integer64: .int(serial % 30_000)
        case .decimal: .decimal(Decimal(serial) / 4)
        case .double, .float: .double(Double(serial) / 4)
        case .boolean: .bool(serial % 2 == 0)
        case .date: .date(Date(timeIntervalSinceReferenceDate: Double(serial) * 1000))
        case .binary: .data(Data("data \(serial)".utf8))
        case .uuid: .uuid(UUID())
        case .uri: .url(URL(string: "https://example.org/\(serial)") ?? URL(filePath: "/"))
        case .string: .string(["é", "", "'", "\u{1F600}", "z"][Int(serial % 5)] + "\(serial)")
        case .composite:
            .dictionary(
                Dictionary(
                    attribute.elements.map { ($0.elementName, value($0)) },
                    uniquingKeysWith: { first, _ in first }
                )
            )
        case .transformable, .objectID, .undefined: .null
        }
    }
}
