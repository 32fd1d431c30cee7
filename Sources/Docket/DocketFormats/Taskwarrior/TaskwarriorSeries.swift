import CivilTime
import FoundationEssentials
import Recurrence
import TimeLanguage

/// The occurrences of one series as Taskwarrior has them.
///
/// They are tasks with `parent` and `imask`, and their template has a `mask`.
/// ``TaskwarriorTemplates`` is the reverse.
///
/// A template that was imported is written back with what has become of its occurrences. Another one
/// begins with the open occurrence, so that Taskwarrior makes the same next one. The template of a
/// series that does not go on is `deleted`.
struct TaskwarriorSeries {
    private let uuid: UUID
    private let settings: ExchangeSettings
    private var members: [ItemRecord]

    init(_ uuid: UUID, _ members: [ItemRecord], _ settings: ExchangeSettings) {
        self.uuid = uuid
        self.members = members
        self.settings = settings
    }

    private static var section: String { TaskwarriorRules.section }

    /// The series that an item is written with; `nil` for one alone.
    public static func series(of record: ItemRecord, _ settings: ExchangeSettings) -> UUID? {
        guard record.kind == .task else { return nil }
        if let series = record.series { return series }
        let goesOn = record.isOpen && recur(of: record, settings) != nil
        return goesOn ? TaskSeries.id(begunBy: record.uuid) : nil
    }

    /// The place of an occurrence in the mask, as it was imported.
    public static func index(of record: ItemRecord) -> Int? {
        let text: String
        switch record.extra[section]["imask"] {
        case .number(let number)?: text = number
        case .string(let string)?: text = string
        default: return nil
        }
        return Double(text).flatMap { (0...1_000_000).contains($0) ? Int($0) : nil }
    }

    public static func precedes(_ one: ItemRecord, _ other: ItemRecord) -> Bool {
        if let first = index(of: one), let second = index(of: other) { return first < second }
        return (one.due?.date ?? .distantPast) < (other.due?.date ?? .distantPast)
    }

    /// The period in a form that Taskwarrior reads; without a due date there must not be one.
    public static func recur(of record: ItemRecord, _ settings: ExchangeSettings) -> String? {
        guard let text = record.recurrence, TaskwarriorRules.moment(record.due, settings) != nil
        else { return nil }
        return keptRecur(of: record, text, settings)
            ?? record.period(in: settings.dates)?.taskwarrior
    }

    /// The period that an item without a due date was imported with, which Taskwarrior had itself.
    static func recurWithoutDue(of record: ItemRecord, _ settings: ExchangeSettings) -> String? {
        guard record.due == nil, let text = record.recurrence else { return nil }
        return keptRecur(of: record, text, settings)
    }

    /// The period as it was imported, if the item still has it.
    private static func keptRecur(
        of record: ItemRecord,
        _ text: String,
        _ settings: ExchangeSettings
    ) -> String? {
        guard let kept = record.extra[section]["recur"]?.string else { return nil }
        let former = RecurrencePeriod(taskwarrior: kept)
        let isSame = record.period(in: settings.dates).map { $0.isSame(as: former) } ?? false
        return isSame || CaptureText.cleanLine(kept) == text ? kept : nil
    }

    // MARK: Writing

    public enum Part {
        case member(ItemRecord, recur: String?, lost: [String])
        case template([JSONMember])
    }

    /// The occurrences and their template.
    public var written: [Part] {
        let open = members.filter { record in
            record.isOpen && TaskwarriorSeries.recur(of: record, settings) != nil
        }.max(by: TaskwarriorSeries.precedes)
        var template: [JSONMember]?
        for member in members {
            if case .object(let object)? = member.extra[TaskwarriorSeries.section]["template"] {
                template = object
            }
        }
        guard template != nil || open != nil else { return members.map { alone($0) } }
        var indexes = members.map { TaskwarriorSeries.index(of: $0) }
        if let template {
            number(&indexes, after: template)
        } else if let open, let place = members.firstIndex(of: open) {
            indexes = indexes.map { _ in nil }
            indexes[place] = 0
        }
        var parts = zip(members, indexes).map { part($0, $1) }
        parts.append(.template(self.template(template, open, indexes)))
        return parts
    }

