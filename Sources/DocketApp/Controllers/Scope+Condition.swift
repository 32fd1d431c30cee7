import DocketCore
import FoundationEssentials
import ObjectGraph

extension Scope {
    /// Which items the scope shows.
    func condition(_ context: DateContext, showsDone: Bool) -> Condition<Item> {
        switch self {
        case .smart(let list): list.condition(context, showsDone: showsDone)
        case .list(let id): Condition { $0.list == id } && Scope.shown(showsDone)
        case .tag(let id): Condition { $0.tags.contains(id) } && Scope.shown(showsDone)
        }
    }

    /// Not in the trash and, unless wanted, not done; a done subtask shows while its parent is
    /// there and open, since progress is read from it.
    static func shown(_ showsDone: Bool) -> Condition<Item> {
        if showsDone { return Library.notTrashed }
        return Library.notTrashed
            && Condition.task { task in
                task.completed == nil
                    || task.parent != nil && task.parent.completed == nil
                        && task.parent.trashed == nil
            }
    }

    /// Whether tasks stand under their parents.
    var isTree: Bool {
        switch self {
        case .smart(let list): list.isTree
        case .list, .tag: true
        }
    }

    /// Whether a done task belongs here as the parent of a task that is shown.
    func keeps(_ parent: Task) -> Bool {
        guard parent.completed != nil, parent.trashed == nil else { return false }
        switch self {
        case .smart(.all): return true
        case .smart(.inbox): return parent.list == nil
        case .list(let id): return parent.list?.objectID == id
        case .tag(let id): return parent.tags.contains { $0.objectID == id }
        case .smart: return false
        }
    }

    /// Whether rows tell their list.
    var showsList: Bool {
        if case .list = self { return false }
        return self != .smart(.inbox)
    }
}

extension SmartList {
    /// Which items the list shows.
    func condition(_ context: DateContext, showsDone: Bool) -> Condition<Item> {
        let open = Library.openItems
        switch self {
        case .today:
            let today = context.today
            return open && SmartList.isDue(from: today, before: today.adding(days: 1), context)
        case .overdue:
            return open
                && Condition.task { task in
                    task.dueDateOnly == false && task.due < context.now
                        || task.dueDateOnly == true && task.due < DueDate.noon(context.today)
                }
        case .dueSoon:
            let limit = context.today.adding(days: 8)
            return open
                && SmartList.isDue(
                    (context.now, context.zone.moment(limit)),
                    (DueDate.noon(context.today), DueDate.noon(limit))
                )
        case .highPriority: return open && Condition.task { $0.priority == 3 }
        case .flagged: return open && \.flagged == true
        case .all: return Scope.shown(showsDone)
        case .inbox: return \.list == nil && Scope.shown(showsDone)
        case .done: return Library.notTrashed && Library.isDone
        case .trash: return !Library.notTrashed
        }
    }

    private static func isDue(
        from first: Day,
        before end: Day,
        _ context: DateContext
    ) -> Condition<Item> {
        isDue(
            (context.zone.moment(first), context.zone.moment(end)),
            (DueDate.noon(first), DueDate.noon(end))
        )
    }

    /// Due between two moments, or on a whole day between two.
    private static func isDue(
        _ moments: (first: Date, end: Date),
        _ days: (first: Date, end: Date)
    ) -> Condition<Item> {
        Condition.task { task in
            let isTimed =
                task.dueDateOnly == false && task.due >= moments.first && task.due < moments.end
            let isWhole = task.dueDateOnly == true && task.due >= days.first && task.due < days.end
            return isTimed || isWhole
        }
    }

    /// The order that fits the list, where the user chose none.
    var order: ItemOrder {
        switch self {
        case .today, .overdue, .dueSoon: .due
        case .done: .completed
        case .trash: .trashed
        default: .byHand
        }
    }
}
