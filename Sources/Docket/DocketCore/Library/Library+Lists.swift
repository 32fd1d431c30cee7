import DocketFormats
import ObjectGraph

extension Library {
    // MARK: Reading

    /// All lists in display order.
    public func lists() throws -> [List] {
        try refresh()
        return try context.fetch(Library.listsRequest)
    }

    /// The list at a path, or `nil`.
    public func existingList(path: [String]) throws -> List? {
        var parent: List?
        for name in path {
            guard let known = try Library.existingList(name, below: parent, in: context) else {
                return nil
            }
            parent = known
        }
        return parent
    }

    /// All tags by name.
    public func tags() throws -> [Tag] {
        try refresh()
        return try context.fetch(Library.tagsRequest)
    }

    /// Reads from a server what ``lists()`` and ``tags()`` ask for, together; nothing of a file.
    ///
    /// - Throws: the store's error.
    public func readAheadOfListsAndTags() throws {
        let requests = [Library.listsRequest.description, Library.tagsRequest.description]
        try context.readAhead(answering: requests)
    }

    private static var listsRequest: FetchRequest<List> {
        FetchRequest(sortedBy: \.displayOrder)
    }

    private static var tagsRequest: FetchRequest<Tag> {
        FetchRequest(sortedBy: \.name.localizedStandard)
    }

    /// The tags by name, with their open items and all that are not in the trash.
    ///
    /// Cost: two statements.
    public func tagCounts() throws -> [(name: String, open: Int, all: Int)] {
        let (open, all) = (Library.openItems, Library.notTrashed)
        let request = FetchRequest<[String: GraphValue]>(
            of: Tag.self,
            columns: [
                .property(\.name, as: "name"), .count(of: { $0.items.filter(open) }, as: "open"),
                .count(of: { $0.items.filter(all) }, as: "all"),
            ]
        )
        let tags = try tags()
        let rows = try context.fetch(request).map { row in (row["name"] ?? .null, row) }
        let counts = Dictionary(rows) { first, _ in first }
        return tags.map { tag in
            func number(_ column: String) -> Int {
                if case .int(let number)? = counts[.string(tag.name)]?[column] {
                    Int(number)
                } else {
                    0
                }
            }
            return (tag.name, number("open"), number("all"))
        }
    }

    // MARK: Verbs

    /// Creates the list of a path, and missing lists above it.
    ///
    /// - Returns: the list, and the step that created it; no step if the list existed.
    public func addList(path: [String]) throws -> (list: List, step: SavedStep?) {
        try changeAndReturn {
            guard path.contains(where: { !$0.isEmpty }),
                let list = try Library.list(path: path, in: context)
            else { throw Library.namelessList }
            return (list, StepName(.added, StepSubject(list)))
        }
    }

    /// Renames a list; searches of smart lists that name it follow.
    ///
    /// - Returns: the step; `nil` if it has that name already.
    /// - Throws: `InputError` for an empty name, and for that of another list at the same place.
    @discardableResult
    public func rename(_ list: List, to name: String) throws -> SavedStep? {
        let name = CaptureText.cleanLine(name).trimmingSpace
        if name.isEmpty { throw Library.namelessList }
        return try change {
            let former = StepSubject(list)
            if !list.isDeleted, list.name != name {
                let other = try Library.existingList(name, below: list.parent, in: context)
                if let other, other !== list {
                    throw InputError(
                        .conflict,
                        "There is a list with the name \(StepName.quoted(other.name)) already;"
                            + " write another name."
                    )
                }
                try rename(list, keepingSearches: name)
            }
            let rest = " to \(StepName.quoted(name))"
            return StepName(.renamed, former, rest, now: StepSubject(list))
        }
    }

    /// Deletes a list and those below it; their items move to the inbox.
    ///
    /// - Returns: the step; `nil` if somebody else has deleted it.
    @discardableResult
    public func delete(_ list: List) throws -> SavedStep? {
        try change {
            let subject = StepSubject(list)
            if !list.isDeleted { context.delete(list) }
            return StepName(.deleted, subject)
        }
    }

    /// Moves a list among its siblings.
    ///
    /// - Returns: the step; `nil` at the end.
    @discardableResult
    public func move(_ list: List, by places: Int) throws -> SavedStep? {
        try change {
            let name = StepName(.moved, StepSubject(list), places < 0 ? " up" : " down")
            var siblings = try lists().filter { $0.parent === list.parent }
            guard let place = siblings.firstIndex(of: list) else { return name }
            let target = min(max(0, place + places), siblings.count - 1)
            if target == place { return name }
            siblings.remove(at: place)
            siblings.insert(list, at: target)
            for (sibling, rank) in zip(siblings, Ranks.initial(count: siblings.count))
            where sibling.displayOrder != rank {
                sibling.displayOrder = rank
            }
            return name
        }
    }

    private static var namelessList: InputError {
        InputError(.emptyTitle, "A list needs a name; write some words.")
    }
}

extension List {
    /// The names of the lists above this one and its own, outermost first.
    public var path: [String] {
        var names: [String] = []
        var list: List? = self
        while let current = list {
            names.insert(current.name, at: 0)
            list = current.parent
        }
        return names
    }
}
