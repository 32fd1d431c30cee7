import CaseFiles
import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import Testing

/// The predicates of `predicates.json`, asked of rows in every store.
///
/// A case's object becomes a row of an entity with its keys as attributes, a dictionary inside it a
/// to-one relationship, a plain value the attribute `it`; a list inside it, which no attribute
/// holds, is no property. A case that is not about rows is left out
/// for one of the reasons of ``NotForRows``, and counted.
@Suite struct PredicateCaseTests {
    @Test(.enabled(if: CaseFiles.has("predicates.json"), "there is no predicates.json"))
    func everyStoreFollowsTheCases() throws {
        var asked = 0
        var left: [NotForRows: Int] = [:]
        var wrong: [String] = []
        for item in try CaseFiles.read("predicates.json").elements {
            let id = item["id"]?.text ?? "?"
            do {
                let question = try Question(item)
                asked += 1
                for kind in StoreKind.allCases {
                    let answer = try question.answer(kind)
                    if answer != question.expected {
                        wrong.append("\(id) \(kind): \(answer), not \(question.expected)")
                    }
                }
            } catch let reason as NotForRows {
                left[reason, default: 0] += 1
            } catch {
                wrong.append("\(id): \(error)")
            }
        }
        print("predicates.json on rows: \(asked) asked of every store")
        for (reason, count) in left.sorted(by: { $0.value > $1.value }) {
            print("deliberate deviation in predicates.json on rows: \(count) (\(reason.rawValue))")
        }
        #expect(asked > 0 && wrong.isEmpty, "\(wrong)")
    }
}

/// Why a case is not asked of a store.
private enum NotForRows: String, Error {
    case comparesFormats = "it compares predicates and asks nothing"
    case doesNotParse = "it is about a text that is not a predicate"
    case holdsACollection = "a row is not a list or a set, and no key has a space"
    case asksForWhatRowsLack = "the predicate names what is not a property of these rows"
}

/// What a store is asked, and what it has to answer.
private struct Question {
    enum Answer: Equatable {
        /// How many rows meet the predicate, in what order they were made.
        case rows([Int])
        case count(Int)
        case names(Set<String>)
        case error
    }

    let expected: Answer
    private let predicate: FetchPredicate
    private let rows: [JSON]
    private let fetchedEntity: String?

    init(_ item: JSON) throws {
        let arguments = try (item["args"]?.elements ?? []).map { try $0.value }
        let bindings = try (item["bindings"]?.entries ?? [:]).mapValues { try $0.value }
        if item["expect"]?.text == "parse-error" { throw NotForRows.doesNotParse }
        guard let format = item["format"]?.text else { throw UnmappedCase("no format") }
        predicate = try FetchPredicate(format: format, argumentArray: arguments)
            .withSubstitutionVariables(bindings)
        fetchedEntity = item["fetchEntity"]?.text
        if fetchedEntity != nil {
            guard let names = item["expectNames"] else { throw UnmappedCase("no expectNames") }
            rows = []
            expected = .names(Set(names.elements.compactMap(\.text)))
            return
        }
        if let filter = item["filter"]?.elements {
            rows = filter
            if let count = item["expectCount"]?.number {
                expected = .count(count)
            } else if let wanted = try item["expectRows"]?.elements.map({ try $0.value }) {
                expected = .rows(
                    try filter.indices.filter { wanted.contains(try filter[$0].value) }
                )
            } else {
                throw UnmappedCase("a filter without expectation")
            }
        } else {
            rows = [item["object"] ?? .null]
            switch item["expect"] {
            case .bool(let holds): expected = .rows(holds ? [0] : [])
            case .string("eval-error"): expected = .error
            case nil where item["expectFormat"] != nil || item["expectEqual"] != nil:
                throw NotForRows.comparesFormats
            case let other: throw UnmappedCase("expect \(other ?? .null)")
            }
        }
        if try !rows.allSatisfy(RowShape.canHold) { throw NotForRows.holdsACollection }
        if try !RowShape(rows).knows(predicate) { throw NotForRows.asksForWhatRowsLack }
    }

    func answer(_ kind: StoreKind) throws -> Answer {
        if let fetchedEntity { return .names(try fixtureNames(kind, of: fetchedEntity)) }
        let shape = try RowShape(rows)
        let bench = try TestBench(kind, model: shape.model)
        let coordinator = try PersistentStoreCoordinator(model: bench.model)
        coordinator.add(bench.session.store)
        let context = ManagedObjectContext(coordinator: coordinator)
        let objects = try rows.map { try shape.insert($0, into: context) }
        try context.save()
        context.refreshAllObjects()
        let request = FetchRequest<ManagedObjectID>(
            entityName: "Row",
            predicate: predicate.replacingSelf(where: shape.isPlain)
        )
        let found: [ManagedObjectID]
        do {
            found = try context.fetch(request)
        } catch is ObjectGraphError {
            return .error
        }
        if case .count = expected { return .count(found.count) }
        return .rows(objects.indices.filter { found.contains(objects[$0].objectID) })
    }

