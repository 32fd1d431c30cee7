import CivilTime
import DocketFormats
import ObjectGraph

extension Library {
    /// The name of the step of a change that was carried out.
    func name(of outcome: Outcome, on subject: StepSubject, _ items: [Item]) throws -> StepName {
        switch outcome.effect {
        case .complete where subject.count == 1:
            if outcome.next.count == 1 {
                let (former, next) = (outcome.next[0].former, outcome.next[0].next)
                return StepName(.completed, subject, nextPhrase(next, of: [former]))
            }
            guard outcome.next.isEmpty, let task = outcome.completed.first,
                try isLastOccurrence(task)
            else { break }
            let clock = clock()
            let missed =
                task.taskSeries(in: clock)?.missed(after: task.repeatedDate, in: clock) ?? 0
            return StepName(.completed, subject, ", the last one\(missedPhrase(missed))")
        case .list(let target) where !outcome.companions.subtracting(items).isEmpty:
            let companions = outcome.companions.subtracting(items)
            let count = "\(companions.count) subtask\(companions.count == 1 ? "" : "s")"
            return StepName(.moved, subject, " with \(count) to \(try name(of: target))")
        case .notes, .body: if items.count == 1 { return StepName(edited: items[0]) }
        case .postpone where subject.count == 1:
            let moved = items.first { $0.hasPersistentChangedValues } as? Task
            let place = moved?.repeatedDate.map(absolute) ?? "someday"
            return StepName(.moved, subject, " to \(place)")
        default: break
        }
        return try name(of: outcome.effect, on: subject)
    }

    /// The name of the step that makes a change.
    func name(of change: ItemChange, on subject: StepSubject) throws -> StepName {
        switch change {
        case .complete: StepName(.completed, subject)
        case .reopen: StepName(.reopened, subject)
        case .trash: StepName(.trashed, subject)
        case .restore: StepName(.restored, subject)
        case .purge: StepName(.deleted, subject, " from the trash")
        case .due(let date): named("due", date.map(absolute), subject)
        case .start(let date): named("start", date.map(absolute), subject)
        case .shiftDue(let shift, _): StepName(.moved, part: "due of", subject, " \(shift.words)")
        case .shiftStart(let shift, _):
            StepName(.moved, part: "start of", subject, " \(shift.words)")
        case .postpone(let move, _): StepName(.moved, subject, " \(move.words)")
        case .priority(let value):
            StepName(.set, part: "priority of", subject, " to \(ItemChange.priorityName(value))")
        case .review: StepName(.reviewed, subject)
        case .flag(let flag): StepName(flag ? .flagged : .unflagged, subject)
        case .list(let target): StepName(.moved, subject, " to \(try name(of: target))")
        case .tags(let added, let removed): try name(ofTagging: subject, added, removed)
        case .location(let name):
            try named("location", Library.known(location: name, in: context), subject)
        case .remind(let stored):
            named("reminder", stored.map { ReminderTimes.words($0, absolute) }, subject)
        case .blockers(let added, let removed): try name(ofBlocking: subject, added, removed)
        case .waits([]): StepName(.cleared, part: "blockers of", subject)
        case .waits(let numbers):
            StepName(
                .set,
                part: "blockers of",
                subject,
                " to \(StepSubject(try Library.tasks(numbered: numbers, in: context)).phrase)"
            )
        case .onlyTags, .title, .notes, .body, .repeats, .estimate, .parent, .blocks:
            StepName(.edited, subject)
        }
    }

    /// `Set location of 3 tasks to Bank`, or `Cleared location of 3 tasks`.
    private func named(_ field: String, _ value: String?, _ subject: StepSubject) -> StepName {
        guard let value else { return StepName(.cleared, part: "\(field) of", subject) }
        return StepName(.set, part: "\(field) of", subject, " to \(StepName.short(value))")
    }

    private func absolute(_ date: DueDate) -> String {
        DateFormat(context: clock()).absolute(date)
    }

    private func name(of target: ItemChange.ListTarget) throws -> String {
        switch target {
        case .inbox: return "the inbox"
        case .list(let id):
            let list = try context.existingObject(with: id) as? List
            return StepName.short(list?.path ?? [])
        case .path(let path): return StepName.short(try spelled(path))
        }
    }

    /// A path in the spelling of its existing lists.
    private func spelled(_ path: [String]) throws -> [String] {
        var known: [String] = []
        var parent: List?
        for name in path {
            guard let list = try Library.existingList(name, below: parent, in: context) else {
                break
            }
            known.append(list.name)
            parent = list
        }
        return known + path.dropFirst(known.count)
    }

    /// `Made "Sow" wait for "Order seeds"`, or `Made 3 tasks not wait for "Order seeds"`.
    private func name(
        ofBlocking subject: StepSubject,
        _ added: [Int64],
        _ removed: [Int64]
    ) throws -> StepName {
        let words = try [(" wait for ", added), (" not wait for ", removed)].compactMap {
            $1.isEmpty ? nil : $0 + StepSubject(try Library.tasks(numbered: $1, in: context)).phrase
        }
        return StepName(.made, subject, words.joined(separator: " and"))
    }

    private func name(
        ofTagging subject: StepSubject,
        _ added: [String],
        _ removed: [String]
    ) throws -> StepName {
        if added.isEmpty, !removed.isEmpty {
            return StepName(.removed, part: "\(StepName.tags(removed)) from", subject)
        }
        let rest = removed.isEmpty ? "" : ", removed \(StepName.tags(removed))"
        return StepName(.tagged, subject, " \(StepName.tags(added))\(rest)")
    }
}

extension ItemChange {
    /// `none`, `low`, `medium`, `high`.
    public static func priorityName(_ value: Int) -> Phrase {
        ["none", "low", "medium", "high"][min(max(value, 0), 3)]
    }
}
