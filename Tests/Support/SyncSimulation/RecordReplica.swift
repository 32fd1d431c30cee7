package import FoundationEssentials
package import ObjectContext
import ObjectGraph
package import ObjectModel
import ObjectStore
package import ObjectSync

/// Items with what is hard to synchronize, in a store of their own.
package final class RecordReplica {
    package static let entities = {
        var item = SyncEntity(
            "Item",
            identity: "name",
            properties: [
                "title": .value, "notes": .text, "tags": .set, "parent": .value, "rank": .value,
                "done": .value, "due": .value, "every": .value, "after": .list, "waits": .set,
                "start": .value, "isDay": .value,
            ],
            acyclic: ["parent", "waits"],
            modified: "modified"
        )
        item.groups = [["start", "isDay"]]
        return [item, SyncEntity("Tag", identity: "name", isImplied: true)]
    }()

    package static func model() throws -> ManagedObjectModel {
        let title = AttributeDescription("title", .string)
        title.rules = [.maximumLength(100)]
        let item = EntityDescription(
            "Item",
            [
                AttributeDescription("name", .string, optional: false),
                title,
                AttributeDescription("notes", .string),
                AttributeDescription("rank", .integer64, default: .int(0)),
                AttributeDescription("done", .boolean, default: .bool(false)),
                AttributeDescription("due", .integer64),
                AttributeDescription("every", .integer64),
                AttributeDescription("start", .integer64),
                AttributeDescription("isDay", .boolean, default: .bool(false)),
                AttributeDescription("modified", .date),
                RelationshipDescription("tags", to: "Tag", inverse: "items", toMany: true),
                RelationshipDescription("parent", to: "Item", inverse: "children"),
                RelationshipDescription(
                    "children",
                    to: "Item",
                    inverse: "parent",
                    toMany: true,
                    deleteRule: .cascade
                ),
                RelationshipDescription(
                    "after",
                    to: "Item",
                    inverse: "before",
                    toMany: true,
                    ordered: true
                ),
                RelationshipDescription("before", to: "Item", inverse: "after", toMany: true),
                RelationshipDescription("waits", to: "Item", inverse: "blocks", toMany: true),
                RelationshipDescription("blocks", to: "Item", inverse: "waits", toMany: true),
            ]
        )
        let tag = EntityDescription(
            "Tag",
            [
                AttributeDescription("name", .string, optional: false),
                RelationshipDescription("items", to: "Item", inverse: "tags", toMany: true),
            ]
        )
        for entity in [item, tag] { entity.uniquenessConstraints = [["name"]] }
        let model = ManagedObjectModel([item, tag])
        return try ManagedObjectModel.merging([model, SyncModel.make()])
    }

    private let url: URL?
    /// How much this machine's clock is behind.
    package let clockOffset: TimeInterval
    package private(set) var coordinator: PersistentStoreCoordinator
    package private(set) var context: ManagedObjectContext
    package private(set) var engine: SyncEngine

    /// A replica with a file, or one in memory, which cannot be killed.
    package init(_ url: URL? = nil, clockOffset: TimeInterval = 0) throws {
        self.url = url
        self.clockOffset = clockOffset
        (coordinator, context, engine) = try RecordReplica.open(url, clockOffset)
    }

    private static func open(
        _ url: URL?,
        _ offset: TimeInterval
    ) throws -> (PersistentStoreCoordinator, ManagedObjectContext, SyncEngine) {
        var options = StoreOptions()
        options.type = url == nil ? .inMemory : .sqlite
        let container = try PersistentContainer(model: model(), url: url, options: options)
        let engine = try SyncEngine(container.coordinator, entities)
        engine.clockOffset = offset
        return (container.coordinator, container.newContext(), engine)
    }

    /// Ends the process: what was not saved is gone.
    func close() { if url != nil { coordinator.closeAll() } }

    /// Starts the process again.
    func open() throws {
        guard let url else { return }
        (coordinator, context, engine) = try RecordReplica.open(url, clockOffset)
    }

    /// A context that has nothing of earlier ones.
    package func freshContext() -> ManagedObjectContext {
        context = ManagedObjectContext(coordinator: coordinator)
        return context
    }

    // MARK: What is there

    package func items() throws -> [ManagedObject] {
        let order = [FetchSortDescriptor("name")]
        return try context.fetch(
            FetchRequest<ManagedObject>(entityName: "Item", sortDescriptors: order)
        )
    }

    package func item(_ name: String) throws -> ManagedObject? {
        try items().first { $0["name"] == .string(name) }
    }

    @discardableResult
    package func add(_ name: String, _ values: [String: GraphValue] = [:]) throws -> ManagedObject {
        let item = try context.insert(entityNamed: "Item")
        item["name"] = .string(name)
        for (key, value) in values { try item.setValue(value, forKey: key) }
        return item
    }

    package func tag(_ name: String) throws -> ManagedObject {
        let tags = try context.fetch(FetchRequest<ManagedObject>(entityName: "Tag"))
        if let tag = tags.first(where: { $0["name"] == .string(name) }) { return tag }
        let tag = try context.insert(entityNamed: "Tag")
        tag["name"] = .string(name)
        return tag
    }

    package func conflicts() throws -> [SyncConflict] { try engine.conflicts(in: context) }

    /// Everything that is exchanged, one line for each item.
    ///
    /// - Parameter context: what is in it and not yet saved counts too; `nil` = what is saved.
    /// - Returns: the lines, sorted.
    /// - Throws: the store's error.
    package func dump(_ context: ManagedObjectContext? = nil) throws -> [String] {
        let context = context ?? ManagedObjectContext(coordinator: coordinator)
        var request = FetchRequest<ManagedObject>(entityName: "Item")
        request.relationshipKeyPathsForPrefetching = ["tags", "after", "waits"]
        return try context.fetch(request).map { item in
            var line = RecordReplica.text(item["name"]) + ":"
            for key in RecordReplica.keys {
                line += " \(key)=" + RecordReplica.text(try item.value(forKey: key))
            }
            return line
        }.sorted()
    }

    private static let keys = entities[0].properties.keys.sorted()

    private static let defaults: [String: SyncValue] = [
        "rank": .int(0), "done": .bool(false), "tags": .set([]), "after": .list([]),
        "waits": .set([]), "isDay": .bool(false),
    ]

    /// The same of a server's records; what they refer to and is not there is left out.
    package static func dump(_ records: [SyncRecord]) -> [String] {
        let names = Set(records.map(\.key.name))
        return records.map { record in
            var line = record.key.name.debugDescription + ":"
            for key in keys {
                let value = record.values[key] ?? defaults[key] ?? .null
                line += " \(key)=" + text(value, key == "tags" ? nil : names)
            }
            return line
        }.sorted()
    }

    private static func text(_ value: GraphValue) -> String {
        switch value {
        case .null: "-"
        case .string(let text): text.debugDescription
        case .int(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .object(let object): text((try? object.value(forKey: "name")) ?? .null)
        case .set(let members): "{\(members.map(text).sorted().joined(separator: ","))}"
        case .array(let members): "[\(members.map(text).joined(separator: ","))]"
        default: "?"
        }
    }

    private static func text(_ value: SyncValue, _ names: Set<String>?) -> String {
        switch value {
        case .null: "-"
        case .string(let text): text.debugDescription
        case .int(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .reference(let name): names?.contains(name) ?? true ? name.debugDescription : "-"
        case .set(let members):
            "{\(members.map { text($0, names) }.filter { $0 != "-" }.sorted().joined(separator: ","))}"
        case .list(let members):
            "[\(members.map { text($0, names) }.filter { $0 != "-" }.joined(separator: ","))]"
        default: "?"
        }
    }
}

extension ManagedObject {
    /// A property by name; the name must be one.
    package subscript(key: String) -> GraphValue {
        get {
            do { return try value(forKey: key) } catch { fatalError("\(error)") }
        }
        set {
            do { try setValue(newValue, forKey: key) } catch { fatalError("\(error)") }
        }
    }
}
