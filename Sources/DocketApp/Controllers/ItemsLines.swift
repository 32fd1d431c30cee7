import ObjectGraph

/// The lines of the items pane, by place.
///
/// Lists are held as their rows, which share their memory with the results controller, and lines
/// are made as they are looked at: a change among a million items costs no more than the items that
/// stand under others.
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

    /// The lines of what a search found.
    init(found ids: [ManagedObjectID]) { storage = .found(ids) }

    /// The lines of a list in which items stand under others.
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

    /// A walk over all lines, which takes less time than looking each one up.
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

    /// Where an item stands; `nil` if it does not.
    ///
    /// - Complexity: O(n), of a list at a fraction of a nanosecond a line.
    func place(of id: ManagedObjectID) -> Int? {
        switch storage {
        case .rows(let rows): rows.firstIndex(of: id)
        case .found(let ids): ids.firstIndex(of: id)
        case .tree(let tree): tree.place(of: id)
        case .arranged(let lines): lines.firstIndex { $0.id == id }
        }
    }
}
