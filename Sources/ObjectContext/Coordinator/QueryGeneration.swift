import ObjectModel
import ObjectStore

/// The stores as they were at one moment; several contexts may read the same one.
///
/// A SQLite store gives it by a read transaction on a connection of its own: writers go on, but the
/// write-ahead log keeps growing until the generation is let go. An in-memory store gives a copy of
/// its tables, which share what nobody changes.
///
/// Safe to use from any thread.
public final class QueryGeneration: Sendable {
    /// Reads the snapshots.
    let reader: PersistentStoreCoordinator

    init(_ reader: PersistentStoreCoordinator) { self.reader = reader }
}

extension PersistentStoreCoordinator {
    /// The stores as they are now, to be kept so for reading.
    ///
    /// Cost: opens each store's file once more, which takes a few milliseconds.
    ///
    /// - Throws: `ObjectGraphError` if a store cannot give a snapshot, or the store's error.
    public func currentGeneration() throws -> QueryGeneration {
        let reader = try PersistentStoreCoordinator(model: model)
        for snapshot in try lock.withLock({ try openStores.map { try $0.snapshot() } }) {
            reader.add(snapshot)
        }
        return QueryGeneration(reader)
    }
}

extension ManagedObjectContext {
    /// Pins the context to the stores as they were, or lets it see them as they are again (`nil`).
    ///
    /// Fetches, counts, faults and relationships read the generation from then on; what is realised
    /// already stays until it is refreshed, so call ``refreshAllObjects()`` after moving the pin.
    /// Children read through the context, so they are pinned with it.
    ///
    /// Decided, where Core Data's practice is unclear:
    /// - A pinned context may save. Its changes are compared with the stores as they are, so a row
    ///   that somebody changed after the pin is a conflict; after the save the context is pinned to
    ///   what its save left, so that it sees its own rows.
    /// - Merging leaves the pin where it is.
    /// - Traps for a child: pin its root.
    public func setQueryGeneration(_ generation: QueryGeneration?) {
        precondition(parent == nil, "a context with a parent reads through it; pin the root")
        processPendingChanges()
        pinned = generation?.reader
        linkEdits &+= 1
    }

    /// Pins the context to the stores as they are now.
    public func pinToCurrentGeneration() throws {
        setQueryGeneration(try coordinator.currentGeneration())
    }

    public var isPinned: Bool { pinned != nil }

    /// Where a root reads: the stores, or what they were at the pin.
    var source: PersistentStoreCoordinator { pinned ?? coordinator }

    /// Moves the pin to what a save has left.
    func movePin() {
        if pinned == nil { return }
        // Without a snapshot it is better to see too much than to miss one's own rows.
        pinned = try? coordinator.currentGeneration().reader
    }
}
