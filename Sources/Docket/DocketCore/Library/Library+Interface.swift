public import ObjectGraph

// Queries of the interface: the items of a screen at once, counts, and the history after a token.

extension Library {
    /// Items by identity, with everything that a row on the screen shows, in a constant number of
    /// statements; deleted ones are left out.
    public func items(withIDs ids: [ManagedObjectID]) throws -> [ManagedObjectID: Item] {
        try context.readAhead(Library.relationshipsOfCommands, of: ids)
        var found: [ManagedObjectID: Item] = [:]
        for item in try context.objects(Item.self, with: ids, prefetching: [\.list, \.tags]) {
            found[item.objectID] = item
        }
        let tasks = found.values.filter { $0 is Task }.map(\.objectID)
        _ = try context.objects(Task.self, with: tasks, prefetching: [\.blockedBy])
        return found
    }

    /// What a row shows and what commands on it look at, so that none of them waits for a server.
    static let relationshipsOfCommands = [
        Item.Keys.tags, Item.Keys.attachments, Item.Keys.links, Item.Keys.backlinks,
        Task.Keys.blockedBy, Task.Keys.blocks, Task.Keys.subtasks, Task.Keys.timeEntries,
    ]

    /// Reads what the next keys ask a server for, in one or two round trips; nothing of a file.
    ///
    /// - Parameters:
    ///   - ids: the items that may be shown next.
    ///   - item: the item that may be moved; `nil` for none.
    ///   - placements: where it may be placed.
    ///   - new: what may be added; `nil` for nothing.
    /// - Throws: the store's error.
    public func readAhead(
        showing ids: [ManagedObjectID],
        placing item: Item?,
        _ placements: [Placement],
        adding new: CapturedItem?
    ) throws {
        if !isOnServer { return }
        let moves = item.map { requests(placing: $0, placements) } ?? []
        let numbers = [shortIDRequest, rankRequest].map(\.description)
        let names = new.map(Library.requests(naming:)) ?? []
        try context.readAhead(
            Library.relationshipsOfCommands,
            of: ids,
            answering: moves + numbers + names
        )
        if let new { try LinkFollower.readAhead(new.title, in: makeScratch()) }
    }

    /// The number of items that match.
    public func count(_ condition: Condition<Item>?) throws -> Int {
        try Item.count(in: context, where: condition)
    }
}

extension Library {
    /// Whether the store was opened for reading only.
    public var isReadOnly: Bool {
        context.coordinator.openStores.first?.isReadOnly ?? true
    }
}