    /// The fixture of an entity hierarchy, in a store.
    private func fixtureNames(_ kind: StoreKind, of entity: String) throws -> Set<String> {
        let bench = try TestBench(kind, model: RowShape.fixtureModel)
        let coordinator = try PersistentStoreCoordinator(model: bench.model)
        coordinator.add(bench.session.store)
        let context = ManagedObjectContext(coordinator: coordinator)
        func make(_ entity: String, _ values: [String: GraphValue]) throws -> ManagedObject {
            let object = try context.insert(entityNamed: entity)
            for (key, value) in values { try object.setValue(value, forKey: key) }
            return object
        }
        let first = try make("Department", ["title": "D"])
        let second = try make("Department", ["title": "D2"])
        let plain = try make("Employee", ["name": "e", "department": .object(first)])
        let manager = try make(
            "Manager",
            ["name": "m", "budget": 10, "department": .object(first)]
        )
        _ = try make("Executive", ["name": "x", "budget": 20, "department": .object(second)])
        try first.setValue(.object(manager), forKey: "head")
        try second.setValue(.object(plain), forKey: "head")
        try context.save()
        let request = FetchRequest<ManagedObject>(entityName: entity, predicate: predicate)
        let key = entity == "Department" ? "title" : "name"
        return try Set(
            context.fetch(request).compactMap { object in
                if case .string(let name) = try object.value(forKey: key) { return name }
                return nil
            }
        )
    }
}

/// The entity that rows of JSON make.
private struct RowShape {
    /// Whether a row is one value, the attribute `it`.
    let isPlain: Bool
    private var attributes: [String: AttributeType] = [:]
    private var owned: [String: RowShapeOfOne] = [:]

    private typealias RowShapeOfOne = [String: AttributeType]

    init(_ rows: [JSON]) throws {
        isPlain = try rows.allSatisfy {
            if case .dictionary = try $0.value { false } else { true }
        }
        for row in rows {
            if isPlain {
                RowShape.note(try row.value, "it", &attributes)
                continue
            }
            for (key, value) in row.entries {
                if case .dictionary(let inner) = try value.value {
                    var types = owned[key] ?? [:]
                    for (key, value) in inner { RowShape.note(value, key, &types) }
                    owned[key] = types
                } else {
                    RowShape.note(try value.value, key, &attributes)
                }
            }
        }
    }

    private static func note(
        _ value: GraphValue,
        _ key: String,
        _ types: inout [String: AttributeType]
    ) {
        if value.elements != nil { return }
        let type: AttributeType? =
            switch value {
            case .bool: .boolean
            case .int: .integer64
            case .double: .double
            case .string: .string
            case .date: .date
            default: nil
            }
        if let type { types[key] = types[key] == .double ? .double : type }
        if types[key] == nil { types[key] = .string }
    }

    static func canHold(_ row: JSON) throws -> Bool {
        switch try row.value {
        case .array, .set: false
        case .dictionary(let values):
            values.keys.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
        default: true
        }
    }

    /// Whether a predicate asks only for what the rows have.
    func knows(_ predicate: FetchPredicate) -> Bool {
        (try? model.freeze()) != nil
            && (model.entity(named: "Row").map { KeyPathUse(predicate).isStored(in: $0) } ?? false)
    }

    var model: ManagedObjectModel {
        var properties: [PropertyDescription] = attributes.sorted { $0.key < $1.key }
            .map { AttributeDescription($0.key, $0.value) }
        var entities: [EntityDescription] = []
        for (key, types) in owned.sorted(by: { $0.key < $1.key }) {
            properties.append(RelationshipDescription(key, to: "Owned" + key))
            entities.append(
                EntityDescription(
                    "Owned" + key,
                    types.sorted { $0.key < $1.key }.map { AttributeDescription($0.key, $0.value) }
                )
            )
        }
        return ManagedObjectModel([EntityDescription("Row", properties)] + entities)
    }

    func insert(_ row: JSON, into context: ManagedObjectContext) throws -> ManagedObject {
        let object = try context.insert(entityNamed: "Row")
        if isPlain {
            try object.setValue(try row.value, forKey: "it")
            return object
        }
        for (key, value) in row.entries {
            guard case .dictionary(let inner) = try value.value else {
                if try value.value.elements != nil { continue }
                try object.setValue(try value.value, forKey: key)
                continue
            }
            let part = try context.insert(entityNamed: "Owned" + key)
            for (key, value) in inner where value.elements == nil {
                try part.setValue(value, forKey: key)
            }
            try object.setValue(.object(part), forKey: key)
        }
        return object
    }

    static var fixtureModel: ManagedObjectModel {
        ManagedObjectModel([
            EntityDescription(
                "Department",
                [
                    AttributeDescription("title", .string),
                    RelationshipDescription(
                        "staff",
                        to: "Employee",
                        inverse: "department",
                        toMany: true
                    ),
                    RelationshipDescription("head", to: "Employee"),
                ]
            ),
            EntityDescription(
                "Employee",
                [
                    AttributeDescription("name", .string),
                    RelationshipDescription("department", to: "Department", inverse: "staff"),
                ]
            ),
            EntityDescription(
                "Manager",
                superentity: "Employee",
                [AttributeDescription("budget", .integer64)]
            ),
            EntityDescription(
                "Executive",
                superentity: "Manager",
                [AttributeDescription("bonus", .integer64)]
            ),
        ])
    }
}

extension FetchPredicate {
    /// The predicate with the attribute `it` for SELF.
    fileprivate func replacingSelf(where isPlain: Bool) -> FetchPredicate {
        guard isPlain else { return self }
        switch self {
        case .constant, .block: return self
        case .and(let parts): return .and(parts.map { $0.replacingSelf(where: true) })
        case .or(let parts): return .or(parts.map { $0.replacingSelf(where: true) })
        case .not(let part): return .not(part.replacingSelf(where: true))
        case .comparison(var comparison):
            comparison.left = comparison.left.replacingSelf
            comparison.right = comparison.right.replacingSelf
            return .comparison(comparison)
        }
    }
}

extension FetchExpression {
    fileprivate var replacingSelf: FetchExpression {
        switch self {
        case .evaluatedObject: .keyPath("it")
        case .keyPath(let path): .keyPath("it." + path)
        case .function(let name, let arguments): .function(name, arguments.map(\.replacingSelf))
        default: self
        }
    }
}
