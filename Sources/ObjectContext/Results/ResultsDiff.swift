import ObjectModel

/// Derives a ``ResultsChange`` from the rows before and after an event.
///
/// Definitions: *base* are the objects that the event did not touch; they keep their order, so
/// they never move. The *gap* of a touched object is the number of base objects before it. A
/// touched object stays if its gap and section are the same before and after and it keeps its
/// order among those that share its gap; otherwise it moves.
struct ResultsDiff {
    let old: ResultsSnapshot
    let new: ResultsSnapshot
    let touched: Set<ManagedObjectID>

    private struct Place {
        var path: ResultIndexPath
        var gap: Int
        var section: String
    }

    func change() -> ResultsChange {
        var result = ResultsChange()
        let oldNames = Set(old.sections.map(\.name))
        let newNames = Set(new.sections.map(\.name))
        for (index, section) in old.sections.enumerated() where !newNames.contains(section.name) {
            result.sections.append(.delete(name: section.name, at: index))
        }
        for (index, section) in new.sections.enumerated() where !oldNames.contains(section.name) {
            result.sections.append(.insert(name: section.name, at: index))
        }
        let before = places(old)
        let after = places(new)
        let staying = stays(before, after)
        for id in before.order {
            guard let from = before.byID[id] else { continue }
            guard let to = after.byID[id] else {
                result.objects.append(.delete(id, at: from.path))
                continue
            }
            if staying.contains(id) {
                result.objects.append(.update(id, at: from.path, newPath: to.path))
            } else if from.path == to.path {
                result.objects.append(.delete(id, at: from.path))
                result.objects.append(.insert(id, at: to.path))
            } else {
                result.objects.append(.move(id, from: from.path, to: to.path))
            }
        }
        for id in after.order where before.byID[id] == nil {
            if let to = after.byID[id] { result.objects.append(.insert(id, at: to.path)) }
        }
        return result
    }

    private func places(
        _ rows: ResultsSnapshot
    ) -> (byID: [ManagedObjectID: Place], order: [ManagedObjectID]) {
        var byID: [ManagedObjectID: Place] = [:]
        var order: [ManagedObjectID] = []
        var gap = 0
        for (index, section) in rows.sections.enumerated() {
            for (item, id) in section.ids.enumerated() {
                if touched.contains(id) {
                    byID[id] = Place(
                        path: ResultIndexPath(section: index, item: item),
                        gap: gap,
                        section: section.name
                    )
                    order.append(id)
                } else {
                    gap += 1
                }
            }
        }
        return (byID, order)
    }

    /// The touched objects that need not move: for each gap, the longest run in the same order.
    private func stays(
        _ before: (byID: [ManagedObjectID: Place], order: [ManagedObjectID]),
        _ after: (byID: [ManagedObjectID: Place], order: [ManagedObjectID])
    ) -> Set<ManagedObjectID> {
        var rank: [ManagedObjectID: Int] = [:]
        for (index, id) in after.order.enumerated() { rank[id] = index }
        var result: Set<ManagedObjectID> = []
        var group: [ManagedObjectID] = []
        var gap = -1
        func close() {
            result.formUnion(longestIncreasing(group) { rank[$0] ?? 0 })
            group = []
        }
        for id in before.order {
            guard let from = before.byID[id], let to = after.byID[id], from.gap == to.gap,
                from.section == to.section
            else { continue }
            if from.gap != gap {
                close()
                gap = from.gap
            }
            group.append(id)
        }
        close()
        return result
    }

    /// The longest subsequence whose ranks increase.
    ///
    /// Cost: O(n log n).
    private func longestIncreasing(
        _ ids: [ManagedObjectID],
        rank: (ManagedObjectID) -> Int
    ) -> [ManagedObjectID] {
        if ids.count < 2 { return ids }
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: ids.count)
        for index in ids.indices {
            let value = rank(ids[index])
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if rank(ids[tails[middle]]) < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var result: [ManagedObjectID] = []
        var index = tails.last ?? -1
        while index >= 0 {
            result.append(ids[index])
            index = previous[index]
        }
        return result.reversed()
    }
}
