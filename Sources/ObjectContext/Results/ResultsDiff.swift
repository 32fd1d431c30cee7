import ObjectModel

/// Derives a ``ResultsChange`` from the rows before and after an event.
///
/// Definitions: a row *stays* if it is in both, in the same section, and keeps its order among
/// the rows that stay; any other row of both moves. `changed` are the objects whose values may
/// have changed; the others should not move if they can help it.
///
/// In three steps:
///   1. match the sections by name; those that changed places count as deleted and inserted;
///   2. let all unchanged rows stay, and as many changed ones as keep their order among them;
///   3. a row that would move to the path where it is stays after all, and others move around it.
struct ResultsDiff {
    let old: ResultsSnapshot
    let new: ResultsSnapshot
    let changed: IDFilter

    /// A row of both sides.
    private struct Row {
        let id: ManagedObjectID
        let from: ResultIndexPath
        let to: ResultIndexPath
        /// The place among all rows after.
        let rank: Int
        let canStay: Bool
    }

    func change() -> ResultsChange {
        var result = ResultsChange()
        let kept = keptSections()
        for (index, section) in old.sections.enumerated() where !kept.contains(section.name) {
            result.sections.append(.delete(name: section.name, at: index))
        }
        for (index, section) in new.sections.enumerated() where !kept.contains(section.name) {
            result.sections.append(.insert(name: section.name, at: index))
        }
        if hasOneOrder(kept) {
            appendTracked(kept, to: &result)
        } else {
            appendAll(kept, to: &result)
        }
        return result
    }

    private func keptSections() -> Set<String> {
        var rank: [String: Int] = [:]
        for (index, section) in new.sections.enumerated() { rank[section.name] = index }
        let common = old.sections.filter { rank[$0.name] != nil }
        return Set(longestIncreasing(common) { rank[$0.name] ?? 0 }.map(\.name))
    }

    /// Whether the unchanged rows are the same on both sides, in the same sections and order.
    private func hasOneOrder(_ kept: Set<String>) -> Bool {
        func unchanged(_ rows: ResultsSnapshot) -> [(String, [ManagedObjectID])] {
            rows.sections.map { ($0.name, changed.removed(from: $0.ids)) }.filter { !$0.1.isEmpty }
        }
        return unchanged(old).elementsEqual(unchanged(new)) { $0.0 == $1.0 && $0.1 == $1.1 }
            && !unchanged(old).contains { !kept.contains($0.0) }
    }

    // MARK: Changed rows alone

    private struct Place {
        let path: ResultIndexPath
        let section: String
        /// How many unchanged rows come before it.
        let gap: Int
    }

    /// The common case: only changed rows came, went or moved, so only they are looked at.
    private func appendTracked(_ kept: Set<String>, to result: inout ResultsChange) {
        let before = places(old)
        let after = places(new)
        var target: [ManagedObjectID: (place: Place, rank: Int)] = [:]
        for (rank, entry) in after.enumerated() { target[entry.id] = (entry.place, rank) }
        var rows: [Row] = []
        var staying: Set<ManagedObjectID> = []
        var group: [Row] = []
        var gap = -1
        func close() {
            staying.formUnion(longestIncreasing(group, rank: \.rank).map(\.id))
            group = []
        }
        for (id, place) in before {
            guard let (goal, rank) = target[id] else {
                result.objects.append(.delete(id, at: place.path))
                continue
            }
            let canStay = goal.section == place.section && kept.contains(goal.section)
            let row = Row(id: id, from: place.path, to: goal.path, rank: rank, canStay: canStay)
            rows.append(row)
            guard canStay, goal.gap == place.gap else { continue }
            if place.gap != gap {
                close()
                gap = place.gap
            }
            group.append(row)
        }
        close()
        if rows.contains(where: { $0.canStay && !staying.contains($0.id) && $0.from == $0.to }) {
            // It would move to where it is, and unchanged rows have to make way.
            result.objects = []
            return appendAll(kept, to: &result)
        }
        append(rows, staying, to: &result)
        let known = Set(before.map(\.id))
        for (id, place) in after where !known.contains(id) {
            result.objects.append(.insert(id, at: place.path))
        }
    }

    private func places(_ rows: ResultsSnapshot) -> [(id: ManagedObjectID, place: Place)] {
        var result: [(id: ManagedObjectID, place: Place)] = []
        var gap = 0
        for (index, section) in rows.sections.enumerated() {
            for item in section.ids.indices {
                if changed.contains(section.ids[item]) {
                    let path = ResultIndexPath(section: index, item: item)
                    let place = Place(path: path, section: section.name, gap: gap)
                    result.append((section.ids[item], place))
                } else {
                    gap += 1
                }
            }
        }
        return result
    }

