import ObjectModel
import ObjectStore

/// Completes the stores' results: the rest of the predicate, pending changes, order, window.
struct FetchOverlay {
    let context: ManagedObjectContext
    let description: FetchDescription
    /// The stores' results, in order if ``isSorted``.
    private var ids: [ManagedObjectID] = []
    private var isSorted = true
    /// Results that pending changes added or may have moved; not among ``ids``.
    private var placed: [ManagedObjectID] = []

    init(context: ManagedObjectContext, description: FetchDescription) {
        self.context = context
        self.description = description
    }

    /// Adds a store's IDs, filtered by the part of the predicate that the store could not express.
    mutating func add(_ answer: FetchAnswer) throws {
        isSorted = isSorted && ids.isEmpty && answer.isSorted
        guard let remainder = answer.remainder else {
            ids += answer.ids
            return
        }
        let compiled = CompiledPredicate(remainder)
        for object in context.instances(answer.ids) {
            // An object with a pending deletion is not a result, and may have values that cannot be
            // compared.
            if object.isDeleted, description.includesPendingChanges { continue }
            let candidate: any KeyValueCoding =
                description.includesPendingChanges || !object.isPending
                ? object : CommittedObject(object)
            if try compiled.evaluate(with: .object(candidate)) { ids.append(object.objectID) }
        }
    }

    /// Evaluates every object with relevant pending changes again.
    mutating func overlay(_ touched: Set<ManagedObject>) throws {
        let compiled = description.predicate.map { CompiledPredicate($0) }
        var dropped = Set<ManagedObjectID>(minimumCapacity: touched.count)
        for object in touched {
            dropped.insert(object.objectID)
            if object.isDeleted { continue }
            if try compiled?.evaluate(with: .object(object)) ?? true {
                placed.append(object.objectID)
            }
        }
        ids.removeAll { dropped.contains($0) }
        placed.sort { $0.precedesByInsertion($1) }
    }

    /// Sorts the results and applies the window.
    ///
    /// Cost: pending results are inserted by binary search; everything is sorted only where a store
    /// could not.
    mutating func finish() throws -> [ManagedObjectID] {
        let descriptors = description.sortDescriptors
        if descriptors.isEmpty {
            ids += placed
        } else {
            let order = ResultsOrder(descriptors)
            if isSorted {
                try insertPlaced(order)
            } else {
                ids = try context.instances(ids + placed).map(order.keys)
                    .sorted(by: order.precedes).map(\.id)
            }
        }
        let window = description.window(of: ids.count)
        return window.count == ids.count ? ids : Array(ids[window])
    }

    private mutating func insertPlaced(_ order: ResultsOrder) throws {
        if placed.isEmpty { return }
        let added = try context.instances(placed).map(order.keys).sorted(by: order.precedes)
        let places = try order.places(of: added, among: ids.count) { index, _ in
            try order.keys(of: context.object(with: ids[index]))
        }
        var result: [ManagedObjectID] = []
        result.reserveCapacity(ids.count + added.count)
        var start = 0
        for (keys, place) in zip(added, places) {
            result += ids[start..<place]
            result.append(keys.id)
            start = place
        }
        result += ids[start...]
        ids = result
    }
}

/// An object as it was last saved, for a fetch that ignores pending changes.
private final class CommittedObject: KeyValueCoding {
    private let object: ManagedObject

    init(_ object: ManagedObject) { self.object = object }

    var managedObjectID: ManagedObjectID? { object.objectID }
    var entityNames: [String] { object.entityNames }

    func value(forKey key: String) throws -> GraphValue {
        switch object.committedValues(forKeys: [key])[key] {
        case .objectID(let id): committed(id)
        case .set(let ids): .set(Set(ids.map(committed)))
        case .array(let ids): .array(ids.map(committed))
        case let value?: value
        case nil: try object.value(forKey: key)
        }
    }

    private func committed(_ value: GraphValue) -> GraphValue {
        if case .objectID(let id) = value { return committed(id) }
        return value
    }

    private func committed(_ id: ManagedObjectID) -> GraphValue {
        guard let object = object.context?.object(with: id) else { return .null }
        return .object(object.isPending ? CommittedObject(object) : object)
    }

    func setValue(_ value: GraphValue, forKey key: String) throws {
        throw ObjectGraphError(.unsupported, "A saved state cannot be changed.", key: key)
    }
}