    /// An occurrence of a series that does not go on, and of which there is no template.
    private func alone(_ member: ItemRecord) -> Part {
        let recur =
            keptRecur(member) ?? TaskwarriorSeries.recurWithoutDue(of: member, settings)
        guard recur != nil, TaskwarriorSeries.index(of: member) != nil else {
            let isLost = member.recurrence != nil && recur == nil
            return .member(
                member,
                recur: recur,
                lost: [isLost ? TaskwarriorWriter.noRecurrence : "Its series is not exported."]
            )
        }
        return part(member, TaskwarriorSeries.index(of: member))
    }

    /// The period of an occurrence; of one that does not go on here, what was imported.
    private func keptRecur(_ member: ItemRecord) -> String? {
        if member.recurrence != nil { return TaskwarriorSeries.recur(of: member, settings) }
        guard TaskwarriorRules.moment(member.due, settings) != nil else { return nil }
        return member.extra[TaskwarriorSeries.section]["recur"]?.string
    }

    private func part(_ member: ItemRecord, _ index: Int?) -> Part {
        var record = member
        var extra = record.extra[TaskwarriorSeries.section]
        extra["template"] = nil
        extra["parent"] = .string(UUIDText.lowercase(uuid))
        if index != TaskwarriorSeries.index(of: member) {
            extra["imask"] = index.map { .number("\($0)") }
        }
        var lost: [String] = []
        if let series = record.taskSeries(in: settings.dates) {
            let isChained = series.repetition.isFromCompletion
            if isChained != (extra["rtype"]?.string == "chained") {
                extra["rtype"] = .string(isChained ? "chained" : "periodic")
            }
            if isChained, record.isOpen, member.extra[TaskwarriorSeries.section]["rtype"] == nil {
                lost.append("Taskwarrior 2.6 counts from the due date, not from completion.")
            }
            let end = end(of: record, series)
            if end?.isCount == true {
                lost.append("The number of occurrences becomes the date of the last one.")
            }
            let kept = extra["until"]?.string.flatMap {
                ISODate.moment($0, zone: settings.dates.zone)
            }
            if kept != end?.moment { extra["until"] = end.map { TaskwarriorRules.text($0.moment) } }
        }
        let recur =
            keptRecur(record) ?? TaskwarriorSeries.recurWithoutDue(of: record, settings)
        if record.recurrence != nil, recur == nil { lost.append(TaskwarriorWriter.noRecurrence) }
        record.extra[TaskwarriorSeries.section] = extra
        return .member(record, recur: recur, lost: lost)
    }

    /// When a series ends, from one of its occurrences.
    private func end(
        of record: ItemRecord,
        _ series: TaskSeries
    ) -> (moment: Date, isCount: Bool)? {
        switch series.repetition.rule.parts.end {
        case .never: return nil
        case .until(.day(let day)):
            return (settings.dates.zone.moment(day.adding(days: 1), second: 0) - 1, false)
        case .until(.local(let time)): return (time.moment(in: settings.dates.zone), false)
        case .until(.utc(let time)): return (time.moment(in: .utc), false)
        case .count(let count):
            guard let due = record.due,
                let last = series.due(count - 1, from: due, in: settings.dates)
            else { return nil }
            return (last.beginning(in: settings.dates.zone), true)
        }
    }

