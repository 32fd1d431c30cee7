import ObjectModel

/// The rows of a results controller: one list of IDs, and how many of them each section has.
///
/// A *rank* is a row's index among all rows.
struct SectionedRows: Equatable, Sendable {
    struct Section: Hashable, Sendable {
        var name: String
        var count: Int
    }

    private(set) var list: RowList
    private(set) var sections: [Section]
    let isSectioned: Bool

    /// No rows: one section, or none if there is a section key path.
    init(isSectioned: Bool) {
        self.init(RowList(), [], isSectioned: isSectioned)
    }

    /// Rows with their sections; without a section key path there is one for all.
    init(_ list: RowList, _ sections: [Section], isSectioned: Bool) {
        self.list = list
        self.isSectioned = isSectioned
        self.sections = isSectioned ? sections : [Section(name: "", count: list.count)]
    }

    var count: Int { list.count }

    var ids: [ManagedObjectID] { list.ids(0..<list.count) }

    var snapshot: ResultsSnapshot {
        var start = 0
        return ResultsSnapshot(
            sections: sections.map { section in
                defer { start += section.count }
                return .init(name: section.name, ids: list.ids(start..<start + section.count))
            }
        )
    }

    // MARK: Places

    func rank(of path: ResultIndexPath) -> Int {
        Misuse.trap(
            unless: sections.indices.contains(path.section) && path.item >= 0
                && path.item < sections[path.section].count,
            "the results have no row \(path.item) in section \(path.section); they have "
                + "\(sections.map(\.count)) rows in their sections"
        )
        return start(of: path.section) + path.item
    }

    func start(of section: Int) -> Int { sections[..<section].reduce(0) { $0 + $1.count } }

    /// The paths of some ranks, which are in order.
    func paths(of ranks: [Int]) -> [ResultIndexPath] {
        var section = 0
        var start = 0
        return ranks.map { rank in
            while rank >= start + sections[section].count {
                start += sections[section].count
                section += 1
            }
            return ResultIndexPath(section: section, item: rank - start)
        }
    }

    // MARK: Changing

    mutating func replace(at rank: Int, with id: ManagedObjectID) { list[rank] = id }

    /// Removes rows, and sections that become empty; the ranks are in order.
    mutating func remove(at ranks: [Int]) {
        for path in paths(of: ranks) { sections[path.section].count -= 1 }
        list.remove(at: ranks)
        if isSectioned { sections.removeAll { $0.count == 0 } }
    }

    /// A row to insert, before the one that is now at its rank.
    struct Addition {
        let id: ManagedObjectID
        let rank: Int
        let section: String
    }

    /// Inserts rows; they are in order.
    ///
    /// - Returns: whether each joined a neighbouring section or started one there. If not, the
    ///   order is not by section, and rows were added to a section of their name at another place.
    mutating func insert(_ rows: [Addition]) -> Bool {
        guard isSectioned else {
            sections[0].count += rows.count
            list.insert(rows.map { ($0.id, $0.rank) })
            return true
        }
        var grown = SectionRun()
        var position = 0
        var next = rows[...]
        for section in sections {
            let end = position + section.count
            while let row = next.first, row.rank < end {
                grown.append(section.name, row.rank - position)
                position = row.rank
                grown.open(row.section)
                next.removeFirst()
            }
            grown.append(section.name, end - position)
            position = end
        }
        for row in next { grown.open(row.section) }
        guard grown.isInOrder else {
            gather(rows)
            return false
        }
        sections = grown.sections
        list.insert(rows.map { ($0.id, $0.rank) })
        return true
    }

    /// Inserts rows whose order is not that of the sections: each name is where it occurs first.
    private mutating func gather(_ rows: [Addition]) {
        var members: [(name: String, ids: [ManagedObjectID])] = []
        var indexes: [String: Int] = [:]
        func add(_ ids: [ManagedObjectID], _ name: String) {
            if ids.isEmpty { return }
            if let index = indexes[name] {
                members[index].ids += ids
            } else {
                indexes[name] = members.count
                members.append((name, ids))
            }
        }
        var position = 0
        var next = rows[...]
        for section in sections {
            let end = position + section.count
            while let row = next.first, row.rank < end {
                add(list.ids(position..<row.rank), section.name)
                position = row.rank
                add([row.id], row.section)
                next.removeFirst()
            }
            add(list.ids(position..<end), section.name)
            position = end
        }
        for row in next { add([row.id], row.section) }
        sections = members.map { Section(name: $0.name, count: $0.ids.count) }
        list = RowList(members.flatMap(\.ids))
    }
}

/// Sections that are appended from the first to the last, each name once.
private struct SectionRun {
    private(set) var sections: [SectionedRows.Section] = []
    /// Whether each name occurred once.
    private(set) var isInOrder = true
    /// The names of new sections; only these can repeat one.
    private var opened: [String] = []
    /// All names so far, once there are so many that a linear search would be slow.
    private var names: Set<String>?

    /// Adds rows of an old section.
    mutating func append(_ name: String, _ count: Int) {
        if count == 0 { return }
        if let last = sections.indices.last, sections[last].name == name {
            sections[last].count += count
            return
        }
        // Old sections have different names already.
        if names?.contains(name) ?? opened.contains(name) { isInOrder = false }
        add(name, count)
    }

    /// Adds one new row.
    mutating func open(_ name: String) {
        if let last = sections.indices.last, sections[last].name == name {
            sections[last].count += 1
            return
        }
        if names?.contains(name) ?? sections.contains(where: { $0.name == name }) {
            isInOrder = false
        }
        opened.append(name)
        add(name, 1)
        if opened.count == 16 { names = Set(sections.map(\.name)) }
    }

    private mutating func add(_ name: String, _ count: Int) {
        sections.append(.init(name: name, count: count))
        names?.insert(name)
    }
}
