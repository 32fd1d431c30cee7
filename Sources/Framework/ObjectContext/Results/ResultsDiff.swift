import ObjectModel

/// Derives a ``ResultsChange`` from the rows before and after an event.
///
/// Definitions: a row *stays* if it is in both, in the same section, and keeps its order among the
/// rows that stay; every other row of both moves. `changed` are the objects whose values may have
/// changed; other rows should move only if necessary. A row's *gap* is the number of unchanged rows
/// before it.
///
/// In three steps:
///   1. match the sections by name; those that have exchanged places count as deleted and inserted;
///   2. let all unchanged rows stay, and as many changed ones as keep their order among them;
///   3. a row that would move to its own path stays instead, and others move around it.
struct ResultsDiff {
    let old: SectionedRows
    let new: SectionedRows
    let changed: IDFilter

    /// A changed row on one side.
    struct Row {
        let id: ManagedObjectID
        let rank: Int
        let gap: Int
    }

    /// A row of both sides.
    private struct Pair {
        let id: ManagedObjectID
        let from: ResultIndexPath
        let to: ResultIndexPath
        /// The index among all rows after.
        let rank: Int
        let canStay: Bool
    }

    /// The changes, found by comparing all rows.
    func change() -> ResultsChange {
        var result = ResultsChange()
        let kept = keptSections()
        appendSections(kept, to: &result)
        if hasOneOrder(kept), appendTracked(rows(old), rows(new), kept, to: &result) {
            return result
        }
        appendAll(kept, to: &result)
        return result
    }

    /// The changes, where only changed rows were inserted, deleted or moved: only they are
    /// compared.
    ///
    /// It takes the changed rows of both sides in order, and the sections with their unchanged
    /// rows.
    func change(
        of before: [Row],
        to after: [Row],
        among sections: [SectionedRows.Section]
    ) -> ResultsChange {
        var result = ResultsChange()
        let kept = keptSections()
        appendSections(kept, to: &result)
        let areKept = kept.map { kept in sections.allSatisfy { kept.contains($0.name) } } ?? true
        if areKept, appendTracked(before, after, kept, to: &result) { return result }
        appendAll(kept, to: &result)
        return result
    }

    // MARK: Sections

    /// The names of the sections that stay; `nil` for all of both sides.
    private func keptSections() -> Set<String>? {
        if old.sections.count == new.sections.count,
            zip(old.sections, new.sections).allSatisfy({ $0.name == $1.name })
        {
            return nil
        }
        var rank: [String: Int] = [:]
        for (index, section) in new.sections.enumerated() { rank[section.name] = index }
        let common = old.sections.filter { rank[$0.name] != nil }
        return Set(longestIncreasing(common) { rank[$0.name] ?? 0 }.map(\.name))
    }

    private func appendSections(_ kept: Set<String>?, to result: inout ResultsChange) {
        guard let kept else { return }
        for (index, section) in old.sections.enumerated() where !kept.contains(section.name) {
            result.sections.append(.delete(name: section.name, at: index))
        }
        for (index, section) in new.sections.enumerated() where !kept.contains(section.name) {
            result.sections.append(.insert(name: section.name, at: index))
        }
    }

    /// Whether the unchanged rows are the same on both sides, in the same sections and order.
    private func hasOneOrder(_ kept: Set<String>?) -> Bool {
        func unchanged(_ rows: SectionedRows) -> [(String, [ManagedObjectID])] {
            rows.snapshot.sections.map { ($0.name, changed.removed(from: $0.ids)) }
                .filter { !$0.1.isEmpty }
        }
        let before = unchanged(old)
        return before.elementsEqual(unchanged(new)) { $0.0 == $1.0 && $0.1 == $1.1 }
            && before.allSatisfy { kept?.contains($0.0) ?? true }
    }

    /// Whether a row can stay: its section does, and is the same on both sides.
    private func canStay(
        _ from: ResultIndexPath,
        _ to: ResultIndexPath,
        _ kept: Set<String>?
    ) -> Bool {
        guard let kept else { return from.section == to.section }
        let name = old.sections[from.section].name
        return name == new.sections[to.section].name && kept.contains(name)
    }

    // MARK: Changed rows alone

