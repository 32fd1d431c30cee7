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
    /// Of the parents that are not among the items, those that are shown for their subtasks' sake.
    var kept: (([ManagedObjectID]) -> [KeptParent])?
    /// The place of an item in a list by the list's order; `nil` if only subtasks tell it.
    var place: ((ManagedObjectID, [ManagedObjectID]) -> Int)?
    /// The name of an item's group; `nil` without groups.
    var group: ((ManagedObjectID) -> String)?

    /// A done task that stays in sight while it has open subtasks.
    struct KeptParent {
        var id: ManagedObjectID
        var parent: ManagedObjectID?
    }

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

    /// An item whose parent is not shown stands at the top level.
    private func tree(_ ids: [ManagedObjectID]) -> [ItemsLine] {
        let shown = Set(ids)
        var children: [ManagedObjectID: [ManagedObjectID]] = [:]
        var roots: [ManagedObjectID] = []
        roots.reserveCapacity(ids.count)
        /// The parents that are missing, with the first child of each.
        var missing: [(parent: ManagedObjectID, child: ManagedObjectID)] = []
        var seen: Set<ManagedObjectID> = []
        for id in ids {
            guard let parent = parents[id], !isInLoop(id) else {
                roots.append(id)
                continue
            }
            if shown.contains(parent) {
                children[parent, default: []].append(id)
            } else {
                roots.append(id)
                if seen.insert(parent).inserted { missing.append((parent, id)) }
            }
        }
        if !missing.isEmpty, let whole = adding(missing, to: ids) { return whole }
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

    /// The tree with missing parents that are to be seen; `nil` if none is.
    private func adding(
        _ missing: [(parent: ManagedObjectID, child: ManagedObjectID)],
        to ids: [ManagedObjectID]
    ) -> [ItemsLine]? {
        guard let kept = kept?(missing.map(\.parent)), !kept.isEmpty else { return nil }
        var whole = self
        var places: [ManagedObjectID: Int] = [:]
        for (parent, child) in missing { places[parent] = ids.firstIndex(of: child) }
        var added: [(id: ManagedObjectID, place: Int)] = []
        for task in kept {
            whole.parents[task.id] = task.parent
            let place = place?(task.id, ids) ?? places[task.id] ?? ids.count
            added.append((task.id, place))
        }
        var all: [ManagedObjectID] = []
        all.reserveCapacity(ids.count + added.count)
        var next = 0
        for (id, place) in added.sorted(by: { $0.place < $1.place }) {
            all += ids[next..<place] + [id]
            next = place
        }
        // A kept task's own parent may be missing too; it is looked for in the next round.
        return whole.tree(all + ids[next...])
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
