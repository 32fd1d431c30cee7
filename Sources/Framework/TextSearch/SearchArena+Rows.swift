import CText
import Glibc

// Sets of rows, for searches that join texts with other conditions.
extension SearchArena {
    /// The number of rows, those without text included.
    public var allRowCount: Int { rowSegments.count }

    /// Every row, those without text included.
    public var allRows: RowSet { RowSet(all: true, rowCount: allRowCount) }

    /// A set of no row, for rows to be added.
    public var noRows: RowSet { RowSet(all: false, rowCount: allRowCount) }

    /// The rows whose items exist.
    ///
    /// - Complexity: O(rows).
    public var presentRows: RowSet {
        RowSet.filtering(allRowCount) { rowSegments[$0] != SegmentStore.none }
    }

    /// The rows with some IDs.
    public func rows(of ids: some Sequence<UInt64>) -> RowSet {
        var rows = RowSet(all: false, rowCount: allRowCount)
        for id in ids {
            if let row = numbers.number(of: id) { rows.insert(Int(row)) }
        }
        return rows
    }

    /// The rows that match a query.
    ///
    /// - Complexity: a scan of all text, see ``SearchArena``.
    public func rows(matching query: SearchQuery, threads: Int = 1) -> RowSet {
        if query.isEmpty { return allRows }
        let bits = scannedRows(query, nil, threads, fields: false)?.bits ?? []
        return RowSet(bits: bits, rowCount: allRowCount)
    }

    /// The rows in which the folded text of a field passes a test.
    ///
    /// Several threads can test parts at the same time, while nobody changes the arena.
    ///
    /// - Parameters:
    ///   - field: the number of the field; a row without it is not found.
    ///   - part: which of `parts` equal parts of all texts is tested.
    ///   - parts: how many there are.
    ///   - test: gets the folded bytes.
    /// - Returns: the rows of the part for which the test holds.
    /// - Complexity: one pass over the bytes up to the end of the field.
    public func rows(
        whereField field: Int,
        part: Int = 0,
        of parts: Int = 1,
        _ test: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> RowSet {
        var found = RowSet(all: false, rowCount: allRowCount)
        let count = segments.rows.count
        segments.starts.withUnsafeBufferPointer { starts in
            segments.rows.withUnsafeBufferPointer { rows in
                for segment in count * part / parts..<count * (part + 1) / parts
                where rows[segment] != SegmentStore.none {
                    let text = UnsafeBufferPointer(
                        start: segments.bytes + Int(starts[segment]),
                        count: Int(starts[segment + 1] - starts[segment])
                    )
                    guard let bytes = Self.field(field, of: text), test(bytes) else { continue }
                    found.insert(Int(rows[segment]))
                }
            }
        }
        return found
    }

    private static func field(
        _ number: Int,
        of segment: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8>? {
        guard var start = segment.baseAddress else { return nil }
        let end = start + segment.count
        for _ in 0..<number {
            guard let found = memchr(start, Int32(CTEXT_FIELD_END), end - start) else {
                return nil
            }
            start = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
        }
        // The last field ends with the row, which a segment may outlast.
        let stop =
            memchr(start, Int32(CTEXT_FIELD_END), end - start)
            ?? memchr(start, Int32(CTEXT_ROW_END), end - start)
        guard let stop else { return nil }
        let last = UnsafePointer(stop.assumingMemoryBound(to: UInt8.self))
        return UnsafeBufferPointer(start: start, count: last - start)
    }

    /// The number of a row, if the ID has one.
    public func row(of id: UInt64) -> Int? { numbers.number(of: id).map { Int($0) } }

    /// The hits of a query among some rows.
    ///
    /// - Parameters:
    ///   - hits: all hits of the query, from ``allHits(_:in:limit:after:cancellation:threads:)``;
    ///     those of an empty query are everything.
    ///   - rows: the rows to keep.
    ///   - order: the display order.
    ///   - limit: how many IDs are wanted.
    /// - Returns: the hits in these rows.
    public func hits(
        _ hits: SearchHits,
        among rows: RowSet,
        in order: SearchOrder,
        limit: Int
    ) -> SearchHits {
        var kept = rows
        if let bits = hits.rows?.bits {
            kept.formIntersection(RowSet(bits: bits, rowCount: allRowCount))
        }
        let found = MatchingRows(bits: kept.bits, fields: hits.rows?.fields)
        return self.hits(hits.query, in: order, limit: limit, found)
    }
}
