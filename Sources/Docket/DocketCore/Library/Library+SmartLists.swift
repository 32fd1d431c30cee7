import CivilTime
import DocketFormats
import ObjectGraph

/// What the user says of a smart list.
public struct SmartListValues: Hashable, Sendable {
    public var name: String
    public var query: String
    /// `nil` for the usual order.
    public var sort: SortWord?
    /// `nil` for the groups of the pane.
    public var grouping: ItemGrouping?
    public var isHidden: Bool

    public init(
        name: String,
        query: String,
        sort: SortWord? = nil,
        grouping: ItemGrouping? = nil,
        isHidden: Bool = false
    ) {
        self.name = name
        self.query = query
        self.sort = sort
        self.grouping = grouping
        self.isHidden = isHidden
    }

    /// Those of a list as it is.
    public init(_ list: SmartList) {
        self.init(
            name: list.title,
            query: list.query,
            sort: SortWord(list.order, isReversed: list.isReversed),
            grouping: list.grouping,
            isHidden: list.isHidden
        )
    }
}

// A saved list is a row; a built-in one gets a row when it is changed, and loses it when it is set
// back.
extension Library {
    /// The longest name of a smart list, in characters.
    public static let longestListName = 200

    /// All smart lists as they are now.
    ///
    /// Cost: one statement; two more, for lists and tags, if there are saved searches.
    public func smartLists() throws -> SmartLists {
        try refresh()
        let rows = try SavedSearch.all(in: context, sortedBy: \.displayOrder)
        smartListRows = rows
        if rows.isEmpty { return .unchanged }
        let word = QueryState.conflict.rawValue
        let hasConflicts = rows.contains { $0.query.lowercased().contains(word) }
        return SmartLists(
            rows: rows,
            names: try QueryNames(self).table(conflicts: hasConflicts)
        )
    }

    /// Saves a search as a list, below the other ones.
    ///
    /// - Throws: `InputError` for a name that is empty or taken, and for a search that is not
    ///   understood.
    public func addSmartList(
        _ values: SmartListValues
    ) throws -> (list: SmartList, step: SavedStep?) {
        let (row, step) = try changeAndReturn {
            let lists = try smartLists()
            let values = try checked(values, for: nil, among: lists)
            let row = SavedSearch(context: context)
            let last = lists.all.last { $0.section == .focus }
            row.displayOrder = Ranks.behind(last?.rank ?? 0)
            fill(row, values)
            return (row, StepName(.added, StepSubject(.smartList, count: 1, title: row.name)))
        }
        guard let list = try smartLists().list(of: row.objectID) else { throw goneList }
        return (list, step)
    }

    /// Gives a list other values; of a built-in one the name stays.
    ///
    /// - Returns: the step; `nil` if the list has them already.
    /// - Throws: `InputError` as ``addSmartList(_:)``, and for a list that was deleted.
    @discardableResult
    public func edit(_ list: SmartList, _ values: SmartListValues) throws -> SavedStep? {
        try change {
            let lists = try smartLists()
            guard let list = lists.current(list) else { throw goneList }
            let former = SmartListValues(list)
            if values == former { return StepName(.edited, StepSubject(list)) }
            // What is not changed stays as it is, also a search that is not understood any more.
            let values = try checked(values, for: list, among: lists)
            let row = try row(of: list)
            var names: [String] = []
            if values.name != former.name { names.append("name") }
            if values.query != former.query { names.append("search") }
            if values.sort != former.sort { names.append("order") }
            if values.grouping != former.grouping { names.append("groups") }
            if values.isHidden != former.isHidden {
                names.append(values.isHidden ? "hidden" : "shown")
            }
            fill(row, values, former: list.isBuiltIn ? former : nil)
            if names == ["name"] {
                let rest = " to \(StepName.quoted(values.name))"
                let now = StepSubject(.smartList, count: 1, title: values.name)
                return StepName(.renamed, StepSubject(list), rest, now: now)
            }
            return StepName(.edited, StepSubject(list), ": " + names.joined(separator: ", "))
        }
    }

    /// Deletes a saved list, or sets a built-in one back to what it was.
    ///
    /// - Returns: the step; `nil` if somebody else has done it.
    @discardableResult
    public func delete(_ list: SmartList) throws -> SavedStep? {
        try change {
            let list = try smartLists().current(list) ?? list
            // Two windows may have changed a built-in list at the same time.
            let rows = try SavedSearch.all(in: context, sortedBy: \.displayOrder).filter {
                list.isBuiltIn ? $0.builtIn == list.id : $0.objectID == list.row
            }
            for row in rows { context.delete(row) }
            return StepName(list.isBuiltIn ? .restored : .deleted, StepSubject(list))
        }
    }

