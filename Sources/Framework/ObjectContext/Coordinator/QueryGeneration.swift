import ObjectStore

/// The stores as they were at one moment; several contexts may read the same generation.
///
/// An SQLite store uses a read transaction on a separate connection: writers continue, but the
/// write-ahead log grows until the generation is released. An in-memory store makes a copy of its
/// tables, which share their unchanged parts.
///
/// Safe to use from any thread.
public final class QueryGeneration: Sendable {
    let reader: PersistentStoreCoordinator

    init(_ reader: PersistentStoreCoordinator) { self.reader = reader }
}

extension PersistentStoreCoordinator {
    /// The present state of the stores, kept for reading.
    ///
    /// Cost: opens each store's file once more, which takes a few milliseconds.
    ///
    /// - Throws: `ObjectGraphError` if a store cannot give a snapshot, or the store's error.
    public func currentGeneration() throws -> QueryGeneration {
        try checkAnyStoreIsOpen()
        let reader = try PersistentStoreCoordinator(model: model)
        for snapshot in try lock.withLock({ try openStores.map { try $0.snapshot() } }) {
            reader.add(snapshot)
        }
        return QueryGeneration(reader)
    }
}

extension ManagedObjectContext {
    /// Pins the context to a generation of the stores, or lets it see their present state again
    /// (`nil`).
    ///
    /// Fetches, counts, faults and relationships then read the generation. Objects that are
    /// realised keep their values until they are refreshed, so call ``refreshAllObjects()`` after
    /// changing the pin. Children read through the context, so they are pinned too.
    ///
    /// Rules (ours, where Core Data's behaviour is unclear):
    /// - A pinned context may save. Its changes are compared with the present stores, so a row that
    ///   somebody changed after the pin is a conflict. After the save the context is pinned to the
    ///   result of its save, so that it sees its own rows.
    /// - Merging does not change the pin.
    /// - Traps for a child: pin its root.
    public func setQueryGeneration(_ generation: QueryGeneration?) {
        Misuse.trap(
            unless: parent == nil,
            "\(label) has a parent and reads through it; pin the root of both"
        )
        processPendingChanges()
        pinned = generation?.reader
        family.noteLinkEdit()
    }

    /// Pins the context to the present state of the stores.
    ///
    /// - Throws: what ``PersistentStoreCoordinator/currentGeneration()`` throws.
    public func pinToCurrentGeneration() throws {
        setQueryGeneration(try coordinator.currentGeneration())
    }

    public var isPinned: Bool { pinned != nil }

    /// Where a root reads: the stores, or their state at the pin.
    var source: PersistentStoreCoordinator { pinned ?? coordinator }

    /// Moves the pin to the state after a save.
    func movePin() {
        if pinned == nil { return }
        // If no snapshot is possible, seeing too much is better than missing the context's own
        // rows.
        pinned = try? coordinator.currentGeneration().reader
    }
}
