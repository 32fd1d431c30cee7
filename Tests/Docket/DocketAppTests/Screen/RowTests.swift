import CivilTime
import DocketCore
import FoundationEssentials
import LibraryVerbs
import ObjectGraph
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// The title owns the row: what gives way, and in which order.
@Suite struct RowTests {
    private static let long = "Call the dentist about the appointment that was moved to the spring"

    private static let sample = Sample("rows") { library in
        _ = try library.addTask(capturing: "\(long) tomorrow 9:00 #phone +Health")
        _ = try library.addTask(capturing: "Pay rent fri 9:00 #bank +Home")
        _ = try library.addTask(capturing: "Water the fern yesterday #green +Home")
        _ = try library.addTask(capturing: "Plan the trip in 3 weeks +Travel")
    }

    /// What stands in the row of a title, the frames of the panes and the bar left out.
    private func row(_ robot: Robot, _ title: String) throws -> String {
        let line = robot.screen.first { $0.contains("○ \(title.prefix(6))") }
        let parts = try #require(line, "\(robot.text)").split { "│▐".contains($0) }
        return parts.first { $0.contains("○ \(title.prefix(6))") }.map(String.init) ?? ""
    }

    @Test(arguments: [60, 63, 64, 80, 99, 100, 109, 110, 111, 120, 140, 200])
    func theDetailPaneOpensOnlyWhereTheItemsKeepSixtyColumns(columns: Int) throws {
        let robot = try Robot(columns: columns, sample: Self.sample)
        let detail = robot.application.layout.panes[.detail]
        let items = try #require(robot.application.layout.panes[.items])
        #expect((detail != nil) == (columns >= 110))
        if detail != nil { #expect(items.area.columns >= 60) }
        let layout = robot.application.layout
        let panes = layout.panes.values.reduce(0) { $0 + $1.area.columns }
        #expect(panes + layout.dividers.count == columns)
    }

    @Test func atAHundredColumnsNoDateIsCut() throws {
        let robot = try Robot(columns: 100, sample: Self.sample)
        #expect(try row(robot, "Pay rent").contains("#bank"))
        #expect(try row(robot, "Pay rent").contains("Fri 9:00"))
        #expect(try row(robot, "Water").contains("! yesterday"))
        #expect(try row(robot, "Plan the trip").contains("12 Dec"))
        // Longer than the pane: the shortest date stays whole, and nothing else is there.
        #expect(try row(robot, RowTests.long).contains(RowTests.long.prefix(50)))
        #expect(try row(robot, RowTests.long).contains("Sun"))
        #expect(try !row(robot, RowTests.long).contains("#phone"))
    }

    /// Widths all over a range.
    private static func widths(_ range: ClosedRange<Int>) -> [Int] {
        var random = SeededRandom(seed: 24)
        return random.share(of: range, oneIn: 5)
    }

    @Test(arguments: RowTests.widths(24...160)) func whatGivesWayGoesInOrder(columns: Int) throws {
        let robot = try Robot(columns: columns, sample: Self.sample)
        let line = try row(robot, RowTests.long)
        let isWhole = line.contains(RowTests.long)
        let (tags, list) = (line.contains("#phone"), line.contains("Health"))
        let (words, short) = (line.contains("tomorrow 9:00"), line.contains(" Sun"))
        #expect(words || short, "\(columns): \(line)")
        #expect(words != short, "\(columns): \(line)")
        if tags { #expect(list, "\(columns): \(line)") }
        if list || words { #expect(isWhole, "\(columns): \(line)") }
        if !isWhole { #expect(line.contains("…"), "\(columns): \(line)") }
        // Nothing is cut that has room.
        let room = line.count
        if room >= RowTests.long.count + 10 { #expect(isWhole, "\(columns): \(line)") }
        if room >= RowTests.long.count + 20 { #expect(words, "\(columns): \(line)") }
        for title in ["Pay rent", "Water the fern", "Plan the trip"] where columns >= 40 {
            let line = try row(robot, title)
            #expect(line.contains(title), "\(columns): \(line)")
            #expect(!line.contains("…"), "\(columns): \(line)")
        }
    }

    @Test func aStretchOfHoursIsShownFromItsStart() throws {
        let robot = try Robot(columns: 140) { library in
            _ = try library.addTask(capturing: "Lunch tomorrow 12:30-13:30")
        }
        #expect(try row(robot, "Lunch").contains("tomorrow 12:30-13:30"))
        #expect(robot.shows("due Sun 22 Nov 2026, 12:30-13:30"), "\(robot.text)")
        #expect(!robot.shows("starts"))
    }

    @Test func aRepeatingTaskSaysHowManyOccurrencesHavePassed() throws {
        let robot = try Robot(columns: 100) { library in
            for line in [
                "Water the fern 5 days ago every day", "Sweep 3 weeks ago every week",
                "Blink yesterday 9:00 every minute", "Shave 5 days ago every! day",
                "Air 5 days ago every month", "Bake tomorrow every day", "Odd 5 days ago",
            ] {
                _ = try library.addTask(capturing: line)
            }
            let done = try library.addTask(capturing: "Dust 5 days ago every year")
            try library.complete([done])
        }
        #expect(try row(robot, "Water the fern").contains("Water the fern  4 missed"))
        #expect(try row(robot, "Sweep").contains("Sweep  2 missed"))
        #expect(try row(robot, "Blink").contains("Blink  999+ missed"))
        for title in ["Shave", "Air", "Bake", "Odd"] {
            #expect(try !row(robot, title).contains("missed"))
        }
        // The count follows the rule, the date and the clock.
        let fern = try robot.task("Water the fern")
        fern.rule = "every 2 days"
        try robot.library.context.save()
        robot.settle()
        #expect(try row(robot, "Water the fern").contains("Water the fern  2 missed"))
        robot.clock.context = DateContext(now: Robot.now.addingTimeInterval(2 * 86_400), zone: .utc)
        robot.application.handle([.timedOut])
        robot.settle()
        #expect(try row(robot, "Water the fern").contains("Water the fern  3 missed"))
        try robot.press("u")
    }

    private static let missed = Sample("missed") { library in
        _ = try library.addTask(capturing: "Water the fern 5 days ago every day #green +Home")
    }

    @Test(arguments: RowTests.widths(24...120))
    func theCountOfMissedOccurrencesIsWholeOrAbsent(columns: Int) throws {
        let robot = try Robot(columns: columns, sample: Self.missed)
        let line = try row(robot, "Water the fern")
        let isWhole = line.contains("Water the fern  4 missed")
        #expect(isWhole || !line.contains("mis"), "\(line)")
        if line.contains("Home") { #expect(isWhole, "\(line)") }
        if line.count > 50 { #expect(isWhole, "\(line)") }
    }

    @Test func countsOfMissedOccurrencesCostNoStatement() throws {
        func statements(rule: String) throws -> Int {
            let robot = try Robot(rows: 40) { library in
                for number in 1...30 {
                    _ = try library.addTask(capturing: "Task \(number) 5 days ago\(rule)")
                }
            }
            let coordinator = robot.library.context.coordinator
            coordinator.startCounting()
            try robot.press("j G g g")
            try robot.workspace.show(.smart(.overdue))
            robot.settle()
            #expect(robot.shows("4 missed") == !rule.isEmpty)
            return coordinator.counters.statements
        }
        let (without, with) = (try statements(rule: ""), try statements(rule: " every day"))
        #expect(with == without)
    }

    @Test func shortDatesAreTheShortestThatIsClear() throws {
        let context = DateContext(now: Robot.now, zone: .utc)
        let format = DateFormat(context: context)
        let parser = DateParser(context: context)
        let cases = [
            ("today", "today"), ("today 18:30", "18:30"), ("today 9:00", "!9:00"),
            ("tomorrow 9:00", "Sun"), ("fri", "Fri"), ("yesterday", "!1d"), ("3 days ago", "!3d"),
            ("12 Dec", "21d"), ("2027-06-01", "27w"), ("2030-01-01", "3y"), ("2020-01-01", "!6y"),
            ("2026-01-01", "!46w"),
        ]
        for (text, short) in cases {
            #expect(format.shortest(try parser.parse(text)) == short, "\(text)")
        }
    }
}
