import DocketCore
import FoundationEssentials
import ObjectGraph

extension Scope {
    /// The items of the scope.
    func predicate(_ context: DateContext, showsDone: Bool) throws -> FetchPredicate {
        switch self {
        case .smart(let list): return try list.predicate(context, showsDone: showsDone)
        case .list(let id):
            return .and([
                try FetchPredicate(format: "list == %@", id), try Scope.shown(showsDone),
            ])
        case .tag(let id):
            return .and([
                try FetchPredicate(format: "ANY tags == %@", id), try Scope.shown(showsDone),
            ])
        }
    }

    /// Not in the trash and, unless wanted, not done.
    ///
    /// A done subtask is shown while its parent exists and is open, because it is part of the
    /// parent's progress.
    static func shown(_ showsDone: Bool) throws -> FetchPredicate {
        try FetchPredicate(
            format: showsDone
                ? "trashed == nil"
                : "trashed == nil AND (completed == nil"
                    + " OR (parent != nil AND parent.completed == nil AND parent.trashed == nil))"
        )
    }

    /// Whether tasks are shown below their parents.
    var isTree: Bool {
        switch self {
        case .smart(let list): list.isTree
        case .list, .tag: true
        }
    }

    /// Whether a done task is shown here as the parent of a shown task.
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

    /// Whether rows show their list.
    var showsList: Bool {
        if case .list = self { return false }
        return self != .smart(.inbox)
    }
}

extension SmartList {
    func predicate(_ context: DateContext, showsDone: Bool) throws -> FetchPredicate {
        let open = "trashed == nil AND completed == nil"
        switch self {
        case .today:
            let today = context.today
            return try SmartList.due(
                from: today,
                before: today.adding(days: 1),
                context,
                prefix: open
            )
        case .overdue:
            return try FetchPredicate(
                format: "\(open) AND ((dueDateOnly == NO AND due < %@)"
                    + " OR (dueDateOnly == YES AND due < %@))",
                context.now,
                DueDate.noon(context.today)
            )
        case .dueSoon:
            let limit = context.today.adding(days: 8)
            return try FetchPredicate(
                format: "\(open) AND ((dueDateOnly == NO AND due >= %@ AND due < %@)"
                    + " OR (dueDateOnly == YES AND due >= %@ AND due < %@))",
                context.now,
                context.zone.moment(limit),
                DueDate.noon(context.today),
                DueDate.noon(limit)
            )
        case .highPriority: return try FetchPredicate(format: "\(open) AND priority == 3")
        case .flagged: return try FetchPredicate(format: "\(open) AND flagged == YES")
        case .all: return try Scope.shown(showsDone)
        case .inbox:
            return .and([try FetchPredicate(format: "list == nil"), try Scope.shown(showsDone)])
        case .done:
            return try FetchPredicate(format: "trashed == nil AND completed != nil")
        case .trash: return try FetchPredicate(format: "trashed != nil")
        }
    }

    private static func due(
        from first: Day,
        before end: Day,
        _ context: DateContext,
        prefix: String
    ) throws -> FetchPredicate {
        try FetchPredicate(
            format: "\(prefix) AND ((dueDateOnly == NO AND due >= %@ AND due < %@)"
                + " OR (dueDateOnly == YES AND due >= %@ AND due < %@))",
            context.zone.moment(first),
            context.zone.moment(end),
            DueDate.noon(first),
            DueDate.noon(end)
        )
    }

    /// The default order of the list.
    var order: ItemOrder {
        switch self {
        case .today, .overdue, .dueSoon: .due
        case .done: .completed
        case .trash: .trashed
        default: .byHand
        }
    }
}
