import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing
import TimeLanguage

@testable import DocketCore

/// What an agenda shows, against a computation that looks at every item.
@Suite struct AgendaTests {
    private static let zones = [
        Fixed.berlin, Fixed.newYork, Fixed.zone("Pacific/Kiritimati", fallback: "<+14>-14"),
        Fixed.zone("Pacific/Pago_Pago", fallback: "SST11"), .utc,
    ]

    /// A line as the laws see it.
    private struct Line: Hashable, Comparable, CustomStringConvertible {
        let title: String
        let kind: Agenda.Entry.Kind
        let day: Day
        var description: String { "\(title) \(kind) \(ISODate.string(day))" }
        static func < (one: Line, other: Line) -> Bool { one.description < other.description }
    }

    private func lines(_ agenda: Agenda, _ library: Library) -> [Line] {
        agenda.sections.filter { !$0.isOverdue }.flatMap { section in
            section.entries.map { entry in
                let title = (library.context.object(with: entry.id) as? Item)?.title ?? ""
                return Line(title: title, kind: entry.kind, day: section.days.lowerBound)
            }
        }.sorted()
    }

    private static func fill(
        _ library: Library,
        _ context: DateContext,
        _ random: inout SeededRandom
    ) throws {
        func date() -> DueDate {
            let day = context.today.adding(days: random.below(40) - 20)
            if random.chance(2) { return DueDate(day: day) }
            return DueDate(moment: context.zone.moment(day, second: random.below(96) * 900))
        }
        for number in 0..<80 {
            if random.chance(10) { _ = try library.addNote(capturing: "note \(number)") }
            let task = try library.addTask(capturing: "t\(number)")
            if !random.chance(5) { task.setDue(date()) }
            if random.chance(3) { task.setStart(date()) }
            if random.chance(3) { task.estimate = Int32(random.below(9)) * 900 }
            if random.chance(4) {
                task.rule = random.pick([
                    "FREQ=DAILY", "FREQ=WEEKLY;COUNT=4", "every month", "every 2 weeks",
                    "FREQ=WEEKLY;BYDAY=MO,WE", "every day after completion", "FREQ=HOURLY",
                    "now and then",
                ])
                task.anchor = random.chance(6) ? 1 : 0
            }
            if random.chance(8) { task.completed = context.now }
            if random.chance(9) { task.trashed = context.now }
        }
        try library.context.save()
    }

    @Test(arguments: SeededRandom.seeds(6))
    func itHasWhatEveryItemSays(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let zone = random.pick(AgendaTests.zones)
        let context = Fixed.context(
            2026,
            1 + random.below(12),
            1 + random.below(28),
            random.below(24),
            zone: zone
        )
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { context }
        try AgendaTests.fill(library, context, &random)
        let tasks = try library.items(matching: nil).compactMap { $0 as? DocketCore.Task }
        for round in 0..<12 {
            let first = round == 0 ? nil : context.today.adding(days: random.below(50) - 30)
            var span = AgendaSpan(from: first, count: 1 + random.below(15))
            span.showsOverdue = random.chance(2)
            let days = span.days(context)
            var expected: [Line] = []
            var (overdue, dueCount, estimate) = (Set<String>(), 0, 0)
            for task in tasks where !task.isDone && task.trashed == nil {
                let (start, due) = (task.startDate?.day(in: zone), task.dueDate?.day(in: zone))
                func add(_ kind: Agenda.Entry.Kind, _ day: Day) {
                    expected.append(Line(title: task.title, kind: kind, day: day))
                    if kind != .start || due == nil { estimate += Int(task.estimate ?? 0) }
                }
                if let due, days.contains(due) {
                    add(.due, due)
                    dueCount += 1
                }
                if let due, due < days.lowerBound, task.dueDate?.isOverdue(in: context) == true {
                    overdue.insert(task.title)
                }
                if let start, days.contains(start), start != due { add(.start, start) }
                guard let series = task.taskSeries(in: context), task.anchor == 0,
                    !series.repetition.isFromCompletion, task.rule != "FREQ=HOURLY"
                else { continue }
                if task.repeatedDate == nil { continue }
                let later = series.upcoming(after: task.repeatedDate, count: 90, in: context)
                for date in later where days.contains(date.day(in: zone)) {
                    add(.later, date.day(in: zone))
                }
            }
            let agenda = try library.agenda(span)
            #expect(lines(agenda, library) == expected.sorted(), "\(days) in \(zone.name)")
            #expect(agenda.dueCount == dueCount && agenda.estimate == estimate)
            let shown = agenda.sections.filter(\.isOverdue).flatMap(\.entries).map {
                (library.context.object(with: $0.id) as? Item)?.title ?? ""
            }
            #expect(Set(shown) == (span.showsOverdue ? overdue : []))
            // Each day is in one section.
            let all = agenda.sections.filter { !$0.isOverdue }.flatMap {
                Array($0.days.lowerBound.number...$0.days.upperBound.number)
            }
            #expect(all == Array(days.lowerBound.number...days.upperBound.number))
            // Counted days agree.
            let counts = try library.dueCounts(on: days)
            #expect(counts.filter { days.contains($0.key) }.values.reduce(0, +) == dueCount)
        }
    }

