/// A field of an item, as reports name it.
public enum RecordField: String, CaseIterable {
    case title, notes, body, list, tags, due, start, priority
    case completed = "done"
    case created, trashed, flagged, reviewed, location
    case recurrence = "repetition"
    case repeatsFromCompletion = "repetition from completion"
    case series, reminder, reminders, estimate, parent
    case dependencies = "waits for"
    case timeEntries = "time entries"
    case extra = "fields of other programs"

    /// Whether only tasks have it.
    public var isOfTasks: Bool {
        switch self {
        case .due, .start, .priority, .completed, .location, .recurrence,
            .repeatsFromCompletion, .series, .reminder, .reminders, .estimate, .parent,
            .dependencies, .timeEntries:
            true
        default: false
        }
    }
}

extension ItemRecord {
    /// The fields in which two records differ, except order, number, kind and time of change.
    ///
    /// Lists and tags are the same in any letter case, as in the library.
    public func fields(unlike other: ItemRecord) -> [RecordField] {
        RecordField.allCases.filter { field in
            switch field {
            case .title: title != other.title
            case .notes: notes != other.notes
            case .body: body != other.body
            case .list: list.folded != other.list.folded
            case .tags: Set(tags.folded) != Set(other.tags.folded)
            case .due: due != other.due
            case .start: start != other.start
            case .priority: priority != other.priority
            case .completed: completed != other.completed
            case .created: created != other.created
            case .trashed: trashed != other.trashed
            case .flagged: flagged != other.flagged
            case .reviewed: reviewed != other.reviewed
            case .location: location != other.location
            case .recurrence: recurrence != other.recurrence
            case .repeatsFromCompletion:
                repeatsFromCompletion != other.repeatsFromCompletion
            case .series: series != other.series
            case .reminders: reminders != other.reminders
            case .reminder: reminder != other.reminder
            case .estimate: estimate != other.estimate
            case .parent: parent != other.parent
            case .dependencies: Set(dependencies) != Set(other.dependencies)
            case .timeEntries: Set(timeEntries) != Set(other.timeEntries)
            case .extra: Set(extra.sections) != Set(other.extra.sections)
            }
        }
    }
}

extension ItemRecord {
    /// Takes the values of some fields from another record.
    public mutating func take(_ fields: [RecordField], from other: ItemRecord) {
        for field in fields {
            switch field {
            case .title: title = other.title
            case .notes: notes = other.notes
            case .body: body = other.body
            case .list: list = other.list
            case .tags: tags = other.tags
            case .due: due = other.due
            case .start: start = other.start
            case .priority: priority = other.priority
            case .completed: completed = other.completed
            case .created: created = other.created
            case .trashed: trashed = other.trashed
            case .flagged: flagged = other.flagged
            case .reviewed: reviewed = other.reviewed
            case .location: location = other.location
            case .recurrence: recurrence = other.recurrence
            case .repeatsFromCompletion: repeatsFromCompletion = other.repeatsFromCompletion
            case .series: series = other.series
            case .reminders: reminders = other.reminders
            case .reminder: reminder = other.reminder
            case .estimate: estimate = other.estimate
            case .parent: parent = other.parent
            case .dependencies: dependencies = other.dependencies
            case .timeEntries: timeEntries = other.timeEntries
            case .extra: extra = other.extra
            }
        }
    }
}

extension [String] {
    /// Names for comparison: a list or a tag is the same in any letter case.
    public var folded: [String] { map { $0.lowercased() } }
}
