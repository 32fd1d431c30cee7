public import DocketFormats
import FoundationEssentials
import ObjectGraph

// Conversion between objects and the neutral records of the formats.

extension Library {
    /// The record of an item for output: with what it says at this moment.
    public func shownRecord(of item: Item) -> ItemRecord {
        var record = record(of: item)
        record.missed = (item as? Task)?.missed(in: clock()) ?? 0
        return record
    }

    /// The record of an item.
    public func record(of item: Item) -> ItemRecord {
        var record = ItemRecord(
            uuid: item.uuid,
            title: item.title,
            created: item.created,
            modified: item.modified
        )
        record.shortID = item.shortID
        record.notes = item.notes
        record.list = item.list?.path ?? []
        record.tags = item.tags.map(\.name).sorted()
        record.order = item.displayOrder
        record.trashed = item.trashed != nil
        record.flagged = item.flagged
        record.reviewed = item.lastReviewed
        record.extra = ForeignFields(stored: item.extra)
        if let note = item as? Note {
            record.kind = .note
            record.body = note.body
            record.isEncrypted = note.isEncrypted
        }
        if let task = item as? Task {
            record.due = task.dueDate
            record.start = task.startDate
            record.priority = ItemRecord.priority(task.priority)
            record.completed = task.completed
            record.recurrence = task.rule
            record.repeatsFromCompletion = task.anchor == 1
            record.series = task.series
            record.reminder = task.nextReminder
            record.reminders = ReminderTimes.texts(task.remindTimes)
            record.location = task.location?.name
            record.estimate = task.estimate.map { Int($0) }
            record.parent = task.parent?.uuid
            record.dependencies = task.blockedBy.map(\.uuid).sorted {
                $0.uuidString < $1.uuidString
            }
            record.timeEntries = task.timeEntries
                .map { TimeEntryRecord(start: $0.start, end: $0.end) }
                .sorted { $0.start < $1.start }
        }
        return record
    }
}
