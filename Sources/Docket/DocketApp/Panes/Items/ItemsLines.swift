import ObjectGraph

/// The lines of the items pane, by index.
///
/// Lists are stored as their rows, which share their memory with the results controller, and lines
/// are created when they are read. So a change among a million items costs no more than the items
/// that are below others.
struct ItemsLines: RandomAccessCollection {
    private enum Storage {
        case rows(ResultsIDs)
        case found([ManagedObjectID])
        case tree(TreeLines)
        case arranged([ItemsLine])
    }

    private let storage: Storage

    /// The lines of a list without headings, all at the top level.
    init(_ rows: ResultsIDs = ResultsIDs()) { storage = .rows(rows) }

    /// The lines of the results of a search.
    init(found ids: [ManagedObjectID]) { storage = .found(ids) }

    /// The lines of a list in which some items are below others.
    init(_ tree: TreeLines) { storage = .tree(tree) }

    /// Lines with headings.
    init(_ lines: [ItemsLine]) { storage = .arranged(lines) }

    var startIndex: Int { 0 }

    var endIndex: Int {
        switch storage {
        case .rows(let rows): rows.count
        case .found(let ids): ids.count
        case .tree(let tree): tree.count
        case .arranged(let lines): lines.count
        }
    }

    subscript(place: Int) -> ItemsLine {
        switch storage {
        case .rows(let rows): .item(rows[place], depth: 0)
        case .found(let ids): .item(ids[place], depth: 0)
        case .tree(let tree): tree[place]
        case .arranged(let lines): lines[place]
        }
    }

    /// A walk over all lines, which is faster than an access by index for each.
    func makeIterator() -> AnyIterator<ItemsLine> {
        switch storage {
        case .rows(let rows):
            var ids = rows.makeIterator()
            return AnyIterator { ids.next().map { .item($0, depth: 0) } }
        case .found(let ids):
            var ids = ids.makeIterator()
            return AnyIterator { ids.next().map { .item($0, depth: 0) } }
        case .tree(let tree): return tree.makeIterator()
        case .arranged(let lines): return AnyIterator(lines.makeIterator())
        }
    }

    /// The indexes of the lines of some items, in order; those that are not shown are left out.
    ///
    /// - Complexity: O(n), however many items they are.
    func indexes(of ids: Set<ManagedObjectID>) -> [Int] {
        switch storage {
        case .rows(let rows): rows.indexes(of: ids)
        case .found(let found): found.indices.filter { ids.contains(found[$0]) }
        case .tree(let tree): tree.indexes(of: ids)
        case .arranged(let lines):
            lines.indices.filter { lines[$0].id.map(ids.contains) ?? false }
        }
    }

    /// How many of some items are shown.
    func count(of ids: Set<ManagedObjectID>) -> Int {
        // An agenda may have an item twice.
        guard case .arranged(let lines) = storage else { return indexes(of: ids).count }
        return Set(lines.compactMap(\.id)).intersection(ids).count
    }

    /// The index of an item; `nil` if it is not shown.
    ///
    /// - Complexity: O(n), of a list at a fraction of a nanosecond a line.
    func index(of id: ManagedObjectID) -> Int? {
        switch storage {
        case .rows(let rows): rows.firstIndex(of: id)
        case .found(let ids): ids.firstIndex(of: id)
        case .tree(let tree): tree.index(of: id)
        case .arranged(let lines): lines.firstIndex { $0.id == id }
        }
    }
}
