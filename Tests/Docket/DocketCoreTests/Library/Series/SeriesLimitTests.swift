import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Repeating tasks where calendars, clocks and other windows get in the way.
@Suite struct SeriesLimitTests {
    /// The due dates of the next occurrences of a task, each completed at the moment it is due.
    private func dues(
        _ rule: String,
        from first: DueDate,
        _ count: Int,
        zone: ZoneRules = Fixed.berlin
    ) throws -> [DueDate] {
        var due = first
        var rule = rule
        return try (0..<count).map { _ in
            let clock = DateContext(now: due.beginning(in: zone), zone: zone)
            let series = try #require(TaskSeries(rule, in: clock))
            let next = try #require(series.next(after: due, in: clock))
            (due, rule) = (next.due, next.rule)
            return next.due
        }
    }

    private func day(_ year: Int, _ month: Int, _ day: Int) throws -> Day {
        try #require(Day(year: year, month: month, day: day))
    }

    private func days(_ dates: [DueDate]) -> [String] {
        dates.map { ISODate.string($0.day(in: .utc)) }
    }

    /// The zone, the first day, and the moments in UTC of the next three at 2:30 on the wall.
    @Test(arguments: [
        // Berlin: 2:30 is skipped on 28 March 2027, and is there twice on 31 October.
        (
            false, 2027, 3, 26,
            ["2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"]
        ),
        (
            false, 2027, 10, 29,
            ["2027-10-30T00:30:00Z", "2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z"]
        ),
        // New York: 14 March and 7 November (there 1:30 is there twice).
        (
            true, 2027, 3, 12,
            ["2027-03-13T07:30:00Z", "2027-03-14T07:30:00Z", "2027-03-15T06:30:00Z"]
        ),
        (
            true, 2027, 11, 5,
            ["2027-11-06T06:30:00Z", "2027-11-07T07:30:00Z", "2027-11-08T07:30:00Z"]
        ),
    ])
    func theClockOnTheWallStaysThroughTheChangeOfClocks(
        isNewYork: Bool,
        year: Int,
        month: Int,
        first: Int,
        expected: [String]
    ) throws {
        let zone = isNewYork ? Fixed.newYork : Fixed.berlin
        let start = zone.moment(try day(year, month, first), second: 9000)
        // Each is counted from the one before: after a day on which 2:30 became 3:30 the rule still
        // says 2:30.
        for rule in ["every day at 02:30", "every day", "FREQ=DAILY;COUNT=5"] {
            let found = try dues(rule, from: DueDate(moment: start), 3, zone: zone)
            #expect(found.map { ISODate.string($0.date) } == expected, "\(rule)")
        }
    }

    @Test func the29thOfFebruaryIsTheLastDayInWordsAndLeftOutByARule() throws {
        let first = DueDate(day: try day(2028, 2, 29))
        for words in ["every year", "every 29 February"] {
            #expect(days(try dues(words, from: first, 2)) == ["2029-02-28", "2030-02-28"])
        }
        let rule = "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"
        #expect(days(try dues(rule, from: first, 2)) == ["2032-02-29", "2036-02-29"])
    }

