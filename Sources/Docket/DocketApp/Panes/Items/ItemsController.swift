import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI
import TextSearch

/// The state of the items pane: scope, order, selection and marks.
///
/// It holds IDs; objects are created for the visible rows. Changes of the store arrive through a
/// results controller and mark the lines as stale; ``prepare()`` updates them, once for all changes
/// since the last frame.
///
/// Split by concern: `+Loading`, `+Rows`, `+Selection`.
final class ItemsController: ChangeFollower {
    let library: Library
    var scope: Scope
    var list = ListView()
    var lines = ItemsLines() { didSet { knownHiddenMarks = nil } }
    /// The marked items, also those that the list does not show.
    var marks: Set<ManagedObjectID> = [] { didSet { knownHiddenMarks = nil } }
    /// How many of them the list does not show, if it was counted.
    var knownHiddenMarks: Int?
    /// The item that was marked last, where a range begins.
    var lastMarked: ManagedObjectID?
    /// Whether commands are about the marked items; else about the selected one alone.
    var takesMarks: () -> Bool = { true }
    /// What is folded among subtasks, and in the drawing of dependencies.
    private var folds: [Bool: Set<ManagedObjectID>] = [:]
    var folded: Set<ManagedObjectID> {
        get { folds[scope.isDependencies] ?? [] }
        set { folds[scope.isDependencies] = newValue }
    }
    var showsDone = false
    /// The groups that the user chose, for lists that have none of their own, and by scope.
    var chosenGrouping = ItemGrouping.none
    var groupings: [Scope: ItemGrouping] = [:]
    /// The orders that the user chose, by scope.
    var orders: [Scope: (order: ItemOrder, isReversed: Bool)] = [:]
    /// The results of a search, in order; `nil` without one.
    var found: (ids: [ManagedObjectID], query: SearchQuery)?
    /// The objects of the visible rows and of those near them.
    var objects: [ManagedObjectID: Item] = [:]
    private(set) lazy var subtasks = Subtasks(library: library)
    let dependencies = OpenDependencies()
    var missedCounts = MissedCounts()
    /// What an agenda shows, if the scope is one.
    var agenda = Agenda()
    var laterOccurrences = LaterOccurrences()
    /// How many tasks wait for others, in the drawing of dependencies.
    var waitingCount = 0
    /// Whether a value of an item was not taken.
    var isInConflict: (ManagedObjectID) -> Bool = { _ in false }
    /// How many tasks are overdue, if it is known; and how many were when the lines were made.
    var overdueCount: () -> Int? = { nil }
    var shownOverdueCount: Int?
    var isStale = false
    /// The item to select when the lines are built next, such as one that was just added.
    var wanted: ManagedObjectID?
    /// The occurrence to select then: where one that is not there yet has moved.
    var wantedLater: (id: ManagedObjectID, date: DueDate)?

    /// Returns the approximate number of items of a scope, if it is known without a query.
    var expectedCount: (Scope) -> Int? = { _ in nil }
    var results: FetchedResultsController<Item>?
    /// The first items, which are shown while all are fetched; `nil` after that.
    var firstRows: ResultsIDs?
    /// The running fetch of all items; see `+Loading`.
    var loading: ItemsLoading?
    var parents: [ManagedObjectID: ManagedObjectID] = [:]
    /// The items that have subtasks among the items.
    var parentIDs: Set<ManagedObjectID> = []
    let background: Background
    /// How many items are fetched at once; this takes some milliseconds.
    let itemsAtOnce: Int

    init(library: Library, background: Background, scope: Scope, itemsAtOnce: Int) {
        self.library = library
        self.itemsAtOnce = itemsAtOnce
        self.background = background
        self.scope = scope
    }

    // MARK: What is shown

    var order: (order: ItemOrder, isReversed: Bool) {
        orders[scope] ?? scope.order
    }

    var grouping: ItemGrouping { groupings[scope] ?? scope.grouping ?? chosenGrouping }

