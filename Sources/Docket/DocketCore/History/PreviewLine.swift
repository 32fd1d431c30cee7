import CivilTime
import DocketFormats
public import ObjectGraph

/// The coming change of one item, list or tag, in words.
public struct PreviewLine: Hashable, Sendable {
    public enum Effect: String, Hashable, Sendable {
        /// It is created, or restored.
        case appears = "+"
        case disappears = "-"
        case changes = "~"
    }

    public let effect: Effect
    /// The title, after the number that people type; the user's text, unchanged.
    public let subject: String
    /// The changes, each as `field: before → after`; none for an item that appears or disappears.
    public let details: [String]

    /// The whole line.
    public var text: String {
        "\(effect.rawValue) \(subject)"
            + (details.isEmpty ? "" : "  \(details.joined(separator: "; "))")
    }
}

extension Library {
    /// A preview in words: items first, each once, in the order of their numbers; then lists and
    /// tags.
    ///
    /// Fields that people do not see, such as the time of the last change, are left out.
    public func lines(of preview: HistoryPreview) -> [PreviewLine] {
        PreviewText(self, preview).lines()
    }
}

/// Writes a preview in words.
private struct PreviewText {
    private let library: Library
    private let dates: DateFormat
    private let changes: [HistoryChange]
    private let byID: [ManagedObjectID: HistoryChange]

    init(_ library: Library, _ preview: HistoryPreview) {
        self.library = library
        dates = DateFormat(context: library.clock())
        changes = preview.changes
        byID = Dictionary(changes.map { ($0.objectID, $0) }) { first, _ in first }
    }

    func lines() -> [PreviewLine] {
        var items: [(number: Int64, line: PreviewLine)] = []
        var others: [PreviewLine] = []
        let tags = tagChanges()
        for change in changes {
            let kind = change.objectID.entityName
            switch kind {
            case Task.entityName, Note.entityName, Item.entityName:
                let details = fields(change) + (tags[change.objectID] ?? [])
                if change.kind == .update, details.isEmpty { continue }
                items.append((number(change), itemLine(change, details)))
            case List.entityName, Tag.entityName, Location.entityName:
                let details = change.kind == .update ? nameFields(change) : []
                if change.kind == .update, details.isEmpty { continue }
                let name = text(of: change.objectID, List.Keys.name)
                others.append(line(change, "\(kind.lowercased()) \(name)", details))
            case SavedSearch.entityName:
                let details = change.kind == .update ? searchFields(change) : []
                let name = text(of: change.objectID, SavedSearch.Keys.name)
                others.append(line(change, localized("smart list \(name)"), details))
            default: continue
            }
        }
        // An item whose tags alone change has no change of its own in the history.
        for (id, details) in tags where byID[id] == nil {
            let number = value(of: id, Item.Keys.shortID).number
            let subject = "\(number) \(text(of: id, Item.Keys.title))"
            items.append((number, .init(effect: .changes, subject: subject, details: details)))
        }
        items.sort { $0.number < $1.number }
        return items.map(\.line) + others.sorted { $0.subject < $1.subject }
    }

    private func number(_ change: HistoryChange) -> Int64 {
        value(of: change.objectID, Item.Keys.shortID).number
    }

    private func itemLine(_ change: HistoryChange, _ details: [String]) -> PreviewLine {
        let title = text(of: change.objectID, Item.Keys.title)
        return line(change, "\(number(change)) \(title)", change.kind == .update ? details : [])
    }

    private func line(
        _ change: HistoryChange,
        _ subject: String,
        _ details: [String]
    ) -> PreviewLine {
        let effect: PreviewLine.Effect =
            switch change.kind {
            case .insert: .appears
            case .delete: .disappears
            case .update: .changes
            }
        return PreviewLine(effect: effect, subject: subject, details: details)
    }

    // MARK: Values

    /// The present value, or the coming one if the object does not exist yet.
    private func value(of id: ManagedObjectID, _ key: String) -> GraphValue {
        if let change = byID[id] {
            switch change.kind {
            case .insert: return change.newValues[key] ?? .null
            case .delete: return change.oldValues[key] ?? .null
            case .update: if let old = change.oldValues[key] { return old }
            }
        }
        let object = try? library.context.existingObject(with: id)
        return (try? object?.value(forKey: key)) ?? .null
    }

    private func text(of id: ManagedObjectID, _ key: String) -> String {
        value(of: id, key).text ?? ""
    }

