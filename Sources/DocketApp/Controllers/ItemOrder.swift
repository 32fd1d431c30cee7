import DocketCore
import ObjectGraph

/// The order of the items pane.
package enum ItemOrder: String, CaseIterable, Sendable {
    case byHand = "hand"
    case due
    case priority
    case title
    case created
    case modified
    case completed
    case trashed

    var title: String {
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

    func descriptors(reversed: Bool) -> [FetchSortDescriptor] {
        let hand = FetchSortDescriptor("displayOrder")
        let main: [FetchSortDescriptor] =
            switch self {
            case .byHand: [hand]
            case .due: [FetchSortDescriptor("due"), hand]
            case .priority: [FetchSortDescriptor("priority", ascending: false), hand]
            case .title: [FetchSortDescriptor("title", comparison: .localizedStandard), hand]
            case .created: [FetchSortDescriptor("created", ascending: false), hand]
            case .modified: [FetchSortDescriptor("modified", ascending: false), hand]
            case .completed: [FetchSortDescriptor("completed", ascending: false), hand]
            case .trashed: [FetchSortDescriptor("trashed", ascending: false), hand]
            }
        guard reversed, let first = main.first else { return main }
        return [first.reversed] + main.dropFirst()
    }

    /// The key whose missing values belong at the end, although `nil` is sorted first.
    var emptyLastKey: String? { self == .due ? "due" : nil }
}

/// The groups of the items pane.
package enum ItemGrouping: String, CaseIterable, Sendable {
    case none
    case list
    case due
    case priority
    case kind

    var title: String {
        switch self {
        case .none: "no groups"
        case .list: "by list"
        case .due: "by due date"
        case .priority: "by priority"
        case .kind: "by kind"
        }
    }

    /// The first sort descriptors, so that the items of a group are consecutive.
    var descriptors: [FetchSortDescriptor] {
        switch self {
        case .none, .kind: []
        case .list: [FetchSortDescriptor("list.displayOrder"), FetchSortDescriptor("list.name")]
        case .due: [FetchSortDescriptor("due")]
        case .priority: [FetchSortDescriptor("priority", ascending: false)]
        }
    }

    /// The name of an item's group.
    func name(of item: Item, _ context: DateContext) -> String {
        switch self {
        case .none: return ""
        case .list: return item.list.map { ListPath.string($0.path) } ?? "Inbox"
        case .kind: return item is Note ? "Notes" : "Tasks"
        case .priority:
            let names = ["No priority", "Low priority", "Medium priority", "High priority"]
            return names[min(max(0, Int((item as? Task)?.priority ?? 0)), 3)]
        case .due: return ItemGrouping.dueName((item as? Task)?.dueDate, context)
        }
    }

    private static func dueName(_ due: DueDate?, _ context: DateContext) -> String {
        guard let due else { return "No date" }
        if due.isOverdue(in: context) { return "Overdue" }
        let distance = due.day(in: context.zone).number - context.today.number
        switch distance {
        case ...0: return "Today"
        case 1: return "Tomorrow"
        case 2...7: return "Next 7 days"
        default: return "Later"
        }
    }
}
