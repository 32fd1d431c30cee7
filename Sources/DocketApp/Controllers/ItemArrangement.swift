import DocketCore
import ObjectGraph

/// Turns a flat, sorted list of items into the lines of the pane: under their parents, or in
/// groups.
///
/// - Complexity: O(1) for a flat list, see ``TreeLines`` for one with subtasks; with groups n objects
///   are looked at.
struct ItemArrangement {
    /// The parent of each subtask among the items.
    var parents: [ManagedObjectID: ManagedObjectID] = [:]
    var folded: Set<ManagedObjectID> = []
    /// The name of an item's group; `nil` without groups.
    var group: ((ManagedObjectID) -> String)?

    func lines(_ rows: ResultsIDs) -> ItemsLines {
        if let group { return ItemsLines(grouped(rows, group)) }
        if parents.isEmpty { return ItemsLines(rows) }
        return ItemsLines(TreeLines(rows, parents: parents, folded: folded))
    }

    private func grouped(
        _ ids: ResultsIDs,
        _ group: (ManagedObjectID) -> String
    ) -> [ItemsLine] {
        var order: [String] = []
        var members: [String: [ManagedObjectID]] = [:]
        for id in ids {
            let name = group(id)
            if members[name] == nil { order.append(name) }
            members[name, default: []].append(id)
        }
        var lines: [ItemsLine] = []
        lines.reserveCapacity(ids.count + order.count)
        for name in order {
            let ids = members[name] ?? []
            lines.append(.heading(name, count: ids.count))
            lines += ids.map { .item($0, depth: 0) }
        }
        return lines
    }
}