    /// Divides the shown list; a list with groups of its own keeps the choice for itself.
    func group(_ grouping: ItemGrouping) {
        if scope.grouping == nil { chosenGrouping = grouping } else { groupings[scope] = grouping }
    }

    /// Takes another value of the shown scope, and fetches its items if they may be others.
    func follow(_ now: Scope) throws {
        guard case .smart(let old) = scope, case .smart(let new) = now, !old.isSame(as: new) else {
            return
        }
        if (old.order, old.isReversed) != (new.order, new.isReversed) { orders[scope] = nil }
        if old.grouping != new.grouping { groupings[scope] = nil }
        scope = now
        try refetch()
    }

    /// Shows another scope from its top, or fetches the same one again.
    ///
    /// Many items are fetched on another thread; until they arrive the first ones are shown, or
    /// none if those take too long.
    func show(_ scope: Scope) throws {
        let isSame = scope == self.scope
        self.scope = scope
        found = nil
        try fetch(keepsOld: isSame)
        makeLines(keeping: isSame)
    }

    /// Shows the results of a search, or the list again.
    func show(found: (ids: [ManagedObjectID], query: SearchQuery)?) {
        self.found = found
        makeLines(keeping: true)
    }

    /// Stops following changes and releases the objects; call ``refetch()`` afterwards.
    func forgetResults() {
        loading?.task.cancel()
        loading = nil
        results = nil
        objects = [:]
        dependencies.forget()
    }

    /// Runs the fetch again, after a change of the order or the clock.
    func refetch() throws {
        try fetch(keepsOld: true)
        makeLines(keeping: true)
    }

    /// The query of the pane, which any thread can run.
    var query: ItemsQuery {
        ItemsQuery(
            scope: scope,
            showsDone: showsDone,
            sorting: sorting,
            clock: library.clock()
        )
    }

    /// The order and the groups of the pane.
    private var sorting: ItemSorting {
        let (order, isReversed) = order
        var sorting = ItemSorting(order, isReversed: isReversed, grouping: grouping)
        sorting.hasDaysLast = scope == .smart(.overdue)
        return sorting
    }

    /// Whether tasks are shown below their parents.
    var isTree: Bool { query.isTree }

    /// Whether a search filters the pane.
    var isSearching: Bool { found != nil }

    /// The number of items without a search.
    var total: Int { results?.count ?? 0 }

    /// The items without a search, in order.
    var unsearchedRows: ResultsIDs { firstRows ?? results?.ids ?? ResultsIDs() }

    // MARK: Changes

    func follow(_ change: ObjectsDidChange) {
        if change.invalidatedAll { objects = [:] }
        subtasks.forget(after: change)
        dependencies.forget(after: change)
        for object in change.deleted {
            objects[object.objectID] = nil
            marks.remove(object.objectID)
        }
        for object in change.inserted.union(change.updated).union(change.refreshed) {
            guard let task = object as? Task, isTree else { continue }
            let parent = task.parent?.objectID
            loading?.parents[task.objectID] = .some(parent)
            guard parents[task.objectID] != parent else { continue }
            parents[task.objectID] = parent
            isStale = true
        }
    }

    /// Updates the lines if something has changed.
    func prepare() {
        guard isStale || (wanted != nil && !isIncomplete) || hasOtherOverdueCount else { return }
        makeLines(keeping: true)
    }

