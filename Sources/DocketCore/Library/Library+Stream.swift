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
        if context.hasChanges {
            return try forEachSlice(of: ids) { try body($0.map { record(of: $0) }) }
        }
        let records = try SavedRecords(
            self,
            isLine ? .line : .whole,
            passesFieldsOn: passesFieldsOn
        )
        for start in stride(from: 0, to: ids.count, by: Library.slice) {
            let end = min(start + Library.slice, ids.count)
            try body(try records.records(of: Array(ids[start..<end])))
        }
    }

    /// Hands over the records of the items that match, as ``forEachRecord(of:isLine:passesFieldsOn:_:)``
    /// does; the first ones before the others are looked for.
    ///
    /// - Returns: how many items there were.
    package func forEachRecord(
        matching predicate: FetchPredicate?,
        limit: Int = 0,
        isLine: Bool = false,
        _ body: ([ItemRecord]) throws -> Void
    ) throws -> Int {
        let first = try itemIDs(
            matching: predicate,
            limit: limit == 0 ? Library.slice : min(limit, Library.slice)
        )
        try forEachRecord(of: first, isLine: isLine, passesFieldsOn: true, body)
        if first.count < Library.slice || first.count == limit { return first.count }
        // Found by another statement, between which and the first others may write: whatever moved
        // meanwhile is handed over once.
        let handed = Set(first)
        var rest = try itemIDs(matching: predicate, limit: limit).filter { !handed.contains($0) }
        if limit > 0 { rest = Array(rest.prefix(limit - first.count)) }
        try forEachRecord(of: rest, isLine: isLine, passesFieldsOn: true, body)
        return first.count + rest.count
    }
}