    /// The common case: only changed rows were inserted, deleted or moved, so only they are
    /// compared.
    ///
    /// - Returns: false, with nothing appended, if unchanged rows have to move.
    private func appendTracked(
        _ before: [Row],
        _ after: [Row],
        _ kept: Set<String>?,
        to result: inout ResultsChange
    ) -> Bool {
        var target: [ManagedObjectID: Int] = [:]
        for (index, row) in after.enumerated() { target[row.id] = index }
        let sources = old.paths(of: before.map(\.rank))
        let goals = new.paths(of: after.map(\.rank))
        var deleted: [ResultsChange.Change] = []
        var pairs: [Pair] = []
        var staying: Set<ManagedObjectID> = []
        var group: [Pair] = []
        var gap = -1
        func close() {
            staying.formUnion(longestIncreasing(group, rank: \.rank).map(\.id))
            group = []
        }
        for (row, from) in zip(before, sources) {
            guard let index = target[row.id] else {
                deleted.append(.delete(row.id, at: from))
                continue
            }
            let canStay = canStay(from, goals[index], kept)
            let pair = Pair(
                id: row.id,
                from: from,
                to: goals[index],
                rank: after[index].rank,
                canStay: canStay
            )
            pairs.append(pair)
            guard canStay, after[index].gap == row.gap else { continue }
            if row.gap != gap {
                close()
                gap = row.gap
            }
            group.append(pair)
        }
        close()
        if pairs.contains(where: { $0.canStay && !staying.contains($0.id) && $0.from == $0.to }) {
            // It would move to its own path, so unchanged rows have to move.
            return false
        }
        result.objects += deleted
        append(pairs, staying, to: &result)
        let known = Set(before.map(\.id))
        for (row, path) in zip(after, goals) where !known.contains(row.id) {
            result.objects.append(.insert(row.id, at: path))
        }
        return true
    }

    private func rows(_ side: SectionedRows) -> [Row] {
        side.list.indexes(of: changed).enumerated().map { index, rank in
            Row(id: side.list[rank], rank: rank, gap: rank - index)
        }
    }

    // MARK: All rows

    /// The general case: unchanged rows may move too.
    private func appendAll(_ kept: Set<String>?, to result: inout ResultsChange) {
        var target: [ManagedObjectID: (path: ResultIndexPath, rank: Int)] = [:]
        for (rank, entry) in paths(new).enumerated() { target[entry.id] = (entry.path, rank) }
        var pairs: [Pair] = []
        var known: Set<ManagedObjectID> = []
        for (id, path) in paths(old) {
            known.insert(id)
            guard let (goal, rank) = target[id] else {
                result.objects.append(.delete(id, at: path))
                continue
            }
            let canStay = canStay(path, goal, kept)
            pairs.append(Pair(id: id, from: path, to: goal, rank: rank, canStay: canStay))
        }
        append(pairs, staying(pairs), to: &result)
        for (id, path) in paths(new) where !known.contains(id) {
            result.objects.append(.insert(id, at: path))
        }
    }

    private func paths(_ rows: SectionedRows) -> [(id: ManagedObjectID, path: ResultIndexPath)] {
        rows.snapshot.sections.enumerated().flatMap { index, section in
            section.ids.enumerated().map { ($1, ResultIndexPath(section: index, item: $0)) }
        }
    }

    /// Rows at the same path on both sides stay, and between each two of them as many as keep
    /// their order.
    private func staying(_ rows: [Pair]) -> Set<ManagedObjectID> {
        var result: Set<ManagedObjectID> = []
        var between: [Pair] = []
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

    /// Whether a row's sections before and after have the same name, at any index.
    private func isOneSection(_ row: Pair) -> Bool {
        old.sections[row.from.section].name == new.sections[row.to.section].name
    }

    private func append(
        _ rows: [Pair],
        _ staying: Set<ManagedObjectID>,
        to result: inout ResultsChange
    ) {
        for row in rows {
            if staying.contains(row.id) {
                if changed.contains(row.id) {
                    result.objects.append(.update(row.id, at: row.from, newPath: row.to))
                }
            } else if row.from == row.to, !isOneSection(row) {
                // The same numbers, but the section there is another one now.
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

/// A small set of IDs for many tests: one bit rules out most IDs that are not in it.
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

    /// The list without the members; the same list if it holds none.
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
