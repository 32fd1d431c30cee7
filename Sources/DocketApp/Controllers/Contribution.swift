import DocketCore
import FoundationEssentials
import ObjectGraph

/// Which counts an item adds to.
struct Contribution: Hashable {
    var isOpen = false
    var list: ManagedObjectID?
    var lists: Set<SmartList> = []
    /// The tags of a new item, which gets them one by one; `nil` = those that it has, which cost a
    /// look into the store.
    var tags: Set<ManagedObjectID>?

    private struct Values {
        var isTrashed: Bool
        var isDone: Bool
        var isFlagged: Bool
        var priority: Int
        var due: DueDate?
        var list: ManagedObjectID?
    }

    /// What the item adds as it is.
    init(_ item: Item, _ context: DateContext) {
        let task = item as? Task
        self.init(
            Values(
                isTrashed: item.trashed != nil,
                isDone: task?.completed != nil,
                isFlagged: item.flagged,
                priority: Int(task?.priority ?? 0),
                due: task?.dueDate,
                list: item.list?.objectID
            ),
            context
        )
        if isOpen, item.isInserted { tags = Set(item.tags.map(\.objectID)) }
    }

    /// What the item added as it was saved.
    init(committed item: Item, _ context: DateContext) {
        let values = item.committedValues(forKeys: [
            "trashed", "completed", "flagged", "priority", "due", "dueDateOnly", "list",
        ])
        func flag(_ key: String) -> Bool {
            if case .bool(let flag)? = values[key] { return flag }
            if case .int(let number)? = values[key] { return number != 0 }
            return false
        }
        var due: DueDate?
        if case .date(let date)? = values["due"] {
            due = DueDate(date: date, isDateOnly: flag("dueDateOnly"))
        }
        var priority = 0
        if case .int(let number)? = values["priority"] { priority = Int(number) }
        var list: ManagedObjectID?
        if case .objectID(let id)? = values["list"] { list = id }
        self.init(
            Values(
                isTrashed: !(values["trashed"]?.isNull ?? true),
                isDone: !(values["completed"]?.isNull ?? true),
                isFlagged: flag("flagged"),
                priority: priority,
                due: due,
                list: list
            ),
            context
        )
    }

    private init(_ values: Values, _ context: DateContext) {
        if values.isTrashed {
            lists = [.trash]
            return
        }
        if values.isDone { return }
        isOpen = true
        list = values.list
        lists.insert(.all)
        if values.list == nil { lists.insert(.inbox) }
        if values.isFlagged { lists.insert(.flagged) }
        if values.priority == 3 { lists.insert(.highPriority) }
        guard let due = values.due else { return }
        let days = due.day(in: context.zone).number - context.today.number
        if days == 0 { lists.insert(.today) }
        if due.isOverdue(in: context) {
            lists.insert(.overdue)
        } else if days <= 7 {
            lists.insert(.dueSoon)
        }
    }
}
