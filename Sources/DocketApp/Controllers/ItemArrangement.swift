import DocketCore
import ObjectGraph

/// Turns a flat, sorted list of items into the lines of the pane: under their parents, or in
/// groups.
///
/// - Complexity: O(1) for a flat list, else O(n); with groups n objects are looked at.
struct ItemArrangement {
    /// The parent of each subtask among the items.
    var parents: [ManagedObjectID: ManagedObjectID] = [:]
    var folded: Set<ManagedObjectID> = []
    /// The name of an item's group; `nil` without groups.
    var group: ((ManagedObjectID) -> String)?

    func lines(_ ids: [ManagedObjectID]) -> ItemsLines {
        if let group { return ItemsLines(grouped(ids, group)) }
        return parents.isEmpty ? ItemsLines(flat: ids) : ItemsLines(tree(ids))
    }

    private func grouped(
        _ ids: [ManagedObjectID],
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

    /// An item whose parent is not among the items stands at the top level.
    private func tree(_ ids: [ManagedObjectID]) -> [ItemsLine] {
        let shown = Set(ids)
        var children: [ManagedObjectID: [ManagedObjectID]] = [:]
        var roots: [ManagedObjectID] = []
        roots.reserveCapacity(ids.count)
        for id in ids {
            if let parent = parents[id], shown.contains(parent), !isInLoop(id) {
                children[parent, default: []].append(id)
            } else {
                roots.append(id)
            }
        }
        var lines: [ItemsLine] = []
        lines.reserveCapacity(ids.count)
        var stack: [(id: ManagedObjectID, depth: Int)] = []
        for root in roots {
            stack.append((root, 0))
            while let (id, depth) = stack.popLast() {
                lines.append(.item(id, depth: depth))
                guard let below = children[id], !folded.contains(id) else { continue }
                for child in below.reversed() { stack.append((child, depth + 1)) }
            }
        }
        return lines
    }

    /// Two processes can each make one task the other's child; both show at the top level then.
    private func isInLoop(_ id: ManagedObjectID) -> Bool {
        var current = parents[id]
        var steps = 0
        while let ancestor = current {
            steps += 1
            if ancestor == id || steps > 1000 { return true }
            current = parents[ancestor]
        }
        return false
    }
}
