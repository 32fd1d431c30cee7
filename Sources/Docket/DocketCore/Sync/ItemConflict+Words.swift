public import CivilTime
import DocketFormats
import FoundationEssentials
import ObjectGraph
import ObjectSync
import TimeLanguage

extension ItemConflict {
    /// The field in the language of the interface.
    public var fieldInWords: String { Phrase.step(field) }

    /// Whose value it is: the server's name, or that it was here.
    public var owner: String { isOurs ? localized("here, not \(server)") : server }

    /// The value as lines for people: of a text the first ones that the item does not have.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - format: writes dates.
    ///   - most: how many lines of a text there are at most.
    /// - Returns: at least one line, with control characters as they are, each cut at some hundred
    ///   characters; and how many lines were left out.
    public func lines(
        in item: Item,
        _ format: DateFormat,
        most: Int
    ) -> (lines: [String], more: Int) {
        guard let part = parts.first else { return ([""], 0) }
        if case .string(let text) = part.value, Self.texts.contains(part.property) {
            let former = part.property == Note.Keys.body ? (item as? Note)?.body : item.notes
            return Self.newLines(text, former ?? "", most: most)
        }
        return ([Self.cut(words(part, in: item, format))], 0)
    }

    /// The whole value in words, of an item or a list.
    func words(in object: ManagedObject, _ format: DateFormat) -> String {
        guard let part = parts.first else { return "" }
        if case .string(let text) = part.value, !Self.rules.contains(part.property) { return text }
        return words(part, in: object, format)
    }

    /// Texts that are not what people see.
    private static let rules: Set<String> = [Task.Keys.rule, Task.Keys.remindTimes]
    private static let texts: Set<String> = [Item.Keys.notes, Note.Keys.body]
    /// How much of a line is shown.
    private static let mostBytes = 400

    private static func cut(_ line: String) -> String {
        if line.utf8.count <= mostBytes { return line }
        return String(decoding: line.utf8.prefix(mostBytes), as: UTF8.self) + "…"
    }

    /// The lines of a text that another one does not have.
    private static func newLines(
        _ text: String,
        _ former: String,
        most: Int
    ) -> (lines: [String], more: Int) {
        func split(_ text: String) -> [Substring] {
            text.utf8.split(separator: 10).map { Substring($0) }
        }
        let known = Set(split(former))
        var (lines, more) = ([String](), 0)
        for line in split(text) where !known.contains(line) {
            if lines.count < most { lines.append(cut(String(line))) } else { more += 1 }
        }
        if !lines.isEmpty { return (lines, more) }
        return ([text.isEmpty ? localized("nothing") : localized("the same without some lines")], 0)
    }

    private func words(
        _ part: SyncConflict,
        in item: ManagedObject,
        _ format: DateFormat
    ) -> String {
        let context = format.context
        switch (part.property, part.value) {
        case (Item.Keys.list, .null): return localized("Inbox")
        case (Task.Keys.completed, .null): return localized("not done")
        case (Task.Keys.dueDateOnly, .bool(let isDay)), (Task.Keys.startDateOnly, .bool(let isDay)):
            return isDay ? localized("a day without a time") : localized("with a time")
        case (_, .null): return localized("nothing")
        case (Task.Keys.due, .date(let date)), (Task.Keys.start, .date(let date)):
            let isDay = other("\(part.property)DateOnly", item) == .bool(true)
            return format.full(DueDate(date: date, isDateOnly: isDay))
        case (Task.Keys.completed, .date(let date)):
            return localized("done \(format.ago(date))")
        case (_, .date(let date)): return format.ago(date)
        case (Item.Keys.flagged, .bool(let flag)):
            return flag ? localized("flagged") : localized("not flagged")
        case (Task.Keys.priority, .int(let number)):
            return "\(ItemChange.priorityName(Int(clamping: number)))"
        case (Task.Keys.estimate, .int(let seconds)):
            return Estimate.text(seconds: Int(clamping: seconds))
        case (Task.Keys.anchor, .int(let anchor)):
            return anchor == 1
                ? localized("counted from completion") : localized("counted from the due date")
        case (Task.Keys.rule, .string(let rule)):
            let isLate = other(Task.Keys.anchor, item) == .int(1)
            let series = TaskSeries(rule, isFromCompletion: isLate, in: context)
            return series.map {
                Language.current == .english ? $0.words : $0.repetition.words(.current)
            } ?? rule
        case (Task.Keys.remindTimes, .string(let stored)):
            return ReminderTimes.words(stored) { format.full($0) }
        case (_, .reference(let name)): return target(name, part.property, item)
        case (_, .set(let members)):
            let names = members.compactMap { member -> String? in
                if case .reference(let name) = member {
                    target(name, part.property, item)
                } else {
                    nil
                }
            }
            return names.isEmpty ? localized("nothing") : names.sorted().joined(separator: ", ")
        case (_, .string(let text)): return text
        case (_, .int(let number)): return "\(number)"
        default: return localized("another value")
        }
    }

    /// Another property of the group: as the conflict says, else as the item has it.
    private func other(_ key: String, _ item: ManagedObject) -> GraphValue {
        switch parts.first(where: { $0.property == key })?.value {
        case .bool(let flag): .bool(flag)
        case .int(let number): .int(number)
        default: (try? item.value(forKey: key)) ?? .null
        }
    }

    /// The name of what a value refers to.
    private func target(_ name: String, _ property: String, _ item: ManagedObject) -> String {
        guard let context = item.context, let uuid = UUID(uuidString: name) else {
            return name
        }
        let found: String? =
            switch property {
            case Item.Keys.list:
                (try? List.first(in: context, where: \.uuid == uuid))
                    .map { ListPath.string($0.path) }
            case Task.Keys.parent, Task.Keys.blockedBy:
                (try? Item.first(in: context, where: \.uuid == uuid))?.title
            default: name
            }
        return found ?? localized("something that is deleted")
    }
}
