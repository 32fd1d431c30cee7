import Foundation
import ObjectGraph

/// A model with every kind of attribute and relationship, and stores of it in a folder.
enum Shop {
    static func model(_ change: (ManagedObjectModel) -> Void = { _ in }) -> ManagedObjectModel {
        let product = EntityDescription(
            "Product",
            isAbstract: true,
            [
                AttributeDescription("name", .string),
                AttributeDescription("price", .decimal),
                AttributeDescription("added", .date),
                RelationshipDescription("shelf", to: "Shelf", inverse: "products"),
                RelationshipDescription("tags", to: "Tag", inverse: "products", toMany: true),
            ]
        )
        let book = EntityDescription(
            "Book",
            superentity: "Product",
            [
                AttributeDescription("pages", .integer32),
                RelationshipDescription(
                    "parts",
                    to: "Book",
                    inverse: "whole",
                    toMany: true,
                    ordered: true
                ),
                RelationshipDescription("whole", to: "Book", inverse: "parts"),
            ]
        )
        let toy = EntityDescription(
            "Toy",
            superentity: "Product",
            [AttributeDescription("isSoft", .boolean)]
        )
        let shelf = EntityDescription(
            "Shelf",
            [
                AttributeDescription("label", .string),
                RelationshipDescription(
                    "products",
                    to: "Product",
                    inverse: "shelf",
                    toMany: true
                ),
                RelationshipDescription("window", to: "Product", toMany: true, ordered: true),
            ]
        )
        let tag = EntityDescription(
            "Tag",
            [
                AttributeDescription("name", .string),
                RelationshipDescription(
                    "products",
                    to: "Product",
                    inverse: "tags",
                    toMany: true,
                    ordered: true
                ),
            ]
        )
        tag.uniquenessConstraints = [["name"]]
        let things = EntityDescription(
            "Thing",
            [
                AttributeDescription("text", .string),
                AttributeDescription("number", .double),
                AttributeDescription("whole", .integer64),
                AttributeDescription("data", .binary),
                AttributeDescription("uuid", .uuid),
                AttributeDescription("uri", .uri),
                AttributeDescription("any", .transformable),
            ]
        )
        let model = ManagedObjectModel([product, book, toy, shelf, tag, things])
        change(model)
        return model
    }

    /// The types that keep a file.
    static let fileTypes: [StoreType] = [.sqlite, .binary, .xml, .text]

    /// The types that read and write a file as a whole.
    static let atomicTypes: [StoreType] = [.binary, .xml, .text]

    static func options(_ type: StoreType, isReadOnly: Bool = false) -> StoreOptions {
        var options = StoreOptions()
        options.type = type
        options.isReadOnly = isReadOnly
        return options
    }

    static func open(
        _ type: StoreType,
        _ url: URL,
        isReadOnly: Bool = false,
        model: ManagedObjectModel = Shop.model()
    ) throws -> PersistentContainer {
        try PersistentContainer(
            model: model,
            url: url,
            options: options(type, isReadOnly: isReadOnly)
        )
    }

    /// Some objects with relationships of every kind.
    static func fill(_ context: ManagedObjectContext) throws {
        func make(_ entity: String, _ values: [String: GraphValue]) throws -> ManagedObject {
            let object = try context.insert(entityNamed: entity)
            for (key, value) in values { try object.setValue(value, forKey: key) }
            return object
        }
        let shelf = try make("Shelf", ["label": "top"])
        _ = try make("Shelf", ["label": "empty"])
        let whole = try make("Book", ["name": "All of it", "shelf": .object(shelf)])
        let parts = try (1...5).map { number in
            try make(
                "Book",
                [
                    "name": .string("Part \(number)"), "pages": .int(Int64(number * 100)),
                    "price": .decimal(Decimal(number) / 4),
                    "added": .date(Date(timeIntervalSinceReferenceDate: Double(number) + 0.1)),
                ]
            )
        }
        try whole.setValue(.array(parts.reversed().map { .object($0) }), forKey: "parts")
        let toy = try make("Toy", ["isSoft": true, "shelf": .object(shelf)])
        let tags = try ["red", "old"].map { try make("Tag", ["name": .string($0)]) }
        try tags[0].setValue(
            .array([.object(toy), .object(parts[3]), .object(whole)]),
            forKey: "products"
        )
        try tags[1].setValue(.array([.object(parts[3])]), forKey: "products")
        try shelf.setValue(
            .array([.object(parts[4]), .object(toy), .object(parts[0])]),
            forKey: "window"
        )
        _ = try make("Thing", ["text": "", "number": 0.1, "any": .array([1, "x"])])
        try context.save()
    }

    /// All objects with all values, independent of the store: each object under a name of its own.
    static func dump(_ context: ManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for entity in context.coordinator.model.entities where !entity.isAbstract {
            var request = FetchRequest<ManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            for object in try context.fetch(request) {
                var line = "\(entity.name) \(try label(object)):"
                for property in entity.attributes {
                    line += " \(property.name)=\(try object.value(forKey: property.name))"
                }
                for relationship in entity.relationships {
                    let value = try object.value(forKey: relationship.name)
                    let objects = (value.elements ?? [value]).compactMap { element in
                        if case .object(let object as ManagedObject) = element { return object }
                        return nil as ManagedObject?
                    }
                    let labels = try objects.map { try label($0) }
                    let shown = relationship.isOrdered ? labels : labels.sorted()
                    line += " \(relationship.name)=\(shown)"
                }
                lines.append(line)
            }
        }
        return lines.sorted()
    }

    private static func label(_ object: ManagedObject) throws -> String {
        for key in ["name", "label", "text", "isSoft"]
        where object.entity.property(named: key) != nil {
            return "\(object.entity.name) \(try object.value(forKey: key))"
        }
        return object.entity.name
    }

    static func count(_ entity: String, _ context: ManagedObjectContext) throws -> Int {
        try context.count(for: FetchRequest<ManagedObject>(entityName: entity))
    }
}

/// A folder for the files of one test, removed when the test ends.
final class TestFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "FileStoresTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }

    /// The names of all files, hidden ones too.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

/// The error that a body throws; `nil` if it throws none.
func failure(_ body: () throws -> Void) -> ObjectGraphError? {
    do { try body() } catch { return error as? ObjectGraphError }
    return nil
}