    /// Gives occurrences that were not imported their places behind those of a mask: the ones that
    /// their due dates have in the template's period; one from before has no place.
    private func number(_ indexes: inout [Int?], after template: [JSONMember]) {
        let mask = template["mask"]?.string?.utf8.count ?? 0
        var next = max(mask, (indexes.compactMap(\.self).max() ?? -1) + 1)
        let new = members.indices.filter { indexes[$0] == nil }.sorted {
            TaskwarriorSeries.precedes(members[$0], members[$1])
        }
        guard !new.isEmpty else { return }
        let zone = settings.dates.zone
        let first = template["due"]?.string.flatMap { ISODate.moment($0, zone: zone) }
            .map { TaskwarriorRules.due($0, settings) }
        let period = template["recur"]?.string.flatMap { RecurrencePeriod(taskwarrior: $0) }
        var numbers = first.flatMap { first in
            period?.repetition.map { TaskSeries($0).numbers(from: first, in: settings.dates) }
        }
        for place in new {
            let due = members[place].due?.beginning(in: zone) ?? .distantPast
            // A mask has a character for each occurrence.
            let number = numbers?.first(from: due).flatMap { $0 < 1_000_000 ? $0 : nil }
            let offset = number ?? next
            if offset < next, !members[place].isOpen { continue }
            let index = max(next, offset)
            indexes[place] = index
            next = index + 1
        }
    }

    // MARK: The template

    private func template(
        _ kept: [JSONMember]?,
        _ open: ItemRecord?,
        _ indexes: [Int?]
    ) -> [JSONMember] {
        var template = kept ?? open.map { begun(by: $0) } ?? []
        template["mask"] = .string(mask(template["mask"]?.string ?? "", indexes))
        guard let open else {
            // Taskwarrior itself ends it after its last day.
            if template["until"] == nil || members.contains(where: { $0.isOpen }) {
                let end = members.map(\.modified).max() ?? settings.dates.now
                template["status"] = .string("deleted")
                template["end"] = TaskwarriorRules.text(end)
            }
            return template
        }
        template["status"] = .string("recurring")
        let recur = TaskwarriorSeries.recur(of: open, settings)
        let former = template["recur"]?.string.flatMap { RecurrencePeriod(taskwarrior: $0) }
        if let recur, former != RecurrencePeriod(taskwarrior: recur) || former == nil {
            template["recur"] = .string(recur)
        }
        if let series = open.taskSeries(in: settings.dates) {
            let isChained = series.repetition.isFromCompletion
            if isChained != (template["rtype"]?.string == "chained") {
                template["rtype"] = .string(isChained ? "chained" : "periodic")
            }
            let until = template["until"]?.string.flatMap {
                ISODate.moment($0, zone: settings.dates.zone)
            }
            let end = end(of: open, series)?.moment
            if until != end { template["until"] = end.map(TaskwarriorRules.text) }
        }
        return template
    }

    /// A template whose first task is the open occurrence.
    private func begun(by open: ItemRecord) -> [JSONMember] {
        var template = TaskwarriorWriter.object(of: open, settings)
        for name in ["imask", "parent", "annotations", "depends", "end", "template", "start"] {
            template[name] = nil
        }
        template["uuid"] = .string(UUIDText.lowercase(uuid))
        if template["rtype"] == nil { template["rtype"] = .string("periodic") }
        return template
    }

    /// What has become of the occurrences: `-` open, `W` waiting, `+` done, `X` deleted.
    private func mask(_ kept: String, _ indexes: [Int?]) -> String {
        var mask = Array(kept.utf8)
        for (member, index) in zip(members, indexes) {
            guard let index else { continue }
            while mask.count <= index { mask.append(UInt8(ascii: "X")) }
            let extra = member.extra[TaskwarriorSeries.section]
            let isWaiting = extra["status"]?.string == "waiting"
            if member.trashed {
                mask[index] = UInt8(ascii: "X")
            } else if member.completed != nil {
                mask[index] = UInt8(ascii: "+")
            } else {
                mask[index] = UInt8(ascii: isWaiting ? "W" : "-")
            }
        }
        return String(decoding: mask, as: UTF8.self)
    }
}

extension RecurrencePeriod {
    /// Whether another one is as long.
    public func isSame(as other: RecurrencePeriod?) -> Bool {
        other.map { $0.count == count && $0.unit == unit } ?? false
    }
}
