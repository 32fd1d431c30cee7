public import CivilTime
public import ObjectGraph

/// What a pane of items shows: a built-in or saved list, a list of the user, or a tag.
public enum Scope: Hashable, Sendable {
    case smart(SmartList)
    case list(ManagedObjectID)
    case tag(ManagedObjectID)
    case days(AgendaSpan)

    /// Which items the scope shows.
    public func condition(_ context: DateContext, showsDone: Bool) -> Condition<Item> {
        switch self {
        case .smart(let list): list.condition(context, showsDone: showsDone)
        case .list(let id): Condition { $0.list == id } && Scope.shown(showsDone, context)
        case .tag(let id): Condition { $0.tags.contains(id) } && Scope.shown(showsDone, context)
        case .days(let span): span.condition(context, showsDone: showsDone)
        }
    }

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
        case .list, .tag: (.byHand, false)
        }
    }

    /// The groups that the list has where the user chose none; `nil` if it has no opinion.
    public var grouping: ItemGrouping? {
        switch self {
        case .smart(let list): list.grouping
        case .days: ItemGrouping.none
        case .list, .tag: nil
        }
    }

    /// Whether tasks are shown below their parents.
    public var isTree: Bool {
        switch self {
        case .smart(let list): list.isTree
        case .days: false
        case .list, .tag: true
        }
    }

    /// Whether rows name the list of their item.
    public var showsList: Bool {
        switch self {
        case .smart(let list): list.showsList
        case .list: false
        case .tag, .days: true
        }
    }

    /// Whether done tasks are shown where the user wants to see them.
    public var canShowDone: Bool {
        if case .smart(let list) = self { list.completion == .openOrDone } else { true }
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
        case .list: "Nothing is open in this list."
        case .tag: "Nothing open has this tag."
        case .days: "Nothing is due."
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
        case .days: return false
        }
    }
}
