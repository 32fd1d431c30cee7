import ObjectGraph

/// A column of a table of items; the raw value is its name in an export.
enum CSVColumn: String, CaseIterable {
    case id, kind, title, list, parent, tags, due, start, priority, completed
    case created, modified, notes, text
    case repetition = "repeat"
    case fromCompletion = "from completion"
    case series, estimate, reminders, location, flagged, reviewed
    case dependencies = "waits for"
    case timeEntries = "time entries"
    // Of other programs; an export says it in another column.
    case area, section, status, percent, dueTime, deadline, indent, duration, durationUnit
    case isAllDay, zone

    /// The columns of an export, in their order.
    static let exported = allCases.prefix { $0 != .area }

    /// Other names, in lower case.
    ///
    /// Those of other programs are in the tables that their documentation or exports show: Todoist ("Format a CSV file to import into Todoist"), TickTick (backup 7.1),
    /// Microsoft Outlook and To Do (`Subject`, `% Complete`), and converters from Things.
    private static let synonyms: [String: CSVColumn] = [
        "uuid": .id, "uid": .id, "taskid": .id, "task id": .id,
        "type": .kind,
        "task": .title, "content": .title, "name": .title, "summary": .title, "subject": .title,
        "task name": .title, "todo": .title, "to-do": .title,
        "project": .list, "list name": .list, "project name": .list, "list title": .list,
        "task list": .list, "folder": .list,
        "area": .area, "folder name": .area, "area title": .area,
        "heading": .section, "section": .section,
        "parentid": .parent, "parent id": .parent, "parent task": .parent,
        "tag": .tags, "labels": .tags, "label": .tags, "categories": .tags, "contexts": .tags,
        "due date": .due, "duedate": .due, "due on": .due, "date": .due,
        "deadline": .deadline, "due time": .dueTime,
        "start date": .start, "startdate": .start, "when": .start, "scheduled": .start,
        "importance": .priority,
        "done": .completed, "completed at": .completed, "completed time": .completed,
        "completed date": .completed, "completion date": .completed, "date completed": .completed,
        "status": .status, "state": .status, "% complete": .percent,
        "created at": .created, "created time": .created, "creation date": .created,
        "date created": .created, "created date": .created,
        "modified at": .modified, "modification date": .modified, "updated": .modified,
        "updated at": .modified, "last modified": .modified,
        "note": .notes, "description": .notes, "details": .notes, "comment": .notes,
        "comments": .notes,
        "repetition": .repetition, "recurrence": .repetition, "recurring": .repetition,
        "reminder": .reminders, "starred": .flagged, "flag": .flagged,
        "place": .location, "indent": .indent, "duration": .duration,
        "duration_unit": .durationUnit, "is all day": .isAllDay, "timezone": .zone,
        "depends on": .dependencies, "blocked by": .dependencies, "effort": .estimate,
    ]

    /// The column of a name in any letter case; `nil` for another program's own.
    static func named(_ name: String) -> CSVColumn? {
        let name = name.lowercased().trimmingSpace
        return synonyms[name] ?? exported.first { $0.rawValue == name }
    }
}

/// Programs whose tables have rules of their own.
enum CSVDialect {
    /// Names mean what they say; numbers of priority count from the highest, 1.
    case any
    /// Rows are tasks, sections and comments; levels are numbers.
    case todoist
    /// Lines about the file, then the names; times are in UTC, states and priorities are numbers.
    case tickTick

    init(_ names: [String]) {
        let names = Set(names.map { $0.lowercased() })
        if names.isSuperset(of: ["type", "content", "indent"]) {
            self = .todoist
        } else if names.isSuperset(of: ["list name", "title", "is check list"]) {
            self = .tickTick
        } else {
            self = .any
        }
    }

    /// What Things writes in place of a date, where a task has none.
    static let undated: Set = ["someday", "anytime"]

    /// Whether a text begins with the names of a table of items: a title, and another known one.
    static func recognises(_ beginning: String) -> Bool {
        if beginning.hasPrefix("\"Date: "), beginning.contains("\"Version: ") { return true }
        let line = beginning.prefix { !$0.isNewline }
        var rows = CSVRows(bytes: Array(line.utf8), separator: nil)
        guard let row = try? rows.next(), row.allSatisfy({ !$0.text.isEmpty }) else { return false }
        let columns = row.compactMap { CSVColumn.named($0.text) }
        return columns.contains(.title) && columns.count > 1 && columns.count * 2 > row.count
    }

    /// 3 for the highest; `nil` for an unknown word.
    func priority(_ text: String) -> Int? {
        switch (self, text.lowercased()) {
        case (.tickTick, "5"): 3
        case (.tickTick, "3"): 2
        case (.tickTick, "1"): 1
        case (_, "high"), (_, "highest"), (_, "urgent"), (_, "h"), (_, "a"), (_, "1"), (_, "p1"): 3
        case (_, "medium"), (_, "med"), (_, "m"), (_, "b"), (_, "2"), (_, "p2"): 2
        case (_, "low"), (_, "lowest"), (_, "l"), (_, "c"), (_, "3"), (_, "p3"): 1
        case (_, "none"), (_, "normal"), (_, "0"), (_, "4"), (_, "p4"): 0
        default: nil
        }
    }

    static func name(ofPriority number: Int) -> String {
        ["", "low", "medium", "high"][max(0, min(3, number))]
    }
}

/// Lengths of time as hours and minutes.
enum ClockText {
    /// `1:30`, with seconds only if there are some.
    static func string(_ seconds: Int) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let rest = seconds % 60 == 0 ? "" : ":" + two(seconds % 60)
        return "\(seconds / 3600):" + two(seconds / 60 % 60) + rest
    }

    /// The seconds of `1:30`, `1:30:05` or `90` (minutes); `nil` for anything else, and for more than
    /// a thousand days.
    static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count < 9 && !$0.hasPrefix("+") ? Int($0) : nil }
        guard numbers.count == parts.count, parts.count <= 3,
            numbers.allSatisfy({ $0 >= 0 }), numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        let seconds =
            numbers.count == 1
            ? numbers[0] * 60
            : numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
        return seconds <= 86_400_000 ? seconds : nil
    }
}