    @Test func the31stIsTheLastDayInWordsAndLeftOutByARule() throws {
        let first = DueDate(day: try day(2027, 1, 31))
        for rule in ["every month on the 31st", "FREQ=MONTHLY;BYMONTHDAY=-1"] {
            #expect(
                days(try dues(rule, from: first, 3)) == ["2027-02-28", "2027-03-31", "2027-04-30"]
            )
        }
        #expect(
            days(try dues("FREQ=MONTHLY;BYMONTHDAY=31", from: first, 3))
                == ["2027-03-31", "2027-05-31", "2027-07-31"]
        )
    }

    private func library() throws -> (LibraryFolder, Library) {
        let folder = try LibraryFolder()
        return (folder, try Library(url: folder.store, author: "test") { Fixed.context })
    }

    private func rows(_ library: Library) throws -> [String] {
        try Task.all(in: library.context, sortedBy: \.shortID).map { task in
            "\(task.title) \(task.dueDate.map(Fixed.plain) ?? "-")\(task.isDone ? " x" : "")"
                + (task.trashed == nil ? "" : " trashed")
        }
    }

    @Test(arguments: ["every week until 2026-11-01", "FREQ=DAILY;COUNT=1"])
    func aSeriesThatIsOverHasALastOne(rule: String) throws {
        let (folder, library) = try library()
        defer { withExtendedLifetime(folder) {} }
        var item = try library.capture("Water plants")
        item.due = DueDate(day: Fixed.context.today)
        item.recurrence = rule
        let task = try library.addTask(item).task
        let step = try library.complete([task])
        #expect(step?.name == "Completed \"Water plants\", the last one")
        #expect(try rows(library) == ["Water plants 2026-11-21 x"])
    }

    @Test func completingTwiceAndInTwoWindowsMakesOneNextOne() throws {
        let (folder, one) = try library()
        let two = try Library(url: folder.store, author: "other") { Fixed.context }
        let task = try one.addTask(capturing: "Water plants 2026-11-21 every week")
        let same = try two.item(.number(1))
        #expect(try one.complete([task]) != nil)
        #expect(try one.complete([task]) == nil)
        #expect(try two.complete([same]) == nil)
        #expect(try rows(two) == ["Water plants 2026-11-21 x", "Water plants 2026-11-28"])
        // The other window changes the series while this one completes it.
        let next = try two.item(.number(2))
        try two.edit(next, [try FieldChange("title=Water the cactus")])
        try one.complete([one.item(.number(2))])
        try two.refresh()
        #expect(
            try rows(two) == [
                "Water plants 2026-11-21 x", "Water the cactus 2026-11-28 x",
                "Water the cactus 2026-12-05",
            ]
        )
        _ = try one.undo()
        #expect(try rows(one).last == "Water the cactus 2026-11-28")
    }

    @Test func anotherWindowSeesTheSubtasksOfTheNextOne() throws {
        let (folder, one) = try library()
        let task = try one.addTask(capturing: "Water plants 2026-11-21 every week")
        for title in ["Fill the can", "Look for lice"] {
            var defaults = ItemDefaults()
            defaults.parent = task
            _ = try one.addTask(one.capture(title), defaults)
        }
        try one.complete([one.item(.number(2))])
        let two = try Library(url: folder.store, author: "other") { Fixed.context }
        // It has read everything before.
        let all = try Task.all(in: two.context, sortedBy: \.shortID)
        _ = all.map { ($0.subtasks.count, $0.parent?.title) }
        try one.complete([task])
        try two.refresh()
        let next = try #require(try two.item(.number(4)) as? Task)
        #expect(next.subtasks.map(\.shortID).sorted() == [3, 5])
        #expect((try two.item(.number(5)) as? Task)?.parent === next)
        #expect(all[0].subtasks.map(\.shortID) == [2])
    }

    @Test func theTrashOfAnOccurrenceAndItsEndLeaveTheSeriesRight() throws {
        let (folder, library) = try library()
        defer { withExtendedLifetime(folder) {} }
        let first = try library.addTask(capturing: "Water plants 2026-11-21 every week")
        try library.complete([first])
        let second = try library.item(.number(2))
        try library.complete([second])
        try library.trash([second])
        // Reopening the first one makes no second one that goes on beside the third.
        try library.reopen([first])
        let after = [
            "Water plants 2026-11-21", "Water plants 2026-11-28 x trashed",
            "Water plants 2026-12-05",
        ]
        #expect(try rows(library) == after)
        #expect(try library.complete([first])?.name == "Completed \"Water plants\"")
        #expect(try rows(library).count == 3)
        while try library.undo()?.isDone == true {}
        #expect(try rows(library) == [])
        while try library.redo()?.isDone == true {}
        #expect(try rows(library).count == 3)
        let third = try library.item(.number(3))
        try library.trash([third])
        try library.restore([third])
        _ = try library.undo()
        #expect(try rows(library)[2] == "Water plants 2026-12-05 trashed")
        _ = try library.redo()
        try library.complete([third])
        #expect(try rows(library)[3] == "Water plants 2026-12-12")
    }
}
