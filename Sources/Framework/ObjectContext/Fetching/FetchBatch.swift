import ObjectModel

/// Objects of one fetch, so that reading for one of them reads for all.
///
/// Firing one fault of a batch reads the rows of all; following one relationship of one member
/// reads the destinations of all. So a walk over a thousand objects costs a constant number of
/// statements.
final class FetchBatch {
    /// Batches are cut to this size: enough to make statements rare, small enough to stay cheap
    /// when only a screenful is used.
    static let size = 1024

    let ids: [ManagedObjectID]
    /// The destinations of to-many relationships by slot, then by owner.
    var destinations: [Int: [ManagedObjectID: [ManagedObjectID]]] = [:]
    /// The coordinator's generation when they were read.
    var generation = 0
    /// The batch of the objects at the end of a relationship, by slot and by ID.
    private var next: [Int: [ManagedObjectID: FetchBatch]] = [:]

    init(_ ids: [ManagedObjectID]) { self.ids = ids }

    /// Stores the destinations of one member's relationship.
    func note(_ stored: [ManagedObjectID], of owner: ManagedObjectID, _ slot: Int, _ current: Int) {
        if generation != current { destinations = [:] }
        generation = current
        destinations[slot, default: [:]][owner] = stored
    }

    /// Stores the batches that a prefetch created at the end of a relationship, so that later
    /// accesses find them.
    func link(_ objects: [ManagedObjectID: FetchBatch], over slot: Int) { next[slot] = objects }

    /// The batch of an object at the end of a relationship; the first use creates it for all
    /// objects that the members lead to.
    func next(over slot: Int, to id: ManagedObjectID, all: () -> [ManagedObjectID]) -> FetchBatch? {
        if let known = next[slot] { return known[id] }
        var byID: [ManagedObjectID: FetchBatch] = [:]
        var seen: Set<ManagedObjectID> = []
        let unique = all().filter { seen.insert($0).inserted }
        for batch in FetchBatch.cut(unique) {
            for id in batch.ids { byID[id] = batch }
        }
        next[slot] = byID
        return byID[id]
    }

    /// Cuts a list into batches.
    static func cut(_ ids: [ManagedObjectID]) -> [FetchBatch] {
        stride(from: 0, to: ids.count, by: size).map {
            FetchBatch(Array(ids[$0..<min($0 + size, ids.count)]))
        }
    }
}