    private func fields(_ change: HistoryChange) -> [String] {
        var result: [String] = []
        func add(_ key: String, _ name: Phrase, _ shown: (GraphValue, Bool) -> String) {
            guard let old = change.oldValues[key], let new = change.newValues[key], old != new
            else { return }
            result.append(localized("\(name): \(shown(old, true)) → \(shown(new, false))"))
        }
        func addMark(_ key: String, _ set: Phrase, _ unset: Phrase) {
            guard let old = change.oldValues[key], let new = change.newValues[key],
                old.isNull != new.isNull
            else { return }
            result.append((new.isNull ? unset : set).text)
        }
        addMark(Item.Keys.trashed, "into the trash", "out of the trash")
        addMark(Task.Keys.completed, "done", "open again")
        add(Item.Keys.title, "title") { value, _ in "\"\(value.text ?? "")\"" }
        add(Item.Keys.list, "list") { value, _ in name(value, none: "Inbox") }
        addDate("due", Task.Keys.due, Task.Keys.dueDateOnly, change, &result)
        addDate("start", Task.Keys.start, Task.Keys.startDateOnly, change, &result)
        add(Task.Keys.priority, "priority") { value, _ in
            ItemChange.priorityName(Int(value.number)).text
        }
        add(Task.Keys.rule, "repeats") { value, _ in value.text ?? localized("never") }
        add(Task.Keys.estimate, "estimate") { value, _ in
            value.isNull ? localized("none") : Estimate.text(seconds: Int(value.number))
        }
        add(Task.Keys.remindTimes, "reminder") { value, _ in
            value.text.map { ReminderTimes.words($0) { dates.absolute($0) } } ?? localized("none")
        }
        add(Task.Keys.location, "location") { value, _ in name(value, none: "none") }
        add(Task.Keys.parent, "part of") { value, _ in name(value, Item.Keys.title, none: "nothing")
        }
        add(Item.Keys.flagged, "flag") { value, _ in
            value == .bool(true) ? localized("yes") : localized("no")
        }
        if change.oldValues[Item.Keys.notes] != nil || change.oldValues[Note.Keys.body] != nil {
            result.append(localized("text"))
        }
        if change.oldValues[Item.Keys.displayOrder] != nil, result.isEmpty {
            result.append(localized("place in order"))
        }
        return result
    }

    private func addDate(
        _ name: Phrase,
        _ key: String,
        _ flag: String,
        _ change: HistoryChange,
        _ result: inout [String]
    ) {
        guard change.oldValues[key] != nil || change.oldValues[flag] != nil else { return }
        func shown(_ values: [String: GraphValue]) -> String {
            let date = values[key] ?? value(of: change.objectID, key)
            guard case .date(let date) = date else { return localized("none") }
            let isDateOnly = (values[flag] ?? value(of: change.objectID, flag)) == .bool(true)
            return dates.relative(DueDate(date: date, isDateOnly: isDateOnly))
        }
        result.append(localized("\(name): \(shown(change.oldValues)) → \(shown(change.newValues))"))
    }

    private func nameFields(_ change: HistoryChange) -> [String] {
        guard let old = change.oldValues[List.Keys.name],
            let new = change.newValues[List.Keys.name]
        else {
            return change.oldValues[List.Keys.displayOrder] == nil
                && change.oldValues[List.Keys.parent] == nil
                ? [] : [localized("place in order")]
        }
        return [localized("name: \(old.text ?? "") → \(new.text ?? "")")]
    }

    /// The changed values of a smart list.
    private func searchFields(_ change: HistoryChange) -> [String] {
        let keys = SavedSearch.Keys.self
        let texts: [(String, Phrase)] = [
            (keys.name, "name"), (keys.query, "search"), (keys.sort, "order"),
            (keys.grouping, "groups"),
        ]
        var result = texts.compactMap { key, name -> String? in
            guard let old = change.oldValues[key], let new = change.newValues[key] else {
                return nil
            }
            return
                "\(name): \(old.text ?? localized("as usual")) → \(new.text ?? localized("as usual"))"
        }
        if let new = change.newValues[keys.hidden] {
            result.append(new == .bool(true) ? localized("hidden") : localized("shown"))
        }
        if change.oldValues[keys.displayOrder] != nil, result.isEmpty {
            result.append(localized("place in order"))
        }
        return result
    }

    private func name(_ value: GraphValue, _ key: String = List.Keys.name, none: Phrase) -> String {
        guard case .objectID(let id) = value else { return none.text }
        return text(of: id, key)
    }

    /// The tags that each item gets and loses; the history has them on one side or the other.
    private func tagChanges() -> [ManagedObjectID: [String]] {
        var result: [ManagedObjectID: [String]] = [:]
        func add(_ sign: String, _ item: ManagedObjectID, _ tag: ManagedObjectID) {
            if byID[item].map({ $0.kind != .update }) ?? false { return }
            result[item, default: []].append("\(sign)#\(text(of: tag, List.Keys.name))")
        }
        for change in changes where change.kind != .delete {
            let id = change.objectID
            for item in change.addedMembers[Tag.Keys.items] ?? []
            where id.entityName == Tag.entityName {
                add("+", item, id)
            }
            for item in change.removedMembers[Tag.Keys.items] ?? []
            where id.entityName == Tag.entityName {
                add("-", item, id)
            }
            for tag in change.addedMembers[Item.Keys.tags] ?? [] { add("+", id, tag) }
            for tag in change.removedMembers[Item.Keys.tags] ?? [] { add("-", id, tag) }
        }
        return result.mapValues { $0.sorted() }
    }
}

extension GraphValue {
    fileprivate var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    fileprivate var number: Int64 {
        if case .int(let number) = self { return number }
        return 0
    }
}
