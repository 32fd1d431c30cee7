import CText

// The search in stages:
//
// 1. If the last search found little and this one narrows it, only its hits are tested again.
// 2. Otherwise rows are tested in display order until a screenful is found: immediately for
//    frequent words.
// 3. Otherwise all text is scanned for the rarest word, and the hits are put in display order.
//
// The exact count of a frequent word is a separate call (`allHits`), for when the first hits are on
// the screen.
extension SearchArena {
    /// The first hits in display order, as soon as they are known; `nil` if cancelled.
    ///
    /// `limit` is the wanted number: a screenful. `previous` is the last result, which makes a
    /// query with more letters faster. `threads` includes the caller's; more than one is useful for
    /// large texts.
    public func firstHits(
        _ query: SearchQuery,
        in order: SearchOrder,
        limit: Int,
        after previous: SearchHits? = nil,
        cancellation: SearchCancellation? = nil,
        threads: Int = 1
    ) -> SearchHits? {
        if let simple = simpleHits(query, in: order, limit: limit) { return simple }
        if let rows = narrowedRows(query, previous, cancellation) {
            return hits(query, in: order, limit: limit, rows)
        }
        let tested = testInOrder(query, in: order, limit: limit, cancellation)
        if cancellation?.isCancelled == true { return nil }
        let found = tested.found
        if tested.count == order.count || found.count == limit {
            let isAll = tested.count == order.count
            return SearchHits(
                query: query,
                ids: found.map { numbers.ids[Int($0)] },
                count: isAll ? found.count : nil,
                rows: nil,
                version: version
            )
        }
        guard let rows = scannedRows(query, cancellation, threads) else { return nil }
        return hits(query, in: order, limit: limit, rows)
    }

    /// The first hits and the exact count of all; `nil` if cancelled.
    public func allHits(
        _ query: SearchQuery,
        in order: SearchOrder,
        limit: Int,
        after previous: SearchHits? = nil,
        cancellation: SearchCancellation? = nil,
        threads: Int = 1
    ) -> SearchHits? {
        if let simple = simpleHits(query, in: order, limit: limit) { return simple }
        let rows =
            narrowedRows(query, previous, cancellation)
            ?? scannedRows(query, cancellation, threads)
        guard let rows, cancellation?.isCancelled != true else { return nil }
        return hits(query, in: order, limit: limit, rows)
    }

    /// The number of found objects by the field that decides.
    ///
    /// The deciding field is the first one by which all words have been found, the fields before it
    /// included; the numbers of the eight fields add up to all. `places` is the part of the order
    /// to count: all of it, unless other work is waiting.
    ///
    /// - Returns: `nil` if the result is older than a change, or does not contain these places.
    public func countsByField(
        _ hits: SearchHits,
        in order: SearchOrder,
        places: Range<Int>? = nil
    ) -> [Int]? {
        let places = places ?? 0..<order.count
        guard hits.version == version, let found = hits.rows, !hits.query.isEmpty else {
            return nil
        }
        var counts = [Int](repeating: 0, count: SearchFields.limit)
        withQuery(hits.query) { rows, query in
            found.withPointers { bits, fields in
                order.rows[places].withUnsafeBufferPointer { order in
                    counts.withUnsafeMutableBufferPointer { counts in
                        counts.withMemoryRebound(to: UInt.self) { counts in
                            ctext_count_fields(
                                rows,
                                query,
                                order.baseAddress,
                                order.count,
                                bits,
                                fields,
                                counts.baseAddress
                            )
                        }
                    }
                }
            }
        }
        return counts
    }

    // MARK: Stages

    /// The results that need no search.
    private func simpleHits(
        _ query: SearchQuery,
        in order: SearchOrder,
        limit: Int
    ) -> SearchHits? {
        if query.isEmpty {
            let ids = order.rows.prefix(limit).map { numbers.ids[Int($0)] }
            return SearchHits(
                query: query,
                ids: ids,
                count: order.count,
                rows: nil,
                version: version
            )
        }
        if query.fields.isEmpty || order.count == 0 {
            return SearchHits(query: query, ids: [], count: 0, rows: nil, version: version)
        }
        return nil
    }

