import DocketFormats
import FoundationEssentials
import ObjectGraph

extension RecordNames {
    /// Sets fields of an item, as the file has them; relations to other items are set later.
    ///
    /// Without an `ItemChange`: each item has other values, and a change looks up its list and its
    /// tags in the store and in everything pending. For 2000 items with a list and two tags
    /// that takes 48 s in a debug build, these setters with the names of the import 0.14 s.
    mutating func apply(_ fields: [RecordField], _ record: ItemRecord, to item: Item) {
        let task = item as? Task
        for field in fields {
            switch field {
            case .title: item.title = record.title
            case .notes: item.notes = record.notes
            case .body:
                // A file has the text from before it was encrypted.
                if let note = item as? Note, !note.isEncrypted { note.body = record.body }
            case .list: item.list = list(record.list)
            case .tags: setTags(record.tags, of: item)
            case .created: item.created = record.created
            case .trashed: item.trashed = record.trashed ? item.trashed ?? record.modified : nil
            case .flagged: item.flagged = record.flagged
            case .reviewed: item.lastReviewed = record.reviewed
            case .extra: item.extra = record.extra.text
            default: if let task { apply(field, record, to: task) }
            }
        }
    }

    private mutating func apply(_ field: RecordField, _ record: ItemRecord, to task: Task) {
        switch field {
        case .due: task.setDue(record.due)
        case .start: task.setStart(record.start)
        case .priority: task.priority = Int16(min(max(record.priority, 0), 3))
        case .completed: task.completed = record.completed
        case .recurrence: task.rule = record.recurrence
        case .repeatsFromCompletion: task.anchor = record.repeatsFromCompletion ? 1 : 0
        case .series: task.series = record.series
        case .reminder: task.nextReminder = record.reminder
        case .reminders: task.remindTimes = ReminderTimes.stored(record.reminders)
        case .estimate: task.estimate = record.estimate.map { Int32(clamping: $0) }
        case .location: task.location = record.location.map { location($0) }
        case .timeEntries:
            for entry in task.timeEntries { context.delete(entry) }
            for entry in record.timeEntries {
                let made = context.insert(TimeEntry.self)
                made.start = entry.start
                made.end = entry.end
                task.$timeEntries.insert(made)
            }
        default: break
        }
    }

    private mutating func setTags(_ wanted: [String], of item: Item) {
        if wanted.isEmpty, item.isInserted { return }
        let tags = wanted.map { tag($0) }
        if !item.isInserted {
            let kept = Set(tags)
            for tag in item.tags where !kept.contains(tag) { item.$tags.remove(tag) }
        }
        for tag in tags { item.$tags.insert(tag) }
    }
}
