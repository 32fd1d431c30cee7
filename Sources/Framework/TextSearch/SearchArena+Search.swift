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
        if let bits = narrowedBits(query, previous, cancellation) {
            return hits(query, in: order, limit: limit, bits)
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
                bits: nil,
                version: version
            )
        }
        guard let bits = scannedBits(query, cancellation, threads) else { return nil }
        return hits(query, in: order, limit: limit, bits)
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
        let bits =
            narrowedBits(query, previous, cancellation)
            ?? scannedBits(query, cancellation, threads)
        guard let bits, cancellation?.isCancelled != true else { return nil }
        return hits(query, in: order, limit: limit, bits)
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
        guard hits.version == version, let bits = hits.bits, !hits.query.isEmpty else { return nil }
        var counts = [Int](repeating: 0, count: SearchFields.limit)
        withQuery(hits.query) { rows, query in
            bits.withUnsafeBufferPointer { bits in
                order.rows[places].withUnsafeBufferPointer { order in
                    counts.withUnsafeMutableBufferPointer { counts in
                        counts.withMemoryRebound(to: UInt.self) { counts in
                            ctext_count_fields(
                                rows,
                                query,
                                order.baseAddress,
                                order.count,
                                bits.baseAddress,
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
                bits: nil,
                version: version
            )
        }
        if query.fields.isEmpty || order.count == 0 {
            return SearchHits(query: query, ids: [], count: 0, bits: nil, version: version)
        }
        return nil
    }

    /// The bits of the previous result that hold for this query, if that is faster.
    ///
    /// Testing rows one by one is slower than scanning if they are many.
    private func narrowedBits(
        _ query: SearchQuery,
        _ previous: SearchHits?,
        _ cancellation: SearchCancellation?
    ) -> ContiguousArray<UInt64>? {
        guard let previous, previous.version == version, var bits = previous.bits else {
            return nil
        }
        if previous.query == query { return bits }
        let few = bits.reduce(0) { $0 + $1.nonzeroBitCount } <= rowCount / 50
        guard few, query.narrows(previous.query) else { return nil }
        let isDone = withQuery(query) { rows, query in
            bits.withUnsafeMutableBufferPointer {
                ctext_narrow(rows, query, cancellation?.flag, $0.baseAddress)
            }
        }
        return isDone ? bits : nil
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

    func scannedBits(
        _ query: SearchQuery,
        _ cancellation: SearchCancellation?,
        _ threads: Int
    ) -> ContiguousArray<UInt64>? {
        var bits = ContiguousArray<UInt64>(repeating: 0, count: (rowSegments.count + 63) / 64)
        // Starting a thread costs as much as scanning a megabyte.
        let threads = segments.end > Self.threadingBytes ? UInt32(clamping: threads) : 1
        let isDone = withQuery(query) { rows, query in
            bits.withUnsafeMutableBufferPointer {
                ctext_scan(rows, query, threads, cancellation?.flag, $0.baseAddress)
            }
        }
        return isDone ? bits : nil
    }

    func hits(
        _ query: SearchQuery,
        in order: SearchOrder,
        limit: Int,
        _ bits: ContiguousArray<UInt64>
    ) -> SearchHits {
        let picked = pick(bits, in: order, from: 0, limit: limit)
        return SearchHits(
            query: query,
            ids: picked.ids,
            count: picked.count,
            bits: bits,
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
