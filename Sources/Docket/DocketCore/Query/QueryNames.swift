import DocketFormats
public import ObjectGraph

/// The lists, tags and locations that a search can name, read when one is named for the first time.
public final class QueryNames {
    /// All of them, as they were at a moment.
    public struct Table: Hashable, Sendable {
        var lists: [ListName] = []
        var tags: [TagName] = []
        var locations: [LocationName] = []
        var conflicts: [ManagedObjectID] = []

        /// No names.
        public init() {}
    }

    public struct ListName: Hashable, Sendable {
        public let id: ManagedObjectID
        public let path: [String]
        let folded: [String]
        let foldedPath: String
    }

    public struct TagName: Hashable, Sendable {
        public let id: ManagedObjectID
        public let name: String
        let folded: String
        let foldedWithSign: String
    }

    public struct LocationName: Hashable, Sendable {
        public let id: ManagedObjectID
        public let name: String
        let folded: String
    }

    private let library: Library?
    private var error: (any Error)?

    public init(_ library: Library) { self.library = library }

    /// Those of a moment.
    public init(_ table: Table) {
        library = nil
        lists = table.lists
        tags = table.tags
        locations = table.locations
        conflicts = table.conflicts
    }

    /// No lists and no tags, for searches that name none.
    static var none: QueryNames { QueryNames(Table()) }

    /// All of them, read now.
    ///
    /// - Parameter hasConflicts: whether a search may ask for items in conflict.
    /// - Returns: the names.
    /// - Throws: the store's error.
    public func table(conflicts hasConflicts: Bool = false) throws -> Table {
        var table = Table()
        (table.lists, table.tags, table.locations) = (lists, tags, locations)
        if hasConflicts { table.conflicts = conflicts }
        try check()
        return table
    }

    public private(set) lazy var lists: [ListName] = read { library in
        try library.lists().map { list in
            let path = list.path
            return ListName(
                id: list.objectID,
                path: path,
                folded: path.map(QueryNames.folded),
                foldedPath: QueryNames.folded(path.joined(separator: "/"))
            )
        }
    }

    public private(set) lazy var tags: [TagName] = read { library in
        try library.tags().map { tag in
            let (name, folded) = (tag.name, QueryNames.folded(tag.name))
            return TagName(
                id: tag.objectID,
                name: name,
                folded: folded,
                foldedWithSign: "#" + folded
            )
        }
    }

    public private(set) lazy var locations: [LocationName] = read { library in
        try library.locations().map {
            LocationName(id: $0.objectID, name: $0.name, folded: QueryNames.folded($0.name))
        }
    }

    /// The items that have values which an exchange with a server has not taken.
    private(set) lazy var conflicts: [ManagedObjectID] = read { library in
        try library.conflictedItems().items.sorted { $0.raw < $1.raw }
    }

    /// Whether there is an item with one of some numbers; true where only names of a moment are known.
    ///
    /// - Complexity: one statement.
    func hasItem(of numbers: [Int64]) -> Bool {
        guard let library else { return true }
        do {
            return try library.count(Condition<Item> { $0.shortID.in(numbers) }) > 0
        } catch {
            self.error = self.error ?? error
            return true
        }
    }

    private func read<Name>(_ body: (Library) throws -> [Name]) -> [Name] {
        guard let library else { return [] }
        do { return try body(library) } catch {
            self.error = self.error ?? error
            return []
        }
    }

    /// - Throws: the store's error, if names could not be read.
    func check() throws {
        if let error { throw error }
    }

    static func folded(_ text: String) -> String {
        TextFolding.fold(text, options: [.caseInsensitive, .diacriticInsensitive])
    }

    // MARK: Lists

    /// The path of a list as the value of a search, before quotes: a name that is a word of the
    /// language, such as `none`, gets a backslash.
    static func written(_ path: [String]) -> String {
        let text = ListPath.string(path)
        return QueryCompiler.isWord(text) ? "\\\(text)" : text
    }

    /// The lists of a path and those below them; a list may be named by the end of its path.
    func lists(at path: [String], alone: Bool) -> [ManagedObjectID] {
        let wanted = path.map(QueryNames.folded)
        let exact = lists.filter { $0.folded == wanted }
        let named = exact.isEmpty ? lists.filter { $0.folded.ends(with: wanted) } : exact
        if alone { return named.map(\.id) }
        return lists.filter { list in named.contains { list.folded.starts(with: $0.folded) } }
            .map(\.id)
    }

    /// The lists whose path has a folded text.
    func lists(containing folded: String) -> [ManagedObjectID] {
        lists.filter { $0.foldedPath.utf8Contains(folded) }.map(\.id)
    }

    /// Whether the store's search finds the same lists, which looks at their own names only.
    func areFoundByName(listsContaining folded: String) -> Bool {
        lists.allSatisfy { list in
            list.folded.last?.utf8Contains(folded) == list.foldedPath.utf8Contains(folded)
        }
    }

    // MARK: Tags

    func tags(named name: String) -> [ManagedObjectID] {
        let wanted = QueryNames.folded(name)
        return tags.filter { $0.folded == wanted }.map(\.id)
    }

    /// The tags that have a folded text in their name with its sign.
    func tags(containing folded: String) -> [ManagedObjectID] {
        tags.filter { $0.foldedWithSign.utf8Contains(folded) }.map(\.id)
    }

    /// Whether the store's search finds the same tags, which looks at their names without sign.
    func areFoundByName(tagsContaining folded: String) -> Bool {
        tags.allSatisfy { $0.folded.utf8Contains(folded) == $0.foldedWithSign.utf8Contains(folded) }
    }
}

extension String {
    /// Whether the bytes of another text occur in this one.
    fileprivate func utf8Contains(_ part: String) -> Bool {
        // `firstRange(of:)` is generic at run time, which costs a hundred times as much.
        var (text, part) = (self, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                var start = 0
                while start + part.count <= text.count {
                    if text[start..<start + part.count].elementsEqual(part) { return true }
                    start += 1
                }
                return false
            }
        }
    }
}

extension [String] {
    fileprivate func ends(with other: [String]) -> Bool { suffix(other.count).elementsEqual(other) }
}
