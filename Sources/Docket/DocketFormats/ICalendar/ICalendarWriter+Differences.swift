import CivilTime
import FoundationEssentials
import TimeLanguage

extension ICalendarWriter {
    /// Whether a component says something else than an item, as far as it can say it.
    func differs(
        _ field: ICalendarField,
        _ item: ICalendarItem,
        _ record: ItemRecord,
        _ leftOut: Set<UUID>
    ) -> Bool {
        let known = item.record
        func isSame(_ one: Date?, _ other: Date?) -> Bool {
            one?.timeIntervalSince1970.rounded(.down) == other?.timeIntervalSince1970.rounded(.down)
        }
        func isSame(_ one: DueDate?, _ other: DueDate?) -> Bool {
            one?.isDateOnly == other?.isDateOnly && isSame(one?.date, other?.date)
        }
        switch field {
        case .modified: return false
        case .created: return item.fields.isDated && !isSame(known.created, record.created)
        case .title: return known.title != record.title
        case .body: return known.body != record.body && !record.isEncrypted
        case .notes: return known.notes != record.notes
        case .start: return !isSame(known.start, record.start)
        case .due: return !isSame(known.due, record.due)
        case .recurrence:
            return
                (known.recurrence != record.recurrence
                || known.repeatsFromCompletion != record.repeatsFromCompletion)
                && !lines().isSameRecurrence(known, record)
        case .state:
            return (known.completed == nil) != (record.completed == nil)
                || (item.isClosedAtATime && !isSame(known.completed, record.completed))
        case .priority: return known.priority != record.priority
        case .tags:
            return known.tags != record.tags
                && Set(known.tags.folded) != Set(record.tags.folded)
        case .location: return known.location?.lowercased() != record.location?.lowercased()
        case .parent:
            let isLeftOut = record.parent == nil && known.parent.map(leftOut.contains) ?? false
            return known.parent != record.parent && !isLeftOut
        case .dependencies:
            return known.dependencies != record.dependencies
                && !Set(known.dependencies).symmetricDifference(record.dependencies)
                    .isSubset(of: leftOut)
        case .order: return item.sortOrder != record.order
        case .estimate: return known.estimate != record.estimate
        case .flagged: return known.flagged != record.flagged
        case .reminders:
            let reminders = ICalendarLines.reminders(of: record)
            return known.reminders != reminders && Set(known.reminders) != Set(reminders)
        }
    }
}
