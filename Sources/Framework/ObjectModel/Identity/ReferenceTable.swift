import Synchronization

/// The reference objects of a store's IDs.
///
/// A number from 1 to 2³⁶ − 1 is itself the key in the ID. Any other reference object gets a key
/// above, which stays the same for the life of the process. So IDs remain equal when a store is
/// closed and opened again.
final class ReferenceTable: Sendable {
    /// The first key that stands for a reference object of this table.
    static let firstKey: Int64 = 1 << 36

    private struct State {
        var isInUse = false
        var keys: [ReferenceObject: Int64] = [:]
        var references: [ReferenceObject] = []
    }

    private let state = Mutex(State())

    /// Whether the store's IDs stand for reference objects, not for numbers of rows.
    var isInUse: Bool {
        get { state.withLock { $0.isInUse } }
        set { state.withLock { $0.isInUse = newValue } }
    }

    /// The key of a reference object, made at its first use.
    func key(of reference: ReferenceObject) -> Int64 {
        if case .number(let number) = reference, number > 0, number < ReferenceTable.firstKey {
            return number
        }
        return state.withLock { state in
            if let known = state.keys[reference] { return known }
            let key = ReferenceTable.firstKey + Int64(state.references.count)
            precondition(key <= ManagedObjectID.largestKey, "more than 2^36 reference objects")
            state.references.append(reference)
            state.keys[reference] = key
            return key
        }
    }

    func reference(_ key: Int64) -> ReferenceObject {
        if key < ReferenceTable.firstKey { return .number(key) }
        let place = Int(key - ReferenceTable.firstKey)
        return state.withLock { state in
            place < state.references.count ? state.references[place] : .number(key)
        }
    }
}

extension IDSpace {
    /// From now on, the space's IDs stand for reference objects, also for texts.
    package func useReferences() { references.isInUse = true }

    /// The ID of an object by its entity and what its store calls it.
    package func id(_ entity: UInt16, _ reference: ReferenceObject) -> ManagedObjectID {
        ManagedObjectID(space: number, entity: entity, key: references.key(of: reference))
    }

    /// What a store calls an object.
    package func reference(_ id: ManagedObjectID) -> ReferenceObject {
        references.reference(id.key)
    }
}

extension ManagedObjectID {
    /// Whether the key stands for a reference object that is not a small number.
    package var standsForReference: Bool { key >= ReferenceTable.firstKey }
}
