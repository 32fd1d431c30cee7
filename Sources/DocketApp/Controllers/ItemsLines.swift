import ObjectGraph

/// The lines of the items pane, by place.
///
/// A flat list is held as its IDs, and its lines are made as they are looked at, so that a million
/// found items cost no more than their IDs.
struct ItemsLines: RandomAccessCollection {
    private enum Storage {
        case flat([ManagedObjectID])
        case arranged([ItemsLine])
    }

    private let storage: Storage

    /// The lines of items without headings, all at the top level.
    init(flat ids: [ManagedObjectID] = []) { storage = .flat(ids) }

    init(_ lines: [ItemsLine]) { storage = .arranged(lines) }

    var startIndex: Int { 0 }

    var endIndex: Int {
        switch storage {
        case .flat(let ids): ids.count
        case .arranged(let lines): lines.count
        }
    }

    subscript(place: Int) -> ItemsLine {
        switch storage {
        case .flat(let ids): .item(ids[place], depth: 0)
        case .arranged(let lines): lines[place]
        }
    }

    /// Where an item stands; `nil` if it does not.
    ///
    /// - Complexity: O(n), of a flat list at a nanosecond a line.
    func place(of id: ManagedObjectID) -> Int? {
        switch storage {
        case .flat(let ids): ids.firstIndex(of: id)
        case .arranged(let lines): lines.firstIndex { $0.id == id }
        }
    }
}
