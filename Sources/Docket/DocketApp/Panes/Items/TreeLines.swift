import ObjectGraph

/// The lines of a list in which some items are below others: unchanged pieces of the list, and
/// blocks of subtasks after their parents.
///
/// - Complexity: creating it is O(k log k) for k subtasks, and two scans of the list; a line is
///   found in O(log k).
struct TreeLines {
    private enum Piece {
        /// Rows of the list from a rank on.
        case rows(Int)
        /// Lines of ``blocks`` from a place on.
        case block(Int)
    }

    private let rows: ResultsIDs
    private var pieces: [(start: Int, piece: Piece)] = []
    private var blocks: [ItemsLine] = []
    private(set) var count = 0

    /// - Parameters:
    ///   - rows: all items with their subtasks, in order.
    ///   - parents: the parent of each subtask; a subtask whose parent is not among the items is at
    ///     the top level.
    ///   - folded: parents whose subtasks are not shown.
    init(
        _ rows: ResultsIDs,
        parents: [ManagedObjectID: ManagedObjectID],
        folded: Set<ManagedObjectID>
    ) {
        self.rows = rows
        let shown = Set(rows.indexes(of: Set(parents.values)).map { rows[$0] })
        var children: [ManagedObjectID: [ManagedObjectID]] = [:]
        var hidden: [Int] = []
        for rank in rows.indexes(of: Set(parents.keys)) {
            let id = rows[rank]
            guard let parent = parents[id], shown.contains(parent),
                !TreeLines.isInLoop(id, parents, among: shown)
            else { continue }
            children[parent, default: []].append(id)
            hidden.append(rank)
        }
        build(children, hidden: hidden, folded)
    }

    private mutating func build(
        _ children: [ManagedObjectID: [ManagedObjectID]],
        hidden: [Int],
        _ folded: Set<ManagedObjectID>
    ) {
        let isHidden = Set(hidden)
        let roots = rows.indexes(of: Set(children.keys)).filter { !isHidden.contains($0) }
        var rank = 0
        var nextHidden = hidden[...]
        /// Appends the rows before a rank, without those that are shown elsewhere.
        func advance(to end: Int) {
            while rank < end {
                let stop = min(end, nextHidden.first ?? end)
                append(.rows(rank), stop - rank)
                rank = stop
                if rank < end, rank == nextHidden.first {
                    nextHidden.removeFirst()
                    rank += 1
                }
            }
        }
        for root in roots {
            advance(to: root + 1)
            let start = blocks.count
            addBlock(rows[root], children, folded)
            append(.block(start), blocks.count - start)
        }
        advance(to: rows.count)
    }

    private mutating func append(_ piece: Piece, _ length: Int) {
        guard length > 0 else { return }
        pieces.append((count, piece))
        count += length
    }

    private mutating func addBlock(
        _ root: ManagedObjectID,
        _ children: [ManagedObjectID: [ManagedObjectID]],
        _ folded: Set<ManagedObjectID>
    ) {
        var stack: [(id: ManagedObjectID, depth: Int)] = []
        func push(_ id: ManagedObjectID, _ depth: Int) {
            guard let below = children[id], !folded.contains(id) else { return }
            for child in below.reversed() { stack.append((child, depth + 1)) }
        }
        push(root, 0)
        while let (id, depth) = stack.popLast() {
            blocks.append(.item(id, depth: depth))
            push(id, depth)
        }
    }

    /// Two processes can each make one task the other's child; then both are at the top level.
    private static func isInLoop(
        _ id: ManagedObjectID,
        _ parents: [ManagedObjectID: ManagedObjectID],
        among shown: Set<ManagedObjectID>
    ) -> Bool {
        var current = parents[id]
        var steps = 0
        while let ancestor = current, shown.contains(ancestor) {
            steps += 1
            if ancestor == id || steps > 1000 { return true }
            current = parents[ancestor]
        }
        return false
    }

    // MARK: Reading

    subscript(place: Int) -> ItemsLine {
        precondition(place >= 0 && place < count, "there is no line \(place) of \(count)")
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].start <= place { low = middle } else { high = middle }
        }
        let (start, piece) = pieces[low]
        switch piece {
        case .rows(let rank): return .item(rows[rank + place - start], depth: 0)
        case .block(let first): return blocks[first + place - start]
        }
    }

    /// All lines from the first on.
    func makeIterator() -> AnyIterator<ItemsLine> {
        let all = Array(rows)
        var pieces = self.pieces[...]
        var place = 0
        return AnyIterator { [blocks, count] in
            guard place < count else { return nil }
            while let next = pieces.dropFirst().first, next.start <= place { pieces.removeFirst() }
            guard let (start, piece) = pieces.first else { return nil }
            defer { place += 1 }
            switch piece {
            case .rows(let rank): return .item(all[rank + place - start], depth: 0)
            case .block(let first): return blocks[first + place - start]
            }
        }
    }

    /// The indexes of some items, in order; those that are not shown are left out.
    func indexes(of ids: Set<ManagedObjectID>) -> [Int] {
        var found: [Int] = []
        var ranks = rows.indexes(of: ids)[...]
        for (index, (start, piece)) in pieces.enumerated() {
            let length = (index + 1 < pieces.count ? pieces[index + 1].start : count) - start
            switch piece {
            case .rows(let first):
                ranks = ranks.drop { $0 < first }
                let inside = ranks.prefix { $0 < first + length }
                found += inside.map { start + $0 - first }
                ranks = ranks.dropFirst(inside.count)
            case .block(let first):
                found += (0..<length).filter {
                    blocks[first + $0].id.map(ids.contains) ?? false
                }.map { start + $0 }
            }
        }
        return found
    }

    /// The index of an item; `nil` if it is not shown, such as a folded one.
    func index(of id: ManagedObjectID) -> Int? {
        let block = blocks.firstIndex { $0.id == id }
        let rank = block == nil ? rows.firstIndex(of: id) : nil
        for (index, (start, piece)) in pieces.enumerated() {
            let length = (index + 1 < pieces.count ? pieces[index + 1].start : count) - start
            switch piece {
            case .rows(let first):
                if let rank, rank >= first, rank < first + length { return start + rank - first }
            case .block(let first):
                if let block, block >= first, block < first + length {
                    return start + block - first
                }
            }
        }
        return nil
    }
}
