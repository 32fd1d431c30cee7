package import ObjectGraph

// Items one after the other, as records, for whatever prints or writes many of them: lists,
// searches and exports. No more than a slice of them is in memory.

extension Library {
    /// How many items are read at a time: few enough that the memory for their text stays with the
    /// program from one slice to the next.
    private static let slice = 512

    /// Hands over the records of items, slice by slice, in their order; items that are gone are
    /// left out.
    ///
    /// - Parameters:
    ///   - ids: whose records.
    ///   - isLine: whether only that is read which a line of a list shows.
    ///   - passesFieldsOn: whether the fields of foreign formats are only handed on, as text.
    ///   - body: takes a slice; its error ends the pass.
    /// - Throws: the store's error, or that of `body`.
    /// - Complexity: one pass; a constant number of statements for each slice.
    package func forEachRecord(
        of ids: [ManagedObjectID],
        isLine: Bool = false,
        passesFieldsOn: Bool = false,
        _ body: ([ItemRecord]) throws -> Void
    ) throws {
        if ids.isEmpty { return }
        let records = try savedRecords(isLine: isLine, passesFieldsOn: passesFieldsOn)
        try hand(over: ids, records, body)
    }

    /// Hands over the records of the items that match, as
    /// ``forEachRecord(of:isLine:passesFieldsOn:_:)`` does; the first ones before the others are
    /// looked for, so that who wants no more than those does not wait.
    ///
    /// - Returns: how many items there were.
    package func forEachRecord(
        matching condition: Condition<Item>?,
        limit: Int = 0,
        isLine: Bool = false,
        _ body: ([ItemRecord]) throws -> Void
    ) throws -> Int {
        let most = limit == 0 ? Int.max : limit
        let records = try savedRecords(isLine: isLine, passesFieldsOn: true)
        var handed: Set<ManagedObjectID> = []
        for window in [Library.slice, Library.slice * 16] {
            let wanted = min(window, most)
            let ids = try itemIDs(matching: condition, limit: wanted)
            // Each window is found by another statement, between which others may write; whatever
            // moved meanwhile is handed over once.
            let fresh = Array(ids.filter { !handed.contains($0) }.prefix(most - handed.count))
            try hand(over: fresh, records, body)
            handed.formUnion(fresh)
            if ids.count < wanted || handed.count >= most { return handed.count }
        }
        let ids = try itemIDs(matching: condition, limit: limit)
        let rest = Array(ids.filter { !handed.contains($0) }.prefix(most - handed.count))
        try hand(over: rest, records, body)
        return handed.count + rest.count
    }

    /// What reads saved rows; `nil` while there are changes that are not saved, which only objects
    /// show.
    private func savedRecords(isLine: Bool, passesFieldsOn: Bool) throws -> SavedRecords? {
        if context.hasChanges { return nil }
        return try SavedRecords(self, isLine ? .line : .whole, passesFieldsOn: passesFieldsOn)
    }

    private func hand(
        over ids: [ManagedObjectID],
        _ records: SavedRecords?,
        _ body: ([ItemRecord]) throws -> Void
    ) throws {
        guard let records else {
            return try forEachSlice(of: ids) { try body($0.map { record(of: $0) }) }
        }
        func read(_ start: Int) throws -> SavedRecords.Reading {
            try records.read(Array(ids[start..<min(start + Library.slice, ids.count)]))
        }
        // Who wants the first ones does not wait for others; few are not worth a thread.
        let alone = ids.count > Library.slice * 4 ? Library.slice : ids.count
        for start in stride(from: 0, to: alone, by: Library.slice) {
            try body(read(start).records())
        }
        if alone == ids.count { return }
        try Relay.run(body) { relay in
            for start in stride(from: alone, to: ids.count, by: Library.slice) {
                try relay.pass(read(start))
            }
        }
    }
}