    /// The rows of the previous result that match this query, if that is faster.
    ///
    /// Testing rows one by one is slower than scanning if they are many.
    private func narrowedRows(
        _ query: SearchQuery,
        _ previous: SearchHits?,
        _ cancellation: SearchCancellation?
    ) -> MatchingRows? {
        guard let previous, previous.version == version, let rows = previous.rows else {
            return nil
        }
        if previous.query == query { return rows }
        var bits = rows.bits
        let few = bits.reduce(0) { $0 + $1.nonzeroBitCount } <= rowCount / 50
        guard few, query.narrows(previous.query) else { return nil }
        let isDone = withQuery(query) { rows, query in
            bits.withUnsafeMutableBufferPointer {
                ctext_narrow(rows, query, cancellation?.flag, $0.baseAddress)
            }
        }
        return isDone ? MatchingRows(bits: bits) : nil
    }

    private func testInOrder(
        _ query: SearchQuery,
        in order: SearchOrder,
        limit: Int,
        _ cancellation: SearchCancellation?
    ) -> (found: ContiguousArray<UInt32>, count: Int) {
        var tested = 0
        let capacity = min(limit, order.count)
        let found = rowNumbers(capacity) { found, count in
            tested = withQuery(query) { rows, query in
                order.rows.withUnsafeBufferPointer { order in
                    ctext_test_in_order(
                        rows,
                        query,
                        order.baseAddress,
                        order.count,
                        capacity,
                        Self.testBudget,
                        cancellation?.flag,
                        found.baseAddress,
                        &count
                    )
                }
            }
        }
        return (found, tested)
    }

    /// Row numbers that C writes.
    ///
    /// There is space for at least one: an empty array is the runtime's shared one, and several
    /// threads would write the count into it.
    private func rowNumbers(
        _ capacity: Int,
        _ fill: (inout UnsafeMutableBufferPointer<UInt32>, inout Int) -> Void
    ) -> ContiguousArray<UInt32> {
        ContiguousArray(unsafeUninitializedCapacity: max(1, capacity), initializingWith: fill)
    }

    /// The rows that match, and unless `fields` is false the field that each needs.
    func scannedRows(
        _ query: SearchQuery,
        _ cancellation: SearchCancellation?,
        _ threads: Int,
        fields: Bool = true
    ) -> MatchingRows? {
        let count = rowSegments.count
        var bits = ContiguousArray<UInt64>(repeating: 0, count: (count + 63) / 64)
        var needed = fields ? ContiguousArray<UInt8>(repeating: 0, count: count) : nil
        // Starting a thread costs as much as scanning a megabyte.
        let threads = segments.end > Self.threadingBytes ? UInt32(clamping: threads) : 1
        let isDone = withQuery(query) { rows, query in
            bits.withUnsafeMutableBufferPointer { bits in
                let start = bits.baseAddress
                func scan(_ needed: UnsafeMutablePointer<UInt8>?) -> Bool {
                    ctext_scan(rows, query, threads, cancellation?.flag, start, needed)
                }
                return needed?.withUnsafeMutableBufferPointer { scan($0.baseAddress) } ?? scan(nil)
            }
        }
        return isDone ? MatchingRows(bits: bits, fields: needed) : nil
    }

    func hits(
        _ query: SearchQuery,
        in order: SearchOrder,
        limit: Int,
        _ rows: MatchingRows
    ) -> SearchHits {
        let picked = pick(rows.bits, in: order, from: 0, limit: limit)
        return SearchHits(
            query: query,
            ids: picked.ids,
            count: picked.count,
            rows: rows,
            version: version
        )
    }

    private func pick(
        _ bits: ContiguousArray<UInt64>,
        in order: SearchOrder,
        from first: Int,
        limit: Int
    ) -> (ids: [UInt64], count: Int) {
        var total = 0
        let capacity = min(limit, order.count)
        let rows = rowNumbers(capacity) { picked, count in
            total = bits.withUnsafeBufferPointer { bits in
                order.rows.withUnsafeBufferPointer { order in
                    ctext_pick(
                        order.baseAddress,
                        order.count,
                        bits.baseAddress,
                        UInt32(rowSegments.count),
                        first,
                        capacity,
                        picked.baseAddress,
                        &count
                    )
                }
            }
        }
        return (rows.map { numbers.ids[Int($0)] }, total)
    }

    /// Up to this number of rows, testing is faster than a scan.
    private static let testBudget = 8192
    private static let threadingBytes = 4 << 20
}

extension MatchingRows {
    func withPointers(
        _ body: (_ bits: UnsafePointer<UInt64>?, _ fields: UnsafePointer<UInt8>?) -> Void
    ) {
        bits.withUnsafeBufferPointer { bits in
            guard let fields else { return body(bits.baseAddress, nil) }
            fields.withUnsafeBufferPointer { body(bits.baseAddress, $0.baseAddress) }
        }
    }
}