    // MARK: All rows

    /// The general case: unchanged rows may move too.
    private func appendAll(_ kept: Set<String>, to result: inout ResultsChange) {
        var target: [ManagedObjectID: (path: ResultIndexPath, rank: Int)] = [:]
        for (rank, entry) in paths(new).enumerated() { target[entry.id] = (entry.path, rank) }
        var rows: [Row] = []
        var known: Set<ManagedObjectID> = []
        for (id, path) in paths(old) {
            known.insert(id)
            guard let (goal, rank) = target[id] else {
                result.objects.append(.delete(id, at: path))
                continue
            }
            let section = old.sections[path.section].name
            let canStay = section == new.sections[goal.section].name && kept.contains(section)
            rows.append(Row(id: id, from: path, to: goal, rank: rank, canStay: canStay))
        }
        append(rows, staying(rows), to: &result)
        for (id, path) in paths(new) where !known.contains(id) {
            result.objects.append(.insert(id, at: path))
        }
    }

    private func paths(
        _ rows: ResultsSnapshot
    ) -> [(id: ManagedObjectID, path: ResultIndexPath)] {
        rows.sections.enumerated().flatMap { index, section in
            section.ids.enumerated().map { ($1, ResultIndexPath(section: index, item: $0)) }
        }
    }

    /// Rows at the same path on both sides stay, and between each two of them as many as keep
    /// their order.
    private func staying(_ rows: [Row]) -> Set<ManagedObjectID> {
        var result: Set<ManagedObjectID> = []
        var between: [Row] = []
        var lower = -1
        func close(at upper: Int) {
            let fitting = between.filter { $0.rank > lower && $0.rank < upper }
            result.formUnion(longestIncreasing(fitting, rank: \.rank).map(\.id))
            between = []
        }
        for row in rows where row.canStay {
            if row.from == row.to {
                close(at: row.rank)
                result.insert(row.id)
                lower = row.rank
            } else {
                between.append(row)
            }
        }
        close(at: .max)
        return result
    }

    private func append(
        _ rows: [Row],
        _ staying: Set<ManagedObjectID>,
        to result: inout ResultsChange
    ) {
        for row in rows {
            if staying.contains(row.id) {
                if changed.contains(row.id) {
                    result.objects.append(.update(row.id, at: row.from, newPath: row.to))
                }
            } else if row.from == row.to {
                // The same numbers, but another section stands there now.
                result.objects.append(.delete(row.id, at: row.from))
                result.objects.append(.insert(row.id, at: row.to))
            } else {
                result.objects.append(.move(row.id, from: row.from, to: row.to))
            }
        }
    }
}

/// The longest subsequence whose ranks increase.
///
/// Cost: O(n log n).
private func longestIncreasing<Element>(
    _ elements: [Element],
    rank: (Element) -> Int
) -> [Element] {
    if elements.count < 2 { return elements }
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: elements.count)
    let ranks = elements.map(rank)
    for index in ranks.indices {
        var low = 0
        var high = tails.count
        while low < high {
            let middle = (low + high) / 2
            if ranks[tails[middle]] < ranks[index] { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[index] = tails[low - 1] }
        if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var result: [Element] = []
    var index = tails.last ?? -1
    while index >= 0 {
        result.append(elements[index])
        index = previous[index]
    }
    return result.reversed()
}

/// A small set of IDs that is asked about many: a bit tells most of those that are not in it.
struct IDFilter {
    let ids: Set<ManagedObjectID>
    private let mask: UInt64

    init(_ ids: Set<ManagedObjectID>) {
        self.ids = ids
        mask = ids.reduce(0) { $0 | IDFilter.bit($1) }
    }

    @inline(__always)
    private static func bit(_ id: ManagedObjectID) -> UInt64 {
        1 << ((id.raw &* 0x9e37_79b9_7f4a_7c15) >> 58)
    }

    @inline(__always)
    func contains(_ id: ManagedObjectID) -> Bool {
        mask & IDFilter.bit(id) != 0 && ids.contains(id)
    }

    /// A list without the members; the same list if it holds none.
    func removed(from list: [ManagedObjectID]) -> [ManagedObjectID] {
        guard let first = list.firstIndex(where: contains) else { return list }
        var result = Array(list[..<first])
        result.reserveCapacity(list.count - 1)
        for index in (first + 1)..<list.count where !contains(list[index]) {
            result.append(list[index])
        }
        return result
    }
}
