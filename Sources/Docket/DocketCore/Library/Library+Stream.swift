public import DocketFormats
public import ObjectGraph

// Items one after the other, as records, for code that prints or writes many of them: lists,
// searches and exports. At most one slice of them is in memory.

extension Library {
    /// How many items are read at a time: few enough that the next slice can reuse the memory of
    /// their text.
    private static let slice = 512

    /// Passes the records of items to a closure, slice by slice, in their order; deleted items are
    /// left out.
    ///
    /// - Parameters:
    ///   - ids: the items.
    ///   - isLine: whether to read only the fields that a line of a list shows.
    ///   - passesFieldsOn: whether the fields of foreign formats are only passed on, as text.
    ///   - body: receives a slice; its error ends the pass.
    /// - Throws: the store's error, or that of `body`.
    /// - Complexity: one pass; a constant number of statements for each slice.
    public func forEachRecord(
        of ids: [ManagedObjectID],
        isLine: Bool = false,
        passesFieldsOn: Bool = false,
        _ body: ([ItemRecord]) throws -> Void
    ) throws {
        if ids.isEmpty { return }
        let records = try savedRecords(isLine: isLine, passesFieldsOn: passesFieldsOn)
        try hand(over: ids, records, body)
    }

    /// Passes the records of the items that match to a closure, as
    /// ``forEachRecord(of:isLine:passesFieldsOn:_:)`` does.
    ///
    /// It passes the first ones before it looks for the others, so that a caller that needs only
    /// those does not wait.
    ///
    /// - Returns: the number of items.
    public func forEachRecord(
        matching condition: Condition<Item>?,
        limit: Int = 0,
        isLine: Bool = false,
        _ body: ([ItemRecord]) throws -> Void
    ) throws -> Int {
        let most = limit == 0 ? Int.max : limit
        let records = try savedRecords(isLine: isLine, passesFieldsOn: true)
        let window = min(Library.slice * 4, most)
        let first = try itemIDs(matching: condition, limit: window)
        try hand(over: first, records, body)
        if first.count < window || first.count == most { return first.count }
        // Another statement finds all, and others may write between them; an item that has moved is
        // passed on only once.
        let handed = Set(first)
        let all = try itemIDs(matching: condition, limit: limit)
        let rest = Array(all.filter { !handed.contains($0) }.prefix(most - first.count))
        try hand(over: rest, records, body)
        return first.count + rest.count
    }

    /// The reader of saved rows; `nil` while there are unsaved changes, which only objects have.
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
        // A caller of the first items does not wait for others; a few items are not worth a thread.
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
