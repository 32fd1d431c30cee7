import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectSync

// An item of a format and a record of the engine say the same; what a server cannot hold is left out
// of its record, and so stays here.

extension ItemRecord {
    /// The item that a record is; `nil` for a record of something else.
    init?(_ record: SyncRecord) {
        guard record.key.entity == SyncEntities.item, let uuid = UUID(uuidString: record.key.name)
        else { return nil }
        func text(_ key: String) -> String? {
            if case .string(let text)? = record.values[key] { text } else { nil }
        }
        func number(_ key: String) -> Int64? {
            if case .int(let number)? = record.values[key] { number } else { nil }
        }
        func date(_ key: String) -> Date? {
            if case .date(let date)? = record.values[key] { date } else { nil }
        }
        func day(_ key: String) -> DueDate? {
            date(key).map {
                DueDate(date: $0, isDateOnly: record.values["\(key)DateOnly"] == .bool(true))
            }
        }
        func names(_ key: String) -> [String] { (record.values[key] ?? .null).names }
        self.init(
            uuid: uuid,
            title: text("title") ?? "",
            created: date("created") ?? record.modified,
            modified: record.modified
        )
        kind = record.kind == "Note" ? .note : .task
        (notes, body) = (text("notes"), text("body"))
        tags = names("tags")
        flagged = record.values["flagged"] == .bool(true)
        order = number("displayOrder")
        trashed = date("trashed") != nil
        (due, start, completed) = (day("due"), day("start"), date("completed"))
        priority = ItemRecord.priority(number("priority") ?? 0)
        recurrence = text("rule")
        repeatsFromCompletion = number("anchor") == 1
        if case .uuid(let id)? = record.values["series"] { series = id }
        reminders = text("remindTimes")?.split(separator: " ").map(String.init) ?? []
        estimate = number("estimate").map { Int($0) }
        location = names("location").first
        parent = names("parent").first.flatMap { UUID(uuidString: $0) }
        extra = ForeignFields(stored: text("extra"))
        dependencies = names("blockedBy").compactMap { UUID(uuidString: $0) }
    }

    /// The record of an item of a server.
    ///
    /// - Parameters:
    ///   - list: the reference to its list; `nil` if the server has no lists.
    ///   - extra: what only the server knows of it.
    /// - Returns: the record.
    func syncRecord(list: SyncValue?, extra: Data?) -> SyncRecord {
        func text(_ text: String?) -> SyncValue {
            text.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
        }
        func date(_ date: Date?) -> SyncValue { date.map { .date($0) } ?? .null }
        func reference(_ name: String?) -> SyncValue { name.map { .reference($0) } ?? .null }
        var values: [String: SyncValue] = [
            "title": .string(title), "notes": text(notes), "created": .date(created),
            "flagged": .bool(flagged), "trashed": .null,
            "tags": .set(Set(tags.map { .reference($0) })),
        ]
        if let list { values["list"] = list }
        if let order { values["displayOrder"] = .int(order) }
        if kind == .note {
            values["body"] = text(body)
        } else {
            for (key, day) in [("due", due), ("start", start)] {
                values[key] = date(day?.date)
                values["\(key)DateOnly"] = .bool(day?.isDateOnly ?? false)
            }
            values["completed"] = date(completed)
            values["priority"] = .int(Int64(priority))
            values["rule"] = text(recurrence)
            if let series { values["series"] = .uuid(series) }
            values["remindTimes"] = text(reminders.joined(separator: " "))
            values["estimate"] = estimate.map { .int(Int64($0)) } ?? .null
            values["location"] = reference(location)
            values["parent"] = reference(parent?.uuidString)
            values["blockedBy"] = .set(Set(dependencies.map { .reference($0.uuidString) }))
        }
        return SyncRecord(
            SyncKey(entity: SyncEntities.item, name: uuid.uuidString),
            kind: kind == .note ? "Note" : "Task",
            values: values,
            modified: modified,
            extra: extra
        )
    }
}

extension SyncValue {
    /// The names that it refers to, sorted.
    var names: [String] {
        switch self {
        case .reference(let name): [name]
        case .set(let members): members.flatMap(\.names).sorted()
        case .list(let members): members.flatMap(\.names)
        default: []
        }
    }
}
