public import ObjectModel

/// A fetch, as an ``IncrementalStore`` gets it.
public struct StoreFetchRequest {
    /// The whole request: predicate, order, limit and so on.
    public let description: FetchDescription
    /// The entity whose objects are wanted.
    public let entity: EntityDescription

    /// Whether objects of subentities are wanted too.
    public var includesSubentities: Bool { description.includesSubentities }

    public var predicate: FetchPredicate? { description.predicate }

    public var sortDescriptors: [FetchSortDescriptor] { description.sortDescriptors }

    /// The entities whose objects are wanted: concrete ones only.
    public var concreteEntities: [EntityDescription] {
        let all = includesSubentities ? [entity] + entity.descendants : [entity]
        return all.filter { !$0.isAbstract }
    }
}

/// The answer of an ``IncrementalStore`` to a fetch.
public struct StoreFetchResult {
    /// The objects.
    public var ids: [ManagedObjectID]
    /// Whether the objects are exactly those that the request wants, in its order and with its
    /// limit and offset; if not, the framework evaluates the request on them.
    public var isExact: Bool
    /// Values that the store got along with the answer, so that their faults read nothing.
    public var nodes: [IncrementalStoreNode]

    public init(ids: [ManagedObjectID], isExact: Bool, nodes: [IncrementalStoreNode] = []) {
        self.ids = ids
        self.isExact = isExact
        self.nodes = nodes
    }

    /// Objects among which those that the request wants are; the framework finds them, which reads
    /// their values if there is a predicate or an order.
    public static func candidates(
        _ ids: [ManagedObjectID],
        nodes: [IncrementalStoreNode] = []
    ) -> StoreFetchResult { StoreFetchResult(ids: ids, isExact: false, nodes: nodes) }

    /// Exactly the objects that the request wants: its predicate, order, limit and offset are applied.
    public static func exactly(
        _ ids: [ManagedObjectID],
        nodes: [IncrementalStoreNode] = []
    ) -> StoreFetchResult { StoreFetchResult(ids: ids, isExact: true, nodes: nodes) }
}

/// The values of one object of an ``IncrementalStore``.
public struct IncrementalStoreNode {
    public let objectID: ManagedObjectID
    /// The values of attributes and the object IDs of to-one relationships, by name.
    ///
    /// `.null` for a to-one relationship says that there is no destination; leaving it out costs a
    /// call. To-many relationships may be given as arrays of object IDs. The value of an encrypted
    /// attribute is the data that ``StoreObject/value(forKey:)`` gave.
    public let values: [String: GraphValue]
    /// A number that differs after each change of the object, for the detection of conflicts; `nil`
    /// for a store that does not know.
    public let version: Int64?

    public init(objectID: ManagedObjectID, values: [String: GraphValue], version: Int64? = nil) {
        self.objectID = objectID
        self.values = values
        self.version = version
    }
}

/// The changes of one save, as an ``IncrementalStore`` gets them.
public struct StoreSaveRequest {
    /// New objects, with their permanent IDs.
    public let inserted: [StoreObject]
    /// Changed objects; ``StoreObject/changedKeys`` says what has changed.
    public let updated: [StoreObject]
    public let deleted: [ManagedObjectID]
    /// The versions that were read of the updated and deleted objects, where the nodes had some and
    /// the objects were not saved since.
    public let versions: [ManagedObjectID: Int64]
    /// The author of the save, if the context has one.
    public let author: String?
}

extension EntityDescription {
    /// All entities below this one, in the order of their numbers.
    package var descendants: [EntityDescription] {
        subentities.flatMap { [$0] + $0.descendants }
    }
}
