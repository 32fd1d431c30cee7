import ObjectModel

/// A long list of IDs in chunks: removing or inserting one moves only the IDs of a chunk, and a
/// copy shares all other chunks.
///
/// Cost: an index is found by a walk over the counts of the chunks, an ID by a scan.
struct RowList: Equatable, Sendable {
    private var chunks: [[ManagedObjectID]] = []
    private var counts: [Int] = []
    private(set) var count = 0

    private static let size = 1024

    init(_ ids: [ManagedObjectID] = []) {
        var start = 0
        while start < ids.count {
            let end = min(start + RowList.size, ids.count)
            chunks.append(Array(ids[start..<end]))
            counts.append(end - start)
            start = end
        }
        count = ids.count
    }

    static func == (left: RowList, right: RowList) -> Bool {
        left.count == right.count && left.ids(0..<left.count) == right.ids(0..<right.count)
    }

    subscript(index: Int) -> ManagedObjectID {
        get {
            let (chunk, offset) = place(of: index)
            return chunks[chunk][offset]
        }
        set {
            let (chunk, offset) = place(of: index)
            chunks[chunk][offset] = newValue
        }
    }

    /// All IDs in order, a chunk at a time.
    func makeIterator() -> FlattenSequence<[[ManagedObjectID]]>.Iterator {
        chunks.joined().makeIterator()
    }

    func ids(_ range: Range<Int>) -> [ManagedObjectID] {
        var result: [ManagedObjectID] = []
        if range.isEmpty { return result }
        result.reserveCapacity(range.count)
        var (chunk, offset) = place(of: range.lowerBound)
        while result.count < range.count {
            let end = min(counts[chunk], offset + range.count - result.count)
            result += chunks[chunk][offset..<end]
            chunk += 1
            offset = 0
        }
        return result
    }

    /// The indexes of some IDs, in order; IDs that are not in the list are left out.
    func indexes(of wanted: IDFilter) -> [Int] {
        var result: [Int] = []
        if wanted.ids.isEmpty { return result }
        let single = wanted.ids.count == 1 ? wanted.ids.first : nil
        var start = 0
        for (chunk, ids) in chunks.enumerated() {
            ids.withUnsafeBufferPointer { ids in
                if let single {
                    if let offset = ids.index(ofRaw: single.raw) { result.append(start + offset) }
                } else {
                    for offset in ids.indices where wanted.contains(ids[offset]) {
                        result.append(start + offset)
                    }
                }
            }
            if result.count == wanted.ids.count { return result }
            start += counts[chunk]
        }
        return result
    }

    mutating func insert(_ id: ManagedObjectID, at index: Int) {
        count += 1
        guard !chunks.isEmpty else {
            chunks = [[id]]
            counts = [1]
            return
        }
        var (chunk, offset) = index == count - 1 ? end : place(of: index)
        if counts[chunk] >= 2 * RowList.size {
            let half = counts[chunk] / 2
            chunks.insert(Array(chunks[chunk][half...]), at: chunk + 1)
            chunks[chunk].removeSubrange(half...)
            counts.insert(counts[chunk] - half, at: chunk + 1)
            counts[chunk] = half
            if offset > half {
                chunk += 1
                offset -= half
            }
        }
        chunks[chunk].insert(id, at: offset)
        counts[chunk] += 1
    }

    mutating func remove(at index: Int) {
        let (chunk, offset) = place(of: index)
        chunks[chunk].remove(at: offset)
        counts[chunk] -= 1
        count -= 1
        if counts[chunk] == 0 {
            chunks.remove(at: chunk)
            counts.remove(at: chunk)
        }
    }

    /// Removes many at once; their indexes are in order.
    mutating func remove(at indexes: [Int]) {
        // Removing them singly moves a chunk for each; for many, one pass over all is cheaper.
        if indexes.count <= chunks.count {
            for index in indexes.reversed() { remove(at: index) }
            return
        }
        var kept: [ManagedObjectID] = []
        kept.reserveCapacity(count - indexes.count)
        var start = 0
        for index in indexes {
            kept += ids(start..<index)
            start = index + 1
        }
        kept += ids(start..<count)
        self = RowList(kept)
    }

    /// Inserts many at once, each before the ID that is now at its index; the indexes are in order.
    mutating func insert(_ added: [(id: ManagedObjectID, index: Int)]) {
        if added.count <= chunks.count {
            for entry in added.reversed() { insert(entry.id, at: entry.index) }
            return
        }
        var all: [ManagedObjectID] = []
        all.reserveCapacity(count + added.count)
        var start = 0
        for entry in added {
            all += ids(start..<entry.index)
            all.append(entry.id)
            start = entry.index
        }
        all += ids(start..<count)
        self = RowList(all)
    }

    private func place(of index: Int) -> (chunk: Int, offset: Int) {
        var offset = index
        for chunk in counts.indices {
            if offset < counts[chunk] { return (chunk, offset) }
            offset -= counts[chunk]
        }
        preconditionFailure("row \(index) of \(count)")
    }

    private var end: (chunk: Int, offset: Int) {
        (counts.count - 1, counts[counts.count - 1])
    }
}

extension UnsafeBufferPointer<ManagedObjectID> {
    /// The index of an ID.
    ///
    /// Compares sixteen without a branch, in a form that the compiler vectorises: the highest bit
    /// of `(v - 1) & ~v` is set for 0 only.
    fileprivate func index(ofRaw raw: UInt64) -> Int? {
        guard let first = baseAddress else { return nil }
        var start = 0
        while start &+ 16 <= count {
            var zeros: UInt64 = 0
            for offset in 0..<16 {
                let difference = first[start &+ offset].raw ^ raw
                zeros |= (difference &- 1) & ~difference
            }
            if zeros >> 63 != 0 { break }
            start &+= 16
        }
        return (start..<count).first { first[$0].raw == raw }
    }
}
