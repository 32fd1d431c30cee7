import ObjectModel

/// The rows that an event did not touch, numbered through all sections.
struct BaseRows {
    private var sections: [(name: String, ids: [ManagedObjectID], start: Int)] = []
    private(set) var count = 0

    init(_ snapshot: ResultsSnapshot, without touched: IDFilter) {
        for section in snapshot.sections {
            let ids = touched.removed(from: section.ids)
            sections.append((section.name, ids, count))
            count += ids.count
        }
    }

    subscript(index: Int) -> ManagedObjectID {
        let section = sections[section(of: index)]
        return section.ids[index - section.start]
    }

    /// Calls with the parts of a range that lie in one section each, and the section's name.
    func forEach(_ range: Range<Int>, _ body: (ArraySlice<ManagedObjectID>, String) -> Void) {
        if range.isEmpty { return }
        for index in section(of: range.lowerBound)..<sections.count {
            let section = sections[index]
            if section.start >= range.upperBound { return }
            let part = range.clamped(to: section.start..<section.start + section.ids.count)
            if part.isEmpty { continue }
            let (from, to) = (part.lowerBound - section.start, part.upperBound - section.start)
            body(section.ids[from..<to], section.name)
        }
    }

    private func section(of index: Int) -> Int {
        var low = 0
        var high = sections.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if sections[middle].start <= index { low = middle } else { high = middle }
        }
        return low
    }
}

/// Puts rows that come in order together as sections, each name once.
struct SectionBuilder {
    private var sections: [ResultsSnapshot.Section] = []
    private var indexes: [String: Int] = [:]

    init(isSectioned: Bool) {
        if !isSectioned { open("") }
    }

    var snapshot: ResultsSnapshot { ResultsSnapshot(sections: sections) }

    private mutating func open(_ name: String) {
        indexes[name] = sections.count
        sections.append(.init(name: name, ids: []))
    }

    mutating func append(_ ids: some Collection<ManagedObjectID>, _ name: String) {
        if let last = sections.indices.last, sections[last].name == name {
            sections[last].ids += ids
            return
        }
        if indexes[name] == nil { open(name) }
        if let index = indexes[name] { sections[index].ids += ids }
    }
}

extension Value {
    /// A section's name for the value of its key path; `nil` gives "".
    var sectionName: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .date(let date): "\(date)"
        case .uuid(let uuid): "\(uuid)"
        case .url(let url): "\(url)"
        case .object(let object): object.managedObjectID?.uri ?? ""
        default: kindName
        }
    }
}