    /// Moves a list past its shown neighbours in its part of the lists pane.
    ///
    /// - Returns: the step; `nil` at the end.
    @discardableResult
    public func move(_ list: SmartList, by places: Int) throws -> SavedStep? {
        try change {
            let name = StepName(.moved, StepSubject(list), places < 0 ? " up" : " down")
            var shown = try smartLists().shown(in: list.section)
            guard let place = shown.firstIndex(of: list) else { return name }
            let target = min(max(0, place + places), shown.count - 1)
            if target == place { return name }
            let moved = shown.remove(at: place)
            let before = shown[..<target].reversed().map(\.rank)
            let after = shown[target...].map(\.rank)
            let placement = Ranks.place(
                before: { Array(before.prefix($0)) },
                after: { Array(after.prefix($0)) }
            )
            for rank in placement.placed { try row(of: moved).displayOrder = rank }
            for (list, rank) in zip(shown[..<target].reversed(), placement.before) {
                try row(of: list).displayOrder = rank
            }
            for (list, rank) in zip(shown[target...], placement.after) {
                try row(of: list).displayOrder = rank
            }
            return name
        }
    }

    /// The smart list of a name that people write.
    ///
    /// - Throws: `InputError` with the names that there are.
    public func smartList(named name: String) throws -> SmartList {
        let lists = try smartLists()
        if let list = lists.named(name) { return list }
        let saved = lists.all.filter { !$0.isBuiltIn }.prefix(10).map { StepName.quoted($0.title) }
        throw InputError(
            .badReference,
            "There is no smart list \(StepName.quoted(name)). Built-in lists: \(SmartList.names)."
                + (saved.isEmpty
                    ? "" : " Saved lists: \(saved.joined(separator: ", ")).")
        )
    }

    // MARK: Values

    /// The row of a list; a new one for a built-in list as it is.
    private func row(of list: SmartList) throws -> SavedSearch {
        if let id = list.row {
            guard let row = try context.existingObject(with: id) as? SavedSearch else {
                throw goneList
            }
            return row
        }
        let row = SavedSearch(context: context)
        row.builtIn = list.id
        row.name = list.title
        return row
    }

    /// Writes the values; of a built-in list those that differ from its former ones.
    private func fill(
        _ row: SavedSearch,
        _ values: SmartListValues,
        former: SmartListValues? = nil
    ) {
        if former == nil { row.name = values.name }
        if values.query != former?.query { row.query = values.query }
        if values.sort != former?.sort { row.sort = values.sort?.text }
        if values.grouping != former?.grouping { row.grouping = values.grouping?.rawValue }
        if row.hidden != values.isHidden { row.hidden = values.isHidden }
    }

    /// The values as they are stored.
    private func checked(
        _ values: SmartListValues,
        for list: SmartList?,
        among lists: SmartLists
    ) throws -> SmartListValues {
        var checked = values
        checked.name = CaptureText.cleanLine(values.name).trimmingSpace
        checked.query = CaptureText.cleanLine(values.query).trimmingSpace
        if list?.isBuiltIn != true, checked.name != list?.title {
            try check(name: checked.name, for: list, among: lists)
        }
        if checked.query != list?.query {
            let filter = try filter(checked.query)
            if let refusal = filter.refusal { throw InputError(.malformed, "\(refusal)") }
        }
        return checked
    }

    private func check(name: String, for list: SmartList?, among lists: SmartLists) throws {
        if name.isEmpty || QueryNames.folded(name).isEmpty {
            throw InputError(.emptyTitle, "A smart list needs a name; write some words.")
        }
        if name.count > Library.longestListName {
            throw InputError(
                .tooMuch,
                "The name has more than \(Library.longestListName) characters; write a shorter one."
            )
        }
        if name.lowercased().hasPrefix("lists/") {
            throw InputError(
                .malformed,
                "A name that begins with lists/ means a folder; write another one."
            )
        }
        // `docket list tag:home` is a search.
        if !name.contains(" "), try filter(name).namesFields {
            throw InputError(
                .malformed,
                "\(StepName.quoted(name)) reads as a search; write another name."
            )
        }
        if let other = lists.named(name), other != list {
            let kind = other.isBuiltIn ? localized("built-in") : localized("smart")
            throw InputError(
                .conflict,
                "There is a \(kind) list with the name \(StepName.quoted(other.title)) already;"
                    + " write another name."
            )
        }
    }

    private var goneList: InputError {
        InputError(.badReference, "The smart list was deleted meanwhile; save it as a new one.")
    }
}
