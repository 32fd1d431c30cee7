import DocketCore
import ObjectGraph

/// Turns a flat, sorted list of items into the lines of the pane: below their parents, or in
/// groups.
///
/// - Complexity: O(1) for a flat list, see ``TreeLines`` for one with subtasks; with groups it
///   reads n objects.
struct ItemArrangement {
    /// The parent of each subtask among the items.
    var parents: [ManagedObjectID: ManagedObjectID] = [:]
    var folded: Set<ManagedObjectID> = []
    /// Of the parents that are not among the items, those that are shown because of their subtasks.
    var kept: (([ManagedObjectID]) -> [KeptParent])?
    /// The index of an item by the list's order; `nil` if it is only known from subtasks.
    var place: ((ManagedObjectID, ResultsIDs) -> Int)?
    /// The place of an item in the groups; `nil` without groups.
    var group: ((ManagedObjectID) -> ItemGroups.Place)?

    /// A done task that stays visible while it has open subtasks.
    struct KeptParent {
        var id: ManagedObjectID
        var parent: ManagedObjectID?
    }

    func lines(_ rows: ResultsIDs) -> ItemsLines {
        if let group { return ItemsLines(grouped(rows, group)) }
        if parents.isEmpty { return ItemsLines(rows) }
        let (rows, parents) = withKeptParents(rows)
        return ItemsLines(TreeLines(rows, parents: parents, folded: folded))
    }

    private func grouped(
        _ ids: ResultsIDs,
        _ place: (ManagedObjectID) -> ItemGroups.Place
    ) -> [ItemsLine] {
        var groups = ItemGroups()
        for id in ids { groups.add(id, to: place(id)) }
        var lines: [ItemsLine] = []
        lines.reserveCapacity(ids.count)
        for (name, ids) in groups.all {
            lines.append(.heading(name, count: ids.count))
            lines += ids.map { .item($0, depth: 0) }
        }
        return lines
    }

    /// The items with the missing parents that are shown, each at its place.
    private func withKeptParents(
        _ rows: ResultsIDs
    ) -> (ResultsIDs, [ManagedObjectID: ManagedObjectID]) {
        var (rows, parents) = (rows, parents)
        guard let kept else { return (rows, parents) }
        var known = Set(rows.indexes(of: Set(parents.values)).map { rows[$0] })
        // A kept task's own parent may be missing too; the next round looks for it.
        while true {
            /// The missing parents, with the index of the first child of each.
            var missing: [(parent: ManagedObjectID, place: Int)] = []
            for place in rows.indexes(of: Set(parents.keys)) {
                guard let parent = parents[rows[place]], known.insert(parent).inserted else {
                    continue
                }
                missing.append((parent, place))
            }
            let found = missing.isEmpty ? [] : kept(missing.map(\.parent))
            if found.isEmpty { return (rows, parents) }
            var places: [ManagedObjectID: Int] = [:]
            for (parent, place) in missing { places[parent] = place }
            var added: [(id: ManagedObjectID, place: Int)] = []
            for task in found {
                parents[task.id] = task.parent
                added.append((task.id, place?(task.id, rows) ?? places[task.id] ?? rows.count))
            }
            rows = rows.inserting(added.sorted { $0.place < $1.place })
        }
    }
}
