import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Repeating tasks: what completing, skipping, reopening and ending an occurrence does.
///
/// Today is Saturday, 21 November 2026, 14:05 in Berlin.
@Suite struct SeriesTests {
    private let folder: LibraryFolder
    fileprivate let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try Library(url: folder.store, author: "test") { Fixed.context }
    }

    fileprivate func task(
        _ rule: String?,
        due: String? = "2026-11-21",
        title: String = "Water plants",
        below parent: Task? = nil
    ) throws -> Task {
        var item = try library.capture(title)
        item.due = try due.map { try DateParser(context: Fixed.context).parse($0) }
        item.recurrence = rule
        var defaults = ItemDefaults()
        defaults.parent = parent
        return try library.addTask(item, defaults).task
    }

    private func subtask(
        _ title: String,
        of parent: Task,
        due: String? = nil,
        _ rule: String? = nil
    ) throws -> Task {
        try task(rule, due: due, title: title, below: parent)
    }

    /// All tasks in display order: title, due date, `x` if done, rule.
    fileprivate func tasks() throws -> [String] {
        try library.items(matching: nil).compactMap { $0 as? Task }.map { task in
            let due = task.dueDate.map(Fixed.plain) ?? "-"
            let below = task.parent.map { " <\($0.shortID)" } ?? ""
            return "\(task.title) \(due)\(task.isDone ? " x" : "")\(below)"
        }
    }

    private func next(_ task: Task) throws -> Task {
        try #require(
            try Task.all(in: library.context, where: \.completed == nil)
                .filter { $0.series == task.series && $0.rule != nil && $0 !== task }.first
        )
    }

    /// The minutes of two thousand years are counted, not made.
    @Test(.timeLimit(.minutes(10)), arguments: [1, 1950])
    func whatWasMissedSinceLongAgoIsKnownAtOnce(_ year: Int) throws {
        let first = try #require(Day(year: year, month: 1, day: 1))
        let minutes = (Fixed.context.today.number - first.number) * 1440 + 14 * 60 + 5
        let series = try #require(TaskSeries("FREQ=MINUTELY", in: Fixed.context))
        let due = DueDate(day: first)
        // The first day is the due date itself; the clock stands at 14:05.
        #expect(abs(series.missed(after: due, in: Fixed.context) - (minutes - 1440)) <= 1)
        #expect(series.missed(after: due, in: Fixed.context, atMost: 5) == 5)
        let next = try #require(series.next(after: due, in: Fixed.context))
        #expect(!next.due.isOverdue(in: Fixed.context))
        let counted = try #require(TaskSeries("FREQ=MINUTELY;COUNT=9", in: Fixed.context))
        #expect(counted.next(after: due, in: Fixed.context) == nil)
        #expect(counted.missed(after: due, in: Fixed.context) == 8)
        #expect(counted.due(8, from: due, in: Fixed.context) != nil)
        #expect(counted.due(9, from: due, in: Fixed.context) == nil)
        #expect(series.due(900_000_000, from: DueDate(day: .first), in: Fixed.context) != nil)
    }

    /// Single dates count too, whether they are passed or looked at.
    @Test func whatWasMissedHasAdditionsAndExceptions() throws {
        let text = """
            DTSTART:20260901T090000
            RRULE:FREQ=DAILY
            RDATE:20260901T120000,20261120T120000
            EXDATE:20260902T090000,20261121T090000
            """
        let series = try #require(TaskSeries(text, in: Fixed.context))
        let start = try DateParser(context: Fixed.context).parse("2026-09-01 9:00")
        // 2 September to 21 November are 81 days.
        #expect(series.missed(after: start, in: Fixed.context) == 81 + 2 - 2)
    }

    @Test(arguments: ["every week for 3 times", "every week until 20 oct 2026"])
    func whatIsMissedOfASeriesThatHasEndedIsCounted(_ rule: String) throws {
        let plants = try task(rule, due: "2026-10-01")
        #expect(plants.missed(in: Fixed.context) == 2)
        #expect(plants.missed(in: Fixed.context, atMost: 1) == 1)
        let step = try library.complete([plants])
        #expect(step?.name == "Completed \"Water plants\", the last one (2 missed)")
        #expect(try tasks() == ["Water plants 2026-10-01 x"])
    }

    @Test func completingAddsTheNextOneInTheSameStep() throws {
        let plants = try task("every 3 days")
        let step = try library.complete([plants])
        #expect(step?.name == "Completed \"Water plants\", next Tue 24 Nov")
        #expect(try tasks() == ["Water plants 2026-11-21 x", "Water plants 2026-11-24"])
        #expect(try next(plants).shortID == 2)
        _ = try library.undo()
        #expect(try tasks() == ["Water plants 2026-11-21"])
        #expect(plants.rule == "every 3 days" && plants.series == nil)
        _ = try library.redo()
        #expect(try tasks() == ["Water plants 2026-11-21 x", "Water plants 2026-11-24"])
    }

    @Test(
        arguments: [
            ("FREQ=WEEKLY;BYDAY=MO", "2026-11-21", "2026-11-23"),
            ("every last friday", "2026-10-30", "2026-11-27"),
            ("jeden Montag", "2026-11-21", "2026-11-23"),
            ("weekly", "2026-11-21", "2026-11-28"), ("P2W", "2026-11-21", "2026-12-05"),
            ("+1m", "2026-11-21", "2026-12-21"), ("every weekday", "2026-11-20", "2026-11-23"),
            ("every day at 9", "2026-11-21T09:00", "2026-11-22T09:00"),
            ("every day at 9", "2026-11-21", "2026-11-22T09:00"),
            ("every month", "2027-01-31", "2027-02-28"),
            ("every month on the 31st", "2027-01-31", "2027-02-28"),
            ("FREQ=MONTHLY", "2027-01-31", "2027-03-31"),
            ("every year", "2028-02-29", "2029-02-28"),
            ("FREQ=DAILY;INTERVAL=2;COUNT=9", "2026-11-21", "2026-11-23"),
            ("DTSTART:20261119\nRRULE:FREQ=WEEKLY\nEXDATE:20261126", "2026-11-21", "2026-12-03"),
        ]
    )
    func everyFormOfARuleIsFollowed(rule: String, due: String, expected: String) throws {
        let plants = try task(rule, due: due)
        try library.complete([plants])
        #expect(try next(plants).dueDate.map(Fixed.plain) == expected)
    }

    @Test func aLateDayComesBackAfterAShorterMonth() throws {
        let plants = try task("every month", due: "2027-01-31")
        try library.complete([plants])
        let february = try next(plants)
        #expect(february.rule == "every month on the 31st")
        try library.complete([february])
        #expect(try next(february).dueDate.map(Fixed.plain) == "2027-03-31")
    }

    @Test(arguments: [
        "Water plants start:2026-11-23 every week", "Water plants from mon every week",
    ])
    func aStartWithoutADueDateRepeats(_ text: String) throws {
        let plants = try library.addTask(capturing: text)
        #expect(plants.due == nil && plants.startDate.map(Fixed.plain) == "2026-11-23")
        try library.complete([plants])
        let after = try next(plants)
        #expect(after.due == nil && after.startDate.map(Fixed.plain) == "2026-11-30")
        try library.skip([after])
        #expect(after.due == nil && after.startDate.map(Fixed.plain) == "2026-12-07")
        _ = try library.edit(after, [FieldChange("repeats=every friday")])
        #expect(after.due == nil)
        for format in [ExchangeFormat.json, .taskwarrior, .todotxt, .text] {
            var bytes: [UInt8] = []
            _ = try library.export(format) { bytes += $0 }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("\"due\":\"") && !text.contains("due:"), "\(format): \(text)")
        }
    }

    @Test func anOptionForARepetitionRepeatsTheStart() throws {
        var fields = CaptureFields()
        (fields.start, fields.every) = ("2026-11-23", "every week")
        let item = try library.capture("Water", isPlain: false, fields)
        #expect(item.due == nil && item.start.map(Fixed.plain) == "2026-11-23")
    }

    @Test func aCapturedReminderIsBeforeTheDueDate() throws {
        let task = try library.addTask(capturing: "Renew 2027-03-01 remind me 1 week before")
        #expect(task.remindTimes == "-P1W")
        #expect(task.nextReminder.map(ISODate.string) == "2027-02-21T23:00:00Z")
    }

    @Test func aTextThatIsNotUnderstoodIsKept() throws {
        let plants = try task("whenever it rains")
        #expect(try library.complete([plants])?.name == "Completed \"Water plants\"")
        #expect(try tasks() == ["Water plants 2026-11-21 x"])
        #expect(plants.rule == "whenever it rains")
    }

    @Test func missedOccurrencesAreCountedAndLeftOut() throws {
        let plants = try task("every 3 days", due: "2026-11-01")
        let series = try #require(plants.taskSeries(in: Fixed.context))
        // 4, 7, 10, 13, 16 and 19 November.
        #expect(series.missed(after: plants.dueDate, in: Fixed.context) == 6)
        #expect(
            try library.complete([plants])?.name
                == "Completed \"Water plants\", next Sun 22 Nov (6 missed)"
        )
        #expect(try tasks() == ["Water plants 2026-11-01 x", "Water plants 2026-11-22"])
    }

    @Test(
        arguments: [
            ("every! 3 days", "2026-11-01", "2026-11-24"),
            ("every! 3 days", "2026-12-24", "2026-11-24"),
            ("1w", "2026-11-01", "2026-11-28"), ("every! month", "2026-10-31", "2026-12-21"),
            ("every! 2 days", "2026-11-01T09:00", "2026-11-23T09:00"),
            ("every! 2 hours", "2026-11-21T09:00", "2026-11-21T16:05"),
        ]
    )
    func completionIsWhereItCounts(rule: String, due: String, expected: String) throws {
        let plants = try task(rule, due: due)
        try library.complete([plants])
        #expect(try next(plants).dueDate.map(Fixed.plain) == expected)
    }

    @Test func aCountEndsTheSeries() throws {
        var plants = try task("every day for 3 times")
        for rule in ["every day for 2 times", "every day for 1 time"] {
            try library.complete([plants])
            plants = try next(plants)
            #expect(plants.rule == rule)
        }
        let step = try library.complete([plants])
        #expect(step?.name == "Completed \"Water plants\", the last one")
        #expect(try tasks().count == 3)
    }

    @Test func anEndDateEndsTheSeries() throws {
        let plants = try task("every week until 2026-12-01")
        try library.complete([plants])
        #expect(try tasks().count == 2)
        let step = try library.complete([try next(plants)])
        #expect(step?.name == "Completed \"Water plants\", the last one")
        #expect(try tasks().count == 2)
    }

    @Test func subtasksAreOpenAgainAndMoveAlong() throws {
        let plants = try task("every week")
        let can = try subtask("Fill the can", of: plants, due: "2026-11-20")
        let deep = try subtask("Buy a can", of: can)
        let open = try subtask("Look for lice", of: plants)
        try library.complete([can, deep])
        try library.complete([plants])
        #expect(
            try tasks().sorted() == [
                "Buy a can - <6", "Buy a can - x <2", "Fill the can 2026-11-20 x <1",
                "Fill the can 2026-11-27 <5", "Look for lice - <5", "Water plants 2026-11-21 x",
                "Water plants 2026-11-28",
            ]
        )
        _ = try library.undo()
        #expect(open.parent === plants && plants.subtasks.count == 2)
    }

    @Test func aRepeatingSubtaskThatIsCompletedWithItsParentComesWithIt() throws {
        let plants = try task("every week")
        let can = try subtask("Fill the can", of: plants, due: "2026-11-20", "every day")
        try library.complete([plants, can])
        #expect(
            try tasks().sorted() == [
                "Fill the can 2026-11-20 x <1", "Fill the can 2026-11-27 <3",
                "Water plants 2026-11-21 x", "Water plants 2026-11-28",
            ]
        )
    }

    @Test func aRepeatingSubtaskThatWasCompletedBeforeItsParentIsThereOnce() throws {
        let plants = try task("every day")
        let can = try subtask("Fill the can", of: plants, due: "2026-11-21", "every day")
        try library.complete([can])
        try library.complete([plants])
        #expect(
            try tasks().sorted() == [
                "Fill the can 2026-11-21 x <1", "Fill the can 2026-11-22 <4",
                "Water plants 2026-11-21 x", "Water plants 2026-11-22",
            ]
        )
        try library.reopen([plants])
        #expect(
            try tasks().sorted() == [
                "Fill the can 2026-11-21 x <1", "Fill the can 2026-11-22 <1",
                "Water plants 2026-11-21",
            ],
            "its date is its own also on the way back"
        )
    }

    @Test func skippingTheParentLeavesOneOpenSubtaskOfEachSeries() throws {
        let plants = try task("every day")
        let can = try subtask("Fill the can", of: plants, due: "2026-11-21", "every day")
        try library.complete([can])
        _ = try library.skip([plants])
        #expect(
            try tasks().sorted() == [
                "Fill the can 2026-11-21 x <1", "Fill the can 2026-11-22 <1",
                "Water plants 2026-11-22",
            ]
        )
    }

    @Test(arguments: SeededRandom.seeds(10))
    func repeatingSubtasksDoNotMultiply(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let plants = try task("every day")
        for (title, rule) in [
            ("can", "every day"), ("lice", "every week"), ("pots", "every 3 days"),
        ] {
            let child = try subtask(title, of: plants, due: "2026-11-21", rule)
            if random.chance(2) { _ = try subtask("\(title) deep", of: child, due: nil, rule) }
        }
        var done: [String] = []
        var steps = 0
        for _ in 0..<25 {
            let open = try Task.all(in: library.context, where: \.completed == nil)
            let parents = open.filter { $0.title == "Water plants" }
            #expect(parents.count == 1, "seed \(seed): \(done)")
            guard let parent = parents.first else { return }
            for title in ["can", "lice", "pots"] {
                let children = open.filter { $0.title == title }
                #expect(children.count == 1, "seed \(seed), \(title) after \(done)")
                #expect(children.allSatisfy { $0.parent === parent }, "seed \(seed): \(done)")
                let deep = open.filter { $0.title == "\(title) deep" }
                #expect(deep.count <= 1, "seed \(seed), \(title) deep after \(done)")
                if children.count != 1 { return }
            }
            let subtasks = open.filter { $0 !== parent }
            switch random.below(6) {
            case 0, 1:
                let child = random.pick(subtasks)
                done.append("child \(child.title)")
                try library.complete([child])
            case 2:
                done.append("parent")
                try library.complete([parent])
            case 3:
                done.append("parent and all")
                try library.complete([parent] + subtasks)
            case 4:
                done.append("skip")
                _ = try library.skip([parent])
            default:
                if steps == 0 { continue }
                done.append("undo")
                _ = try library.undo()
                steps -= 2
            }
            steps += 1
        }
    }

    @Test func startAndRemindersMoveAlong() throws {
        // The clocks go back on 25 October 2026.
        let plants = try task("every 2 weeks", due: "2026-10-20T09:00")
        plants.setStart(try DateParser(context: Fixed.context).parse("2026-10-19"))
        plants.remindTimes = "-PT30M 20261019T070000Z"
        try library.context.save(as: "Edited")
        try library.complete([plants])
        let after = try next(plants)
        #expect(after.dueDate.map(Fixed.plain) == "2026-12-01T09:00")
        #expect(after.startDate.map(Fixed.plain) == "2026-11-30")
        #expect(after.remindTimes == "-PT30M 20261130T080000Z")
        #expect(after.nextReminder.map(ISODate.string) == "2026-11-30T08:00:00Z")
    }

    @Test func whatATaskIsComesAlongAndWhatHappenedToItDoesNot() throws {
        let plants = try library.addTask(
            capturing: "Water plants 2026-11-21 every week +Home #green !high @Balcony for 20 min"
        )
        let other = try task(nil, title: "Buy a can")
        try library.edit(plants, [try FieldChange("notes=Only rain water: [[Buy a can]]")])
        plants.flagged = true
        plants.blockedBy = [other]
        plants.lastReviewed = Fixed.context.now
        let manual = library.context.insert(Attachment.self)
        (manual.fileName, manual.data) = ("manual.pdf", Data([1, 2, 3]))
        manual.item = plants
        let entry = library.context.insert(TimeEntry.self)
        entry.start = Fixed.context.now
        plants.$timeEntries.insert(entry)
        try library.context.save(as: "Edited")
        try library.complete([plants])
        let after = try next(plants)
        #expect(after.notes == plants.notes && after.list?.name == "Home")
        #expect(after.tags.map(\.name) == ["green"] && after.priority == 3 && after.flagged)
        #expect(after.location?.name == "Balcony" && after.estimate == plants.estimate)
        #expect(after.links == [other])
        let attachment = try #require(after.attachments.first)
        #expect(attachment.fileName == "manual.pdf" && attachment.data == Data([1, 2, 3]))
        #expect(plants.attachments == [manual])
        #expect(after.blockedBy.isEmpty && after.timeEntries.isEmpty && after.lastReviewed == nil)
        _ = try library.undo()
        #expect(try Attachment.count(in: library.context) == 1)
    }

    @Test func theClockOnTheWallStaysWhenClocksChange() throws {
        let plants = try task("every year", due: "2026-03-21T09:00")
        try library.complete([plants])
        let after = try next(plants)
        #expect(after.due.map(ISODate.string) == "2027-03-21T08:00:00Z")
        let summer = try task("every month", due: "2027-03-15T09:00")
        try library.complete([summer])
        #expect(try next(summer).due.map(ISODate.string) == "2027-04-15T07:00:00Z")
    }

    @Test func anEditIsPassedOn() throws {
        let plants = try task("every week")
        try library.edit(plants, [try FieldChange("title=Water all plants")])
        try library.complete([plants])
        #expect(try tasks() == ["Water all plants 2026-11-21 x", "Water all plants 2026-11-28"])
    }

    @Test func doneAsAFieldIsTheSameAsCompleting() throws {
        let plants = try task("every week")
        try library.edit(plants, [try FieldChange("done=yes")])
        #expect(try tasks().count == 2)
        try library.edit(plants, [try FieldChange("done=no")])
        #expect(try tasks() == ["Water plants 2026-11-21"])
    }

    // MARK: Reopening

    @Test func reopeningTakesBackTheNextOne() throws {
        let plants = try task("every week for 4 times")
        _ = try subtask("Look for lice", of: plants)
        try library.complete([plants])
        try library.reopen([plants])
        #expect(try tasks().sorted() == ["Look for lice - <1", "Water plants 2026-11-21"])
        #expect(plants.rule == "every week for 4 times")
        try library.complete([plants])
        #expect(try next(plants).rule == "every week for 3 times")
    }

    @Test func reopeningAnOlderOneDoesNotForkTheSeries() throws {
        let plants = try task("every week")
        try library.complete([plants])
        let second = try next(plants)
        try library.edit(second, [try FieldChange("title=Water the cactus")])
        try library.reopen([plants])
        #expect(plants.rule == nil)
        try library.complete([plants])
        #expect(try tasks() == ["Water plants 2026-11-21 x", "Water the cactus 2026-11-28"])
    }

    // MARK: Skipping, ending, one of all

    @Test func skippingMovesTheTaskOn() throws {
        let plants = try task("every week for 4 times")
        let can = try subtask("Fill the can", of: plants, due: "2026-11-20")
        try library.complete([can])
        let step = try library.skip([plants])
        #expect(step?.name == "Skipped \"Water plants\", next Sat 28 Nov")
        #expect(try tasks() == ["Water plants 2026-11-28", "Fill the can 2026-11-27 <1"])
        #expect(plants.rule == "every week for 3 times")
        _ = try library.undo()
        #expect(try tasks() == ["Water plants 2026-11-21", "Fill the can 2026-11-20 x <1"])
    }

    @Test func theLastOneCannotBeSkipped() throws {
        let plants = try task("every week for 1 time")
        #expect(
            throws: InputError(
                .badReference,
                "\"Water plants\" is the last one of its series; complete it or put it into the "
                    + "trash."
            )
        ) { try library.skip([plants]) }
        #expect(try tasks() == ["Water plants 2026-11-21"])
    }

    @Test func anEndedSeriesHasNoNextOne() throws {
        let plants = try task("every week")
        #expect(try library.endSeries(of: [plants])?.name == "Ended the series of \"Water plants\"")
        try library.complete([plants])
        #expect(try tasks() == ["Water plants 2026-11-21 x"])
        #expect(try library.endSeries(of: [plants]) == nil)
    }

    @Test func aSeparatedOccurrenceIsChangedAlone() throws {
        let plants = try task("every week")
        let can = try subtask("Fill the can", of: plants)
        let (after, step) = try library.separate(plants)
        #expect(step?.name == "Separated \"Water plants\" from its series, next Sat 28 Nov")
        try library.edit(plants, [try FieldChange("title=Drown plants")])
        #expect(can.parent === plants && after?.subtasks.count == 1)
        #expect(after?.title == "Water plants" && after?.rule == "every week")
        try library.complete([plants])
        #expect(try Task.all(in: library.context, where: \.completed == nil).count == 3)
    }

    // MARK: Many

    @Test func aLongCommandAddsTheNextOnesToo() throws {
        (library.largestChange, library.partSize) = (3, 2)
        let all = try (0..<7).map { try task($0 % 2 == 0 ? "every day" : "?", title: "Task \($0)") }
        try library.complete(all)
        let open = try Task.all(in: library.context, where: \.completed == nil)
        #expect(open.count == 4 && Set(open.map(\.shortID)).count == 4)
        #expect(open.allSatisfy { $0.shortID > 7 && $0.dueDate.map(Fixed.plain) == "2026-11-22" })
        _ = try library.undo()
        #expect(try tasks().count == 7 && tasks().allSatisfy { !$0.hasSuffix("x") })
    }
}

