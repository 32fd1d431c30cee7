import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// A store in a schema of its own on a server of the tests; the schema goes with the bench.
final class ServerBench {
    let server: PostgreSQLAtHand
    let schema = "test-\(UUID().uuidString.prefix(13).lowercased())"
    /// The folder of the socket, if it is not the server's own.
    private let folder: String?

    init(_ server: PostgreSQLAtHand? = nil, through folder: String? = nil) throws {
        self.server = try server ?? #require(PostgreSQLAtHand.shared)
        self.folder = folder
    }

    deinit { server.drop(schema) }

    var url: URL {
        guard let folder else { return server.url(schema) }
        let text = server.url(schema).absoluteString
        let escaped = server.folder.path
        return URL(string: text.replacing(escaped, with: folder)) ?? server.url(schema)
    }

    /// A model of items in lists, whose texts are searched or not.
    static func model(searched: Bool = false) -> ManagedObjectModel {
        let list = EntityDescription(
            "List",
            [
                AttributeDescription("name", .string),
                RelationshipDescription(
                    "items",
                    to: "Item",
                    inverse: "list",
                    toMany: true,
                    deleteRule: .cascade
                ),
            ]
        )
        let item = EntityDescription(
            "Item",
            [
                AttributeDescription("title", .string),
                AttributeDescription("rank", .integer64),
                AttributeDescription("size", .double),
                RelationshipDescription("list", to: "List", inverse: "items"),
            ]
        )
        list.property(named: "name")?.isSearched = searched
        item.property(named: "title")?.isSearched = searched
        return ManagedObjectModel([list, item])
    }

    func store(
        _ options: PostgreSQLStoreOptions = PostgreSQLStoreOptions(),
        searched: Bool = false
    ) throws -> PostgreSQLStore {
        try PostgreSQLStore(url: url, model: Self.model(searched: searched), options: options)
    }

    /// A context with a connection of its own.
    func context(
        searched: Bool = false,
        model: ManagedObjectModel? = nil
    ) throws -> (context: ManagedObjectContext, store: PostgreSQLStore) {
        let model = model ?? Self.model(searched: searched)
        let coordinator = try PersistentStoreCoordinator(model: model)
        let store = try PostgreSQLStore(url: url, model: coordinator.model)
        coordinator.add(store)
        return (ManagedObjectContext(coordinator: coordinator), store)
    }

    /// A context that follows its store, which answers from memory as soon as its watch has looked.
    func following(
        _ model: ManagedObjectModel? = nil
    ) throws -> (ManagedObjectContext, PostgreSQLStore, StoreFollower) {
        let (context, store) = try context(searched: true, model: model)
        context.coordinator.answersFromMemory = true
        context.coordinator.undoesByAuthor = true
        context.transactionAuthor = "anna"
        let follower = try StoreFollower(context) {}
        let end = ContinuousClock.now + .seconds(20)
        while !store.isCurrent, ContinuousClock.now < end { sched_yield() }
        #expect(store.isCurrent)
        return (context, store, follower)
    }
}

extension ManagedObjectContext {
    @discardableResult
    func add(_ entity: String, _ values: [String: GraphValue] = [:]) throws -> ManagedObject {
        let object = try insert(entityNamed: entity)
        for (key, value) in values { try object.setValue(value, forKey: key) }
        return object
    }

    func found(
        _ entity: String,
        _ predicate: FetchPredicate? = nil,
        by key: String? = nil
    ) throws -> [ManagedObject] {
        try fetch(
            FetchRequest<ManagedObject>(
                entityName: entity,
                predicate: predicate,
                sortDescriptors: key.map { [FetchSortDescriptor($0)] } ?? []
            )
        )
    }
}
