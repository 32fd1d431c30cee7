import ObjectModel
import ObjectStore

/// The sections of a results controller's rows, and the fetch of both.
struct ResultsSections {
    /// The key path of the section's name; `nil` for one section.
    let keyPath: String?
    let cache: ResultsCache?

    func name(of object: ManagedObject) -> String {
        guard let keyPath, let value = try? object.value(forKeyPath: keyPath) else { return "" }
        return value.sectionName
    }

    /// Runs a request.
    ///
    /// Cost: a list of IDs. If the first sort descriptor is the section key path itself, also a
    /// grouped count, or a read of the cache; otherwise an instance of every row.
    ///
    /// - Throws: the fetch's error, or `ObjectGraphError` if the first sort key does not order by
    ///   section.
    func fetch(
        _ description: FetchDescription,
        in context: ManagedObjectContext
    ) throws -> SectionedRows {
        guard let keyPath else {
            let ids = try context.fetchIDs(description)
            return SectionedRows(RowList(ids), [], isSectioned: false)
        }
        if let rows = try counted(description, keyPath, in: context) { return rows }
        let objects = try context.fetchObjects(description)
        var tally = SectionTally(keyPath)
        for object in objects { try tally.add(1, named: name(of: object)) }
        return SectionedRows(RowList(objects.map(\.objectID)), tally.sections, isSectioned: true)
    }

    /// The rows with the sections counted by the store; `nil` if that needs objects.
    private func counted(
        _ description: FetchDescription,
        _ keyPath: String,
        in context: ManagedObjectContext
    ) throws -> SectionedRows? {
        guard let first = description.sortDescriptors.first, first.keyPath == keyPath,
            first.comparison == .binary, first.comparator == nil,
            description.limit == 0, description.offset == 0,
            let store = try context.storeThatAnswersAlone(description, groupedBy: keyPath)
        else { return nil }
        return try context.source.reading(store) {
            let key = cache.flatMap { _ in ResultsCache.key(description, keyPath, store) }
            let list = RowList(try context.fetchIDs(description))
            // Another process may have written between reading the mark and the first read of rows.
            let isCertain = key != nil && key == ResultsCache.key(description, keyPath, store)
            if isCertain, let known = cache?.read(key ?? "", rowCount: list.count) {
                return SectionedRows(list, known, isSectioned: true)
            }
            let sections = try counts(description, keyPath, first.isAscending, in: context)
            guard sections.reduce(0, { $0 + $1.count }) == list.count else { return nil }
            if isCertain, let key { cache?.write(sections, key) }
            return SectionedRows(list, sections, isSectioned: true)
        }
    }

    private func counts(
        _ description: FetchDescription,
        _ keyPath: String,
        _ isAscending: Bool,
        in context: ManagedObjectContext
    ) throws -> [SectionedRows.Section] {
        var grouped = description
        grouped.propertiesToFetch = [
            .init("name", .keyPath(keyPath)),
            .init("count", .function("count:", [.evaluatedObject])),
        ]
        grouped.propertiesToGroupBy = [.init("name", .keyPath(keyPath))]
        grouped.sortDescriptors = [FetchSortDescriptor(keyPath, ascending: isAscending)]
        var tally = SectionTally(keyPath)
        for row in try context.fetchDictionaries(grouped) {
            guard case .int(let count)? = row["count"] else { continue }
            try tally.add(Int(count), named: (row["name"] ?? .null).sectionName)
        }
        return tally.sections
    }
}

/// Consecutive sections, each with its number of rows.
private struct SectionTally {
    private(set) var sections: [SectionedRows.Section] = []
    private var names: Set<String> = []
    private let keyPath: String

    init(_ keyPath: String) { self.keyPath = keyPath }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` if a name
    ///   occurs again after another.
    mutating func add(_ count: Int, named name: String) throws {
        if let last = sections.indices.last, sections[last].name == name {
            sections[last].count += count
            return
        }
        guard names.insert(name).inserted else {
            throw ObjectGraphError(
                .invalidRequest,
                "The rows of section \"\(name)\" are not consecutive: the first sort "
                    + "descriptor does not order by \(keyPath).",
                recovery: "Sort by \(keyPath) first."
            )
        }
        sections.append(.init(name: name, count: count))
    }
}

extension ManagedObjectContext {
    /// The only store that can answer a request grouped by a key path without objects; `nil` if
    /// pending changes matter, or if something is read that is not stored.
    fileprivate func storeThatAnswersAlone(
        _ description: FetchDescription,
        groupedBy keyPath: String
    ) throws -> (any PersistentStore)? {
        // Before the stores are locked.
        settleBelow()
        let entity = try self.entity(of: description)
        let stores = try source.storesToRead(entity)
        guard parent == nil, stores.count == 1, isSingleValue(keyPath, of: entity) else {
            return nil
        }
        let use = KeyPathUse(description.predicate, description.sortDescriptors)
        guard use.isStored(in: entity) else { return nil }
        processPendingChanges()
        return pending.objects.isEmpty ? stores[0] : nil
    }

    /// Whether a key path leads through to-one relationships to an attribute whose values can be
    /// names.
    private func isSingleValue(_ keyPath: String, of entity: EntityDescription) -> Bool {
        var current = entity
        var keys = keyPath.split(separator: ".").map(String.init)[...]
        while let key = keys.popFirst() {
            switch current.propertyInHierarchy(named: key) {
            case let attribute as AttributeDescription where attribute.type == .composite:
                guard let element = keys.popFirst() else { return false }
                keys = ["\(key).\(element)"] + keys
            case let attribute as AttributeDescription:
                return keys.isEmpty && !attribute.isTransient && attribute.type.makesNames
            case let relationship as RelationshipDescription:
                guard !relationship.isToMany, let destination = relationship.destination else {
                    return false
                }
                current = destination
            default: return false
            }
        }
        return false
    }
}

extension AttributeType {
    fileprivate var makesNames: Bool {
        switch self {
        case .string, .integer16, .integer32, .integer64, .boolean, .uuid, .uri: true
        default: false
        }
    }
}

extension GraphValue {
    /// A section's name for the value of its key path; `nil` gives "".
    fileprivate var sectionName: String {
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
