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
    /// The batches of the ends of to-one relationships, and of all objects that a prefetch has
    /// reached, by slot and by object.
    private(set) var links: [Int: [ManagedObjectID: FetchBatch]] = [:]
    /// The batches of the members of to-many relationships, by slot and by owner.
    private var memberBatches: [Int: [ManagedObjectID: FetchBatch]] = [:]
    /// The ends that were made for members, which live as long as the batch: else each member would
    /// make its end again.
    ///
    /// An end is in a batch that was made later. So nothing leads back, and no circle keeps itself.
    var ends: [AnyObject] = []

    init(_ ids: [ManagedObjectID]) { self.ids = ids }

    /// Stores the destinations of one member's relationship.
    func note(_ stored: [ManagedObjectID], of owner: ManagedObjectID, _ slot: Int, _ current: Int) {
        if generation != current { destinations = [:] }
        generation = current
        destinations[slot, default: [:]][owner] = stored
    }

    /// Stores the batches that a prefetch created at the end of a relationship, so that later
    /// accesses find them.
    ///
    /// An object stays in the batch that another relationship has led to: more was read for that one.
    func link(_ objects: [ManagedObjectID: FetchBatch], over slot: Int) {
        links[slot] = nil
        links[slot] = links.values.reduce(objects) { batches, known in
            batches.merging(known.filter { batches[$0.key] != nil }) { $1 }
        }
    }

    /// The batch of an object at the end of a to-one relationship; the first use creates it for all
    /// objects that the members lead to.
    func batch(
        of end: ManagedObjectID,
        over slot: Int,
        all: () -> [ManagedObjectID]
    ) -> FetchBatch? {
        if let known = links[slot] { return known[end] }
        var byEnd: [ManagedObjectID: FetchBatch] = [:]
        var seen: Set<ManagedObjectID> = []
        for batch in FetchBatch.cut(all().filter { seen.insert($0).inserted }) {
            for id in batch.ids { byEnd[id] = batch }
        }
        links[slot] = byEnd
        return byEnd[end]
    }

    /// The batch of the members of a to-many relationship, together with those of the next owners.
    ///
    /// - Returns: `nil` if the members were not read for this batch.
    func members(of owner: ManagedObjectID, over slot: Int) -> FetchBatch? {
        if let known = memberBatches[slot]?[owner] { return known }
        guard let lists = destinations[slot], let place = ids.firstIndex(of: owner) else {
            return nil
        }
        var (owners, members): ([ManagedObjectID], [ManagedObjectID]) = ([], [])
        for id in ids[place...] where memberBatches[slot]?[id] == nil {
            owners.append(id)
            members += lists[id] ?? []
            if members.count >= FetchBatch.size { break }
        }
        let batch = FetchBatch(members)
        for id in owners { memberBatches[slot, default: [:]][id] = batch }
        return batch
    }

    /// Cuts a list into batches.
    static func cut(_ ids: [ManagedObjectID]) -> [FetchBatch] {
        stride(from: 0, to: ids.count, by: size).map {
            FetchBatch(Array(ids[$0..<min($0 + size, ids.count)]))
        }
    }
}
