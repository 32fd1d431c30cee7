import DocketCore
import FoundationEssentials
import ObjectGraph

/// The counts to which an item adds.
struct Contribution {
    private(set) var isOpen = false
    private(set) var list: ManagedObjectID?
    private(set) var lists: Set<SmartList> = []

    init(_ item: CountedItem, _ context: DateContext) {
        if item.isTrashed {
            lists = [.trash]
            return
        }
        if item.isDone { return }
        isOpen = true
        list = item.list
        lists.insert(.all)
        if item.list == nil { lists.insert(.inbox) }
        if item.isFlagged { lists.insert(.flagged) }
        if item.priority == 3 { lists.insert(.highPriority) }
        guard let due = item.dueDate else { return }
        let days = due.day(in: context.zone).number - context.today.number
        if days == 0 { lists.insert(.today) }
        if due.isOverdue(in: context) {
            lists.insert(.overdue)
        } else if days <= 7 {
            lists.insert(.dueSoon)
        }
    }

    /// The scopes that count an item with some tags.
    func scopes(tags: Set<ManagedObjectID>) -> [Scope] {
        var scopes = lists.map { Scope.smart($0) }
        guard isOpen else { return scopes }
        if let list { scopes.append(.list(list)) }
        return scopes + tags.map { .tag($0) }
    }
}

/// The values of an item that decide where it counts.
struct CountedItem {
    var isTrashed = false
    var isDone = false
    var isFlagged = false
    var priority = 0
    var due: Date?
    var isDateOnly = false
    var list: ManagedObjectID?

    var dueDate: DueDate? { due.map { DueDate(date: $0, isDateOnly: isDateOnly) } }

    /// Updates values by their keys; others stay, and keys without effect are ignored.
    mutating func take(_ values: [String: GraphValue]) {
        for (key, value) in values {
            switch key {
            case Item.Keys.trashed: isTrashed = !value.isNull
            case Task.Keys.completed: isDone = !value.isNull
            case Item.Keys.flagged: isFlagged = value.flag
            case Task.Keys.priority: priority = value.number
            case Task.Keys.dueDateOnly: isDateOnly = value.flag
            case Task.Keys.due: if case .date(let date) = value { due = date } else { due = nil }
            case Item.Keys.list: if case .objectID(let id) = value { list = id } else { list = nil }
            default: break
            }
        }
    }

    /// Whether a change of these keys can matter.
    static func isConcerned(by keys: some Sequence<String>) -> Bool {
        keys.contains(where: self.keys.contains)
    }

    private static let keys: Set = [
        Item.Keys.trashed, Task.Keys.completed, Item.Keys.flagged, Task.Keys.priority,
        Task.Keys.dueDateOnly, Task.Keys.due, Item.Keys.list,
    ]
}

extension GraphValue {
    fileprivate var flag: Bool {
        switch self {
        case .bool(let flag): flag
        case .int(let number): number != 0
        default: false
        }
    }

    fileprivate var number: Int {
        if case .int(let number) = self { return Int(number) }
        return 0
    }
}
