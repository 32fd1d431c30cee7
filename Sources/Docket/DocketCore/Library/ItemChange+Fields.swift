import CivilTime
import FoundationEssentials
import ObjectGraph

// A change in the store's metadata while a long command is running, and the items that it would
// change.

extension ItemChange {
    /// Key paths that are read together with the items.
    var readKeyPaths: [SortKeyPath<Item>] {
        if case .tags = self { [\.tags] } else { [] }
    }

    /// The items that the change affects; `nil` if only each item itself can tell.
    var selection: FetchRequest<ManagedObjectID>? {
        switch self {
        case .complete: FetchRequest(of: Task.self, where: \.completed == nil)
        case .reopen: FetchRequest(of: Task.self, where: \.completed != nil)
        case .trash: FetchRequest(of: Item.self, where: \.trashed == nil)
        case .restore: FetchRequest(of: Item.self, where: \.trashed != nil)
        case .due(let due):
            FetchRequest(of: Task.self, where: ItemChange.isOther(due, \.due, \.dueDateOnly))
        case .start(let start):
            FetchRequest(of: Task.self, where: ItemChange.isOther(start, \.start, \.startDateOnly))
        case .priority(let value):
            FetchRequest(of: Task.self, where: \.priority != Int16(min(max(value, 0), 3)))
        case .flag(let flag): FetchRequest(of: Item.self, where: \.flagged != flag)
        case .list(.inbox): FetchRequest(of: Item.self, where: \.list != nil)
        case .list(.list(let id)):
            FetchRequest(of: Item.self, where: Condition { $0.list != id })
        default: nil
        }
    }

    /// The tasks whose date is not this one.
    private static func isOther(
        _ wanted: DueDate?,
        _ date: RequestKeyPath<Task, Date?>,
        _ isDateOnly: RequestKeyPath<Task, Bool>
    ) -> Condition<Task> {
        guard let wanted else { return date != nil }
        return date != wanted.date || isDateOnly != wanted.isDateOnly
    }

    // MARK: As metadata

    var fields: [String: GraphValue] {
        switch self {
        case .complete: return ["do": .string("complete")]
        case .reopen: return ["do": .string("reopen")]
        case .trash: return ["do": .string("trash")]
        case .restore: return ["do": .string("restore")]
        case .due(let due): return ItemChange.fields("due", due)
        case .start(let start): return ItemChange.fields("start", start)
        case .priority(let value): return ["do": .string("priority"), "value": .int(Int64(value))]
        case .flag(let flag): return ["do": .string("flag"), "value": .bool(flag)]
        case .list(.inbox): return ["do": .string("list")]
        case .list(.list(let id)): return ["do": .string("list"), "value": .int(id.key)]
        case .list(.path(let path)):
            return ["do": .string("list"), "value": .array(path.map { .string($0) })]
        case .tags(let added, let removed):
            return [
                "do": .string("tags"), "added": .array(added.map { .string($0) }),
                "removed": .array(removed.map { .string($0) }),
            ]
        case .location(let name): return ["do": .string("location"), "value": .string(name)]
        case .remind(let stored):
            return ["do": .string("remind"), "value": stored.map { .string($0) } ?? .null]
        // A repeated part would move dates twice, and what only an edit changes has no parts: these
        // are always one transaction.
        default: return [:]
        }
    }

    private static func fields(_ name: String, _ due: DueDate?) -> [String: GraphValue] {
        guard let due else { return ["do": .string(name)] }
        return [
            "do": .string(name), "value": .date(due.date), "day": .bool(due.isDateOnly),
        ]
    }

    init?(fields: [String: GraphValue], in library: Library) {
        guard case .string(let name)? = fields["do"] else { return nil }
        switch (name, fields["value"]) {
        case ("complete", _): self = .complete
        case ("reopen", _): self = .reopen
        case ("trash", _): self = .trash
        case ("restore", _): self = .restore
        case ("due", let date): self = .due(ItemChange.date(date, fields["day"]))
        case ("start", let date): self = .start(ItemChange.date(date, fields["day"]))
        case ("priority", .int(let value)?): self = .priority(Int(value))
        case ("flag", .bool(let flag)?): self = .flag(flag)
        case ("list", nil): self = .list(.inbox)
        case ("list", .int(let key)?):
            guard let id = library.ids(List.entityName, [key]).first else { return nil }
            self = .list(.list(id))
        case ("list", .array(let path)?): self = .list(.path(ItemChange.texts(.array(path))))
        case ("tags", _):
            self = .tags(
                adding: ItemChange.texts(fields["added"]),
                removing: ItemChange.texts(fields["removed"])
            )
        case ("location", .string(let name)?): self = .location(name)
        case ("remind", .string(let stored)?): self = .remind(stored)
        case ("remind", _): self = .remind(nil)
        default: return nil
        }
    }

    private static func date(_ value: GraphValue?, _ isDay: GraphValue?) -> DueDate? {
        guard case .date(let date)? = value else { return nil }
        return DueDate(date: date, isDateOnly: isDay == .bool(true))
    }

    private static func texts(_ value: GraphValue?) -> [String] {
        guard case .array(let values)? = value else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
