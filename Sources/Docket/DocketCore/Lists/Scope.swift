public import CivilTime
public import ObjectGraph

/// What a pane of items shows: a built-in or saved list, a list of the user, or a tag.
public indirect enum Scope: Hashable, Sendable {
    case smart(SmartList)
    case list(ManagedObjectID)
    case tag(ManagedObjectID)
    case days(AgendaSpan)
    /// The open tasks of another one that wait for others, or for which others wait; with the tasks
    /// of other lists for which those of a list or of a tag wait.
    case dependencies(Scope)

    /// Which items the scope shows.
    public func condition(_ context: DateContext, showsDone: Bool) -> Condition<Item> {
        switch self {
        case .smart(let list): list.condition(context, showsDone: showsDone)
        case .list(let id): Condition { $0.list == id } && Scope.shown(showsDone, context)
        case .tag(let id): Condition { $0.tags.contains(id) } && Scope.shown(showsDone, context)
        case .days(let span): span.condition(context, showsDone: showsDone)
        case .dependencies(let scope): scope.dependencies(context)
        }
    }

    /// See ``dependencies(_:)``.
    private func dependencies(_ context: DateContext) -> Condition<Item> {
        let isConnected = QueryRelation.blocked.condition || QueryRelation.blocking.condition
        let own = Library.openItems && condition(context, showsDone: false) && isConnected
        switch self {
        case .list(let id):
            return own
                || Library.openItems
                    && Condition.task { task in
                        task.blocks.any {
                            $0.completed == nil && $0.trashed == nil && $0.list == id
                        }
                    }
        case .tag(let id):
            return own
                || Library.openItems
                    && Condition.task { task in
                        task.blocks.any {
                            $0.completed == nil && $0.trashed == nil && $0.tags.contains(id)
                        }
                    }
        case .smart, .days, .dependencies: return own
        }
    }

    /// Whether it is a drawing of what waits for what.
    public var isDependencies: Bool { if case .dependencies = self { true } else { false } }

    /// Not in the trash and, unless wanted, not done; a done subtask shows while its parent is
    /// there and open, since progress is read from it.
    ///
    /// What was done before the days of the settings is in the lists of done things alone.
    static func shown(_ showsDone: Bool, _ context: DateContext) -> Condition<Item> {
        if showsDone {
            guard let days = context.settings.archiveDays else { return Library.notTrashed }
            let first = context.zone.moment(context.today.adding(days: -days))
            return Library.notTrashed
                && Condition.task { task in
                    task.completed == nil || task.completed >= first
                        || task.parent != nil && task.parent.completed == nil
                            && task.parent.trashed == nil
                }
        }
        return Library.notTrashed
            && Condition.task { task in
                task.completed == nil
                    || task.parent != nil && task.parent.completed == nil
                        && task.parent.trashed == nil
            }
    }

    /// The order where the user chose none.
    public var order: (order: ItemOrder, isReversed: Bool) {
        switch self {
        case .smart(let list): (list.order, list.isReversed)
        case .days: (.due, false)
        case .list, .tag, .dependencies: (.byHand, false)
        }
    }

    /// The groups that the list has where the user chose none; `nil` if it has no opinion.
    public var grouping: ItemGrouping? {
        switch self {
        case .smart(let list): list.grouping
        case .days, .dependencies: ItemGrouping.none
        case .list, .tag: nil
        }
    }

    /// Whether tasks are shown below their parents.
    public var isTree: Bool {
        switch self {
        case .smart(let list): list.isTree
        case .days, .dependencies: false
        case .list, .tag: true
        }
    }

    /// Whether rows name the list of their item.
    public var showsList: Bool {
        switch self {
        case .smart(let list): list.showsList
        case .list: false
        case .tag, .days: true
        case .dependencies(let scope): scope.showsList
        }
    }

    /// Whether the row of an item at a level names its list: a subtask below its parent does not
    /// repeat the parent's list.
    public func namesList(of item: Item, depth: Int) -> Bool {
        switch self {
        case .dependencies(.list(let id)): item.list?.objectID != id
        case .dependencies: showsList
        default: showsList && depth == 0
        }
    }

    /// Whether done tasks are shown where the user wants to see them.
    public var canShowDone: Bool {
        switch self {
        case .smart(let list): list.completion == .openOrDone
        case .dependencies: false
        case .list, .tag, .days: true
        }
    }

    /// Whether it is about things that are in the trash.
    public var isTrash: Bool {
        if case .smart(let list) = self { list.completion == .trashed } else { false }
    }

    /// Whether it is about things that are done.
    public var isDone: Bool {
        if case .smart(let list) = self { list.completion == .done } else { false }
    }

    /// Why it is empty, one sentence.
    public func emptyText(_ context: DateContext) -> String {
        switch self {
        case .smart(let list): list.emptyText(context)
        case .list: localized("Nothing is open in this list.")
        case .tag: localized("Nothing open has this tag.")
        case .days: localized("Nothing is due.")
        case .dependencies: localized("No open task here waits for another one.")
        }
    }

    /// Whether a done task belongs here as the parent of a task that is shown.
    public func keeps(_ parent: Task, _ context: DateContext) -> Bool {
        guard parent.completed != nil, parent.trashed == nil else { return false }
        switch self {
        case .smart(let list):
            guard list.isTree, list.completion == .openOrDone else { return false }
            return (try? list.rule(context).predicate.evaluate(with: parent)) ?? false
        case .list(let id): return parent.list?.objectID == id
        case .tag(let id): return parent.tags.contains { $0.objectID == id }
        case .days, .dependencies: return false
        }
    }
}