/// How a task gets its rule.
extension SeriesTests {
    @Test(
        arguments: [
            ("Water plants every monday", "2026-11-23"), ("Water plants daily", "2026-11-21"),
            ("Water plants every last friday", "2026-11-27"),
            ("Water plants every week 2026-12-24", "2026-12-24"),
        ]
    )
    func aRepetitionWithoutADateIsDueFirst(text: String, due: String) throws {
        let plants = try library.addTask(capturing: text)
        #expect(plants.title == "Water plants" && plants.dueDate.map(Fixed.plain) == due)
    }

    @Test(
        arguments: [
            ("every 2 weeks on friday", "2026-11-27"), ("FREQ=MONTHLY;BYDAY=-1FR", "2026-11-27"),
        ]
    )
    func aRuleThatIsSetIsCheckedAndGivesTheDueDate(rule: String, due: String) throws {
        let plants = try task(nil, due: nil)
        try library.edit(plants, [try FieldChange("repeats=\(rule)")])
        #expect(plants.rule == rule && plants.dueDate.map(Fixed.plain) == due)
        try library.edit(plants, [try FieldChange("repeats=")])
        #expect(plants.rule == nil)
    }

    @Test(
        arguments: [
            (
                "now and then",
                "“now and then” is not a repetition; write it like every 2 weeks on friday."
            ),
            ("every 0 days", "“every 0 days” is not possible: the number is at least 1."),
            ("FREQ=DAILY;COUNT=0", "COUNT=0 is not possible: a count goes from 1 to 1000000000."),
            (
                "FREQ=SECONDLY",
                "A task cannot repeat every second; use MINUTELY or a longer period."
            ),
            ("every second", "A task cannot repeat every second; use minutes or a longer period."),
        ]
    )
    func aRuleThatCannotBeIsRefused(rule: String, sentence: String) throws {
        let plants = try task(nil)
        let change = try FieldChange("repeats=\(rule)")
        #expect {
            try library.edit(plants, [change])
        } throws: { "\($0)" == sentence }
        #expect(plants.rule == nil)
    }

    @Test func withoutADueDateARuleThatIsOverIsRefused() throws {
        let plants = try task(nil, due: nil)
        let rule = "every day until 3 march 2020"
        #expect {
            try library.edit(plants, [try FieldChange("repeats=\(rule)")])
        } throws: {
            "\($0)" == "“\(rule)” is not possible: it would never happen from now on."
        }
        #expect(plants.rule == nil && plants.due == nil)
        // The due date is its first occurrence, and its last one.
        try library.edit(
            plants,
            [try FieldChange("due=2020-03-01"), try FieldChange("repeats=\(rule)")]
        )
        #expect(plants.rule == rule)
    }

    @Test func anEditOfOneOccurrenceLeavesTheOthers() throws {
        let plants = try task("every week")
        let step = try library.editOnlyThis(plants, [try FieldChange("title=Drown plants")])
        #expect(step?.name.hasPrefix("Edited \"Drown plants\": title") == true)
        #expect(try tasks() == ["Drown plants 2026-11-21", "Water plants 2026-11-28"])
        _ = try library.undo()
        #expect(try tasks() == ["Water plants 2026-11-21"])
    }
}