    /// Builds the lines; the selection stays on its item, or at its place if the item was deleted.
    func makeLines(keeping: Bool) {
        isStale = false
        let selected = keeping ? wanted ?? selectedID : nil
        let line = keeping && wanted == nil ? selectedLine : nil
        // If the item is not among the first ones, look for it among all.
        if !isIncomplete { wanted = nil }
        parents = resolved(parents)
        parentIDs = Set(parents.values)
        if marks.contains(where: \.isTemporaryID) { marks = Set(marks.map(resolve)) }
        var arrangement = ItemArrangement(folded: folded)
        if let found {
            lines = ItemsLines(found: found.ids)
        } else if let span {
            lines = ItemsLines(agendaLines(span))
        } else if scope.isDependencies {
            lines = ItemsLines(dependencyLines())
        } else {
            if isTree { arrange(&arrangement) }
            let rows = withEmptyLast(unsearchedRows)
            if grouping != .none {
                let context = library.clock()
                let sorting = sorting
                arrangement.group = { [library] id in
                    (library.context.object(with: id) as? Item)
                        .map { sorting.place(of: $0, context) } ?? .init(name: "")
                }
            }
            lines = withExtendedLifetime(grouping == .none ? [] : items(rows)) {
                arrangement.lines(byDay(rows))
            }
        }
        restoreSelection(selected, keeping: keeping)
        if span != nil, !isSearching, let place = line.flatMap(agendaPlace) { list.select(place) }
        wantedLater = nil
        if let place = line.flatMap(dependencyPlace) { list.select(place) }
    }

    /// A done task stays visible, at its place, while it has open subtasks.
    private func arrange(_ arrangement: inout ItemArrangement) {
        arrangement.parents = parents
        arrangement.kept = { [unowned self, library, scope] ids in
            items(ids).compactMap { item in
                guard let task = item as? Task, scope.keeps(task, library.clock()) else {
                    return nil
                }
                return .init(id: task.objectID, parent: task.parent?.objectID)
            }
        }
        let (order, isReversed) = order
        guard order == .byHand, !isReversed else { return }
        arrangement.place = { [library] id, ids in
            func rank(_ id: ManagedObjectID) -> Int64 {
                (library.context.object(with: id) as? Item)?.displayOrder ?? .max
            }
            let wanted = rank(id)
            var low = 0
            var high = ids.count
            while low < high {
                let middle = (low + high) / 2
                if rank(ids[middle]) < wanted { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private func restoreSelection(_ selected: ManagedObjectID?, keeping: Bool) {
        let id = selected.map(resolve)
        let selection = id.flatMap(lines.index)
        if !keeping { list = ListView(count: lines.count) }
        list.update(
            count: lines.count,
            selection: selection ?? (keeping ? list.selection : 0)
        )
        skipHeading(down: true)
    }

    /// Items without a value are sorted first; an order by date has them last.
    private func withEmptyLast(_ ids: ResultsIDs) -> ResultsIDs {
        guard sorting.empty == .lastOfAll else { return ids }
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            let task = library.context.object(with: ids[middle]) as? Task
            if task?.due == nil { low = middle + 1 } else { high = middle }
        }
        if low == 0 { return ids }
        let all = Array(ids)
        return ResultsIDs(Array(all[low...] + all[..<low]))
    }

    /// Brings whole days before or behind the times of the day.
    private func byDay(_ ids: ResultsIDs) -> ResultsIDs {
        let sorting = sorting
        guard sorting.isByDay(ids.count) else { return ids }
        let rows = items(ids).map { (id: $0.objectID, due: ($0 as? Task)?.dueDate) }
        return ResultsIDs(sorting.byDay(rows, in: library.clock().zone))
    }

    /// New items have another ID once they are saved.
    private func resolve(_ id: ManagedObjectID) -> ManagedObjectID {
        id.isTemporaryID ? library.context.object(with: id).objectID : id
    }

    private func resolved(
        _ parents: [ManagedObjectID: ManagedObjectID]
    ) -> [ManagedObjectID: ManagedObjectID] {
        guard parents.contains(where: { $0.key.isTemporaryID || $0.value.isTemporaryID }) else {
            return parents
        }
        var result: [ManagedObjectID: ManagedObjectID] = [:]
        for (child, parent) in parents { result[resolve(child)] = resolve(parent) }
        return result
    }

    /// Whether an item has subtasks among the items.
    func hasChildren(_ id: ManagedObjectID) -> Bool {
        hasTree && parentIDs.contains(id)
    }

    /// Whether any item is below another.
    var hasTree: Bool { (isTree || scope.isDependencies) && !isSearching && !parentIDs.isEmpty }
}
