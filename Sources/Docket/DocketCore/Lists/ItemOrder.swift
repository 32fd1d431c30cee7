import CivilTime
import DocketFormats
public import ObjectGraph

/// The order of the items pane.
public enum ItemOrder: String, CaseIterable, Sendable {
    case byHand = "hand"
    case due
    case priority
    case title
    case created
    case modified
    case completed
    case trashed

    public var title: Phrase {
        switch self {
        case .byHand: "by hand"
        case .due: "by due date"
        case .priority: "by priority"
        case .title: "by title"
        case .created: "newest first"
        case .modified: "last changed first"
        case .completed: "last done first"
        case .trashed: "last trashed first"
        }
    }

    public func keys(reversed: Bool) -> [SortKey<Item>] {
        let hand = SortKey<Item>(\.displayOrder)
        let main: [SortKey<Item>] =
            switch self {
            case .byHand: [hand]
            case .due: [SortKey { $0.as(Task.self).due.ascending }, hand]
            case .priority: [SortKey { $0.as(Task.self).priority.descending }, hand]
            case .title: [SortKey(\.title.localizedStandard), hand]
            case .created: [SortKey(\.created.descending), hand]
            case .modified: [SortKey(\.modified.descending), hand]
            case .completed: [SortKey { $0.as(Task.self).completed.descending }, hand]
            case .trashed: [SortKey(\.trashed.descending), hand]
            }
        guard reversed, let first = main.first else { return main }
        return [first.descending] + main.dropFirst()
    }

    /// Whether items without a value belong at the end, although `nil` sorts first.
    public var isEmptyLast: Bool { self == .due }
}

/// The groups of the items pane.
public enum ItemGrouping: String, CaseIterable, Sendable {
    case none
    case list
    case due
    case priority
    case kind

    public var title: Phrase {
        switch self {
        case .none: "no groups"
        case .list: "by list"
        case .due: "by due date"
        case .priority: "by priority"
        case .kind: "by kind"
        }
    }

    /// The first sort descriptors, so that the items of a group are consecutive.
    public var order: [SortKey<Item>] {
        switch self {
        case .none, .kind: []
        case .list: [SortKey(\.list.displayOrder), SortKey(\.list.name)]
        case .due: [SortKey { $0.as(Task.self).due.ascending }]
        case .priority: [SortKey { $0.as(Task.self).priority.descending }]
        }
    }

    /// The name of the group of an item with some values; without groups it is empty.
    func name(
        list: () -> [String],
        isNote: Bool,
        priority: Int,
        due: DueDate?,
        _ context: DateContext
    ) -> String {
        switch self {
        case .none: return ""
        case .list:
            let path = list()
            return path.isEmpty ? localized("Inbox") : ListPath.string(path)
        case .kind: return isNote ? localized("Notes") : localized("Tasks")
        case .priority:
            let names =
                ["No priority", "Low priority", "Medium priority", "High priority"] as [Phrase]
            return names[min(max(0, priority), 3)].text
        case .due: return ItemGrouping.dueName(due, context)
        }
    }

    private static func dueName(_ due: DueDate?, _ context: DateContext) -> String {
        guard let due else { return localized("No date") }
        if due.isOverdue(in: context) { return localized("Overdue") }
        let distance = due.day(in: context.zone).number - context.today.number
        switch distance {
        case ...0: return localized("Today")
        case 1: return localized("Tomorrow")
        case 2...7: return localized("Next 7 days")
        default: return localized("Later")
        }
    }
}
