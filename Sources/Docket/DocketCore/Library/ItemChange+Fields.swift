import CivilTime
import FoundationEssentials
import ObjectGraph

// A change in the store's metadata while a long command is running, and the items that it would
// change.

extension ItemChange {
    /// Key paths that are read together with the items.
    var readKeyPaths: [SortKeyPath<Item>] {
        switch self {
        case .tags, .onlyTags: [\.tags]
        default: []
        }
    }

    /// The items that the change affects; `nil` if only each item itself can tell.
    var selection: FetchRequest<ManagedObjectID>? {
        switch self {
        case .complete: FetchRequest(of: Task.self, where: \.completed == nil)
        case .reopen: FetchRequest(of: Task.self, where: \.completed != nil)
        case .trash: FetchRequest(of: Item.self, where: \.trashed == nil)
        case .restore, .purge: FetchRequest(of: Item.self, where: \.trashed != nil)
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
        case .purge: return ["do": .string("purge")]
        case .due(let due): return ItemChange.fields("due", due)
        case .start(let start): return ItemChange.fields("start", start)
        case .priority(let value): return ["do": .string("priority"), "value": .int(Int64(value))]
        case .review: return ["do": .string("review")]
        case .flag(let flag): return ["do": .string("flag"), "value": .bool(flag)]
        case .list(.inbox): return ["do": .string("list")]
        case .list(.list(let id)): return ["do": .string("list"), "value": .int(id.key)]
        case .list(.path(let path)): return ["do": .string("list"), "value": .texts(path)]
        case .tags(let added, let removed):
            return ["do": .string("tags"), "added": .texts(added), "removed": .texts(removed)]
        case .onlyTags(let names): return ["do": .string("onlyTags"), "value": .texts(names)]
        case .title(let title): return ItemChange.fields("title", title)
        case .notes(let notes): return ItemChange.fields("notes", notes)
        case .body(let text): return ItemChange.fields("body", text)
        case .repeats(let text): return ItemChange.fields("repeats", text)
        case .location(let name): return ItemChange.fields("location", name)
        case .remind(let stored): return ItemChange.fields("remind", stored)
        case .estimate(let seconds):
            return ["do": .string("estimate"), "value": seconds.map { .int(Int64($0)) } ?? .null]
        case .parent(let id):
            return ["do": .string("parent"), "value": id.map { .int($0.key) } ?? .null]
        case .waits(let numbers): return ["do": .string("waits"), "value": .numbers(numbers)]
        case .blocks(let numbers): return ["do": .string("blocks"), "value": .numbers(numbers)]
        case .blockers(let added, let removed):
            return [
                "do": .string("blockers"), "added": .numbers(added), "removed": .numbers(removed),
            ]
        // A repeated part would move dates twice: these are always one transaction.
        case .shiftDue, .shiftStart, .postpone: return [:]
        }
    }

    private static func fields(_ name: String, _ text: String?) -> [String: GraphValue] {
        ["do": .string(name), "value": text.map { .string($0) } ?? .null]
    }

    private static func fields(_ name: String, _ due: DueDate?) -> [String: GraphValue] {
        guard let due else { return ["do": .string(name)] }
        return [
            "do": .string(name), "value": .date(due.date), "day": .bool(due.isDateOnly),
        ]
    }

    init?(_ value: GraphValue, in library: Library) {
        guard case .dictionary(let fields) = value, case .string(let name)? = fields["do"] else {
            return nil
        }
        switch (name, fields["value"]) {
        case ("complete", _): self = .complete
        case ("reopen", _): self = .reopen
        case ("trash", _): self = .trash
        case ("restore", _): self = .restore
        case ("purge", _): self = .purge
        case ("review", _): self = .review
        case ("due", let date): self = .due(ItemChange.date(date, fields["day"]))
        case ("start", let date): self = .start(ItemChange.date(date, fields["day"]))
        case ("priority", .int(let value)?): self = .priority(Int(value))
        case ("flag", .bool(let flag)?): self = .flag(flag)
        case ("list", nil): self = .list(.inbox)
        case ("list", .int(let key)?):
            guard let id = library.ids(List.entityName, [key]).first else { return nil }
            self = .list(.list(id))
        case ("list", let path?): self = .list(.path(path.texts))
        case ("tags", _):
            let (added, removed) = (fields["added"]?.texts, fields["removed"]?.texts)
            self = .tags(adding: added ?? [], removing: removed ?? [])
        case ("blockers", _):
            let (added, removed) = (fields["added"]?.numbers, fields["removed"]?.numbers)
            self = .blockers(adding: added ?? [], removing: removed ?? [])
        case ("onlyTags", let names?): self = .onlyTags(names.texts)
        case ("title", .string(let title)?): self = .title(title)
        case ("notes", let notes): self = .notes(notes?.texts.first)
        case ("body", let text): self = .body(text?.texts.first)
        case ("repeats", .string(let text)?): self = .repeats(text)
        case ("location", .string(let name)?): self = .location(name)
        case ("remind", let stored): self = .remind(stored?.texts.first)
        case ("estimate", let seconds): self = .estimate(seconds?.numbers.first.map { Int($0) })
        case ("parent", let key):
            self = .parent(library.ids(Task.entityName, key?.numbers ?? []).first)
        case ("waits", let numbers?): self = .waits(numbers.numbers)
        case ("blocks", let numbers?): self = .blocks(numbers.numbers)
        default: return nil
        }
    }

    private static func date(_ value: GraphValue?, _ isDay: GraphValue?) -> DueDate? {
        guard case .date(let date)? = value else { return nil }
        return DueDate(date: date, isDateOnly: isDay == .bool(true))
    }
}

extension GraphValue {
    fileprivate static func texts(_ texts: [String]) -> GraphValue {
        .array(texts.map { .string($0) })
    }

    fileprivate static func numbers(_ numbers: [Int64]) -> GraphValue {
        .array(numbers.map { .int($0) })
    }

    /// The texts of a list, or one alone.
    fileprivate var texts: [String] {
        switch self {
        case .array(let values): values.flatMap(\.texts)
        case .string(let text): [text]
        default: []
        }
    }

    fileprivate var numbers: [Int64] {
        switch self {
        case .array(let values): values.flatMap(\.numbers)
        case .int(let number): [number]
        default: []
        }
    }
}