    @Test func timesComeFirstInTheirOrderAndAStretchIsAtItsStart() throws {
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { Fixed.context }
        for line in [
            "Iron tomorrow", "Bus tomorrow 18:00", "Lunch tomorrow 12:30-13:30",
            "Gym tomorrow 9:00",
        ] {
            _ = try library.addTask(capturing: line)
        }
        let agenda = try library.agenda(AgendaSpan())
        let section = try #require(agenda.sections.first { !$0.entries.isEmpty })
        let titles = section.entries.map { (library.context.object(with: $0.id) as? Item)?.title }
        #expect(titles == ["Gym", "Lunch", "Bus", "Iron"])
        #expect(section.entries[1].end != nil)
    }

    @Test(arguments: ["every day", "FREQ=DAILY", "every monday", "FREQ=DAILY;COUNT=9"])
    func anOccurrenceIsLeftOutOrMovedAndTheOthersStay(rule: String) throws {
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { Fixed.context }
        let task = try library.addTask(capturing: "Water 2026-11-23")
        try library.perform(.repeats(rule), on: [task])
        func dates() throws -> [DueDate] {
            let days = Fixed.context.today...Fixed.context.today.adding(days: 40)
            return task.taskSeries(in: Fixed.context)?
                .dates(after: task.repeatedDate, on: days, in: Fixed.context) ?? []
        }
        let before = try dates()
        try #require(before.count > 3)
        let step = try library.move(before[1], of: task, to: nil)
        #expect(step?.name.hasPrefix("Skipped \"Water\" on ") == true)
        #expect(try dates() == before.filter { $0 != before[1] })
        let other = DueDate(day: before[2].day(in: Fixed.berlin).adding(days: 100))
        let moved = try library.move(before[2], of: task, to: other)
        #expect(moved?.name.hasPrefix("Moved \"Water\" from ") == true)
        #expect(try dates() == before.filter { $0 != before[1] && $0 != before[2] })
        let single = try #require(
            task.taskSeries(in: Fixed.context)?.dates(
                after: task.repeatedDate,
                on: other.day(in: Fixed.berlin)...other.day(in: Fixed.berlin),
                in: Fixed.context
            )
        )
        #expect(single.contains(other))
        _ = try library.undo()
        _ = try library.undo()
        #expect(try dates() == before)
        // The series goes on past what was left out.
        try library.move(before[0], of: task, to: nil)
        try library.complete([task])
        let next = try library.items(matching: Library.openItems).first as? DocketCore.Task
        #expect(next?.dueDate == before[1])
    }
}
