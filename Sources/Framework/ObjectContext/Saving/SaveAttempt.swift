/// What a save keeps beside the pending changes until it is over.
final class SaveAttempt {
    /// Unchanged objects that the save checks for conflicts, with the versions that were read.
    private(set) var guarded: [(object: ManagedObject, version: Int64)] = []
    /// The derived values that the save has computed, in order.
    private var derived: [DerivedChange<ManagedObject>] = []
    /// The object into which each new one of a batch request was merged.
    private var absorbed: [ManagedObject: ManagedObject] = [:]
    /// The save that another thread is writing.
    var running: RunningSave?

    /// Lets the next save check an object that is not changed.
    func guardVersion(of object: ManagedObject) {
        guarded.append((object, object.comparedVersion))
    }

    /// The merge policy has decided: the versions are those that were seen now.
    func acceptVersions() {
        for index in guarded.indices { guarded[index].version = guarded[index].object.version }
    }

    func endGuarding() { guarded = [] }

    func begin() { derived = [] }

    func note(_ change: DerivedChange<ManagedObject>) { derived.append(change) }

    /// The derived values of a save that failed, the last one first; they are forgotten.
    func takeDerived() -> [DerivedChange<ManagedObject>] {
        defer { derived = [] }
        return derived.reversed()
    }

    func absorb(_ object: ManagedObject, into survivor: ManagedObject) {
        absorbed[object] = survivor
    }

    /// The object that one was merged into, if it was.
    func survivor(of object: ManagedObject) -> ManagedObject {
        var object = object
        while let next = absorbed[object] { object = next }
        return object
    }
}

/// A save that another thread is writing; see ``DetachedSave``.
struct RunningSave {
    /// Lets its commit wait.
    let gate: CommitGate
    /// Waits until it is over.
    let settle: () -> Void
}
