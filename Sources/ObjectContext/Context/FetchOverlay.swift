import ObjectModel
import ObjectStore

/// Completes what the stores answered: the rest of the predicate, pending changes, order, window.
struct FetchOverlay {
    let context: ManagedObjectContext
    let description: FetchDescription
    let entity: EntityDescription
    private var ids: [ManagedObjectID] = []

    init(
        context: ManagedObjectContext,
        description: FetchDescription,
        entity: EntityDescription
    ) {
        self.context = context
        self.description = description
        self.entity = entity
    }

    /// Takes a store's IDs, filtered by what the store could not express.
    mutating func add(_ answer: FetchAnswer) throws {
        guard let remainder = answer.remainder else {
            ids += answer.ids
            return
        }
        let compiled = CompiledPredicate(remainder)
        let objects = context.instances(answer.ids)
        for object in objects {
            let candidate: any KeyValueCoding =
                description.includesPendingChanges || !object.hasChanges
                ? object : CommittedObject(object)
            if try compiled.evaluate(with: .object(candidate)) { ids.append(object.objectID) }
        }
    }

    /// Evaluates every object with pending changes again.
    mutating func overlayPending() throws {
        let compiled = description.predicate.map { CompiledPredicate($0) }
        var dropped: Set<ManagedObjectID> = []
        var matching: Set<ManagedObjectID> = []
        var order: [ManagedObjectID] = []
        for object in context.pending where object.isPending && belongs(object.entity) {
            dropped.insert(object.objectID)
            if object.isDeleted { continue }
            if try compiled?.evaluate(with: .object(object)) ?? true {
                matching.insert(object.objectID)
                order.append(object.objectID)
            }
        }
        let saved = Set(ids)
        ids = ids.filter { !dropped.contains($0) || matching.contains($0) }
        ids += order.filter { !saved.contains($0) }
    }

    private func belongs(_ other: EntityDescription) -> Bool {
        description.includesSubentities ? other.isKind(of: entity) : other === entity
    }

    /// Sorts if need be and cuts the window.
    mutating func finish(isSorted: Bool) -> [ManagedObjectID] {
        if !isSorted, !description.sortDescriptors.isEmpty {
            let objects = context.instances(ids)
            let order = ResultsOrder(description.sortDescriptors)
            ids = objects.map(order.keys).sorted(by: order.precedes).map(\.id)
        }
        let start = min(description.offset, ids.count)
        let end = description.limit > 0 ? min(start + description.limit, ids.count) : ids.count
        return Array(ids[start..<end])
    }
}

/// An object as it was last saved, for a fetch that ignores pending changes.
private final class CommittedObject: KeyValueCoding {
    private let object: ManagedObject

    init(_ object: ManagedObject) { self.object = object }

    var managedObjectID: ManagedObjectID? { object.objectID }
    var entityNames: [String] { object.entityNames }

    func value(forKey key: String) throws -> Value {
        let committed = object.committedValues(forKeys: [key])[key]
        switch committed {
        case .objectID(let id): return object.context.map { .object($0.object(with: id)) } ?? .null
        case .set(let ids):
            return .set(
                Set(
                    ids.map { id in
                        guard case .objectID(let id) = id, let context = object.context else {
                            return id
                        }
                        return .object(context.object(with: id))
                    }
                )
            )
        case let value?: return value
        case nil: return try object.value(forKey: key)
        }
    }

    func setValue(_ value: Value, forKey key: String) throws {
        throw ObjectGraphError(.unsupported, "A saved state cannot be changed.", key: key)
    }
}
