import CText

// Sets of rows, for searches that join texts with other conditions.
extension SearchArena {
    /// The number of rows, those without text included.
    package var allRowCount: Int { rowSegments.count }

    package var allRows: RowSet { RowSet(all: true, rowCount: allRowCount) }

    /// The rows with some IDs.
    package func rows(of ids: some Sequence<UInt64>) -> RowSet {
        var rows = RowSet(all: false, rowCount: allRowCount)
        for id in ids {
            if let row = numbers.number(of: id) { rows.insert(Int(row)) }
        }
        return rows
    }

    /// The rows that match a query.
    ///
    /// - Complexity: a scan of all text, see ``SearchArena``.
    package func rows(matching query: SearchQuery, threads: Int = 1) -> RowSet {
        if query.isEmpty { return allRows }
        let bits = scannedBits(query, nil, threads) ?? []
        return RowSet(bits: bits, rowCount: allRowCount)
    }

    /// The rows in which the folded text of a field passes a test, among some.
    package func rows(
        among rows: RowSet,
        whereField field: Int,
        _ test: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> RowSet {
        var found = RowSet(all: false, rowCount: allRowCount)
        for row in rows.numbers {
            guard row < rowSegments.count, rowSegments[row] != SegmentStore.none else { continue }
            let text = segments.text(of: rowSegments[row])
            if test(Self.field(field, of: text)) { found.insert(row) }
        }
        return found
    }

    private static func field(
        _ number: Int,
        of text: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        var start = 0
        var rest = number
        for (place, byte) in text.enumerated() where byte == UInt8(CTEXT_FIELD_END) {
            if rest == 0 { return UnsafeBufferPointer(rebasing: text[start..<place]) }
            rest -= 1
            start = place + 1
        }
        return UnsafeBufferPointer(rebasing: rest == 0 ? text[start...] : text[0..<0])
    }

    /// The hits of a query among some rows.
    ///
    /// - Parameters:
    ///   - hits: all hits of the query, from ``allHits(_:in:limit:after:cancellation:threads:)``;
    ///     those of an empty query are everything.
    ///   - rows: the rows to keep.
    ///   - order: the display order.
    ///   - limit: how many IDs are wanted.
    /// - Returns: the hits in these rows.
    package func hits(
        _ hits: SearchHits,
        among rows: RowSet,
        in order: SearchOrder,
        limit: Int
    ) -> SearchHits {
        var kept = rows
        if let bits = hits.bits {
            kept.formIntersection(RowSet(bits: bits, rowCount: allRowCount))
        }
        return self.hits(hits.query, in: order, limit: limit, kept.bits)
    }
}
