import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// The statistics on the screen; it is Saturday, 21 November.
@Suite struct StatisticsScreenTests {
    /// Four tasks of a list were done this week and one the week before, with time; two are open.
    private static let sample = Sample("statistics") { library in
        let now = library.clock().now
        for (index, days) in [0.0, 1, 2, 2, 9].enumerated() {
            let task = try library.addTask(capturing: "done \(index) +Work")
            task.created = now.addingTimeInterval(-40 * 86_400)
            task.completed = now.addingTimeInterval(-days * 86_400)
            let entry = library.context.insert(TimeEntry.self)
            (entry.task, entry.start) = (task, now.addingTimeInterval(-days * 86_400 - 3600))
            entry.end = now.addingTimeInterval(-days * 86_400)
        }
        for title in ["open one +Work", "Ä 日本 open +Home"] {
            let task = try library.addTask(capturing: title)
            task.created = now.addingTimeInterval(-100 * 86_400)
        }
        try library.context.save(as: "Edited tasks")
    }

    private func robot(
        rows: Int = 60,
        columns: Int = 120,
        isASCII: Bool = false
    ) throws -> Robot {
        let robot = try Robot(rows: rows, columns: columns, isASCII: isASCII, sample: Self.sample)
        try robot.press("g S")
        robot.settle()
        return robot
    }

    @Test func everyChartHasItsNumberInWords() throws {
        let robot = try robot()
        for words in [
            "4 done this week, 3 more than last", "2 open, 5 fewer than 4 weeks ago",
            "Burndown of Work", "2 of 2 older than 3 months, the oldest 100 days",
            "5 h in 8 weeks, for Work", "Done by hour",
        ] {
            #expect(robot.shows(words), "\(words)\n\(robot.text)")
        }
        #expect(robot.screen[0].contains("all tasks"))
    }

    @Test func plotsAreOfAsciiWhereTheSettingsWantIt() throws {
        let robot = try robot(isASCII: true)
        let strange = robot.screen.dropFirst().joined().unicodeScalars.filter { !$0.isASCII }
        #expect(strange.isEmpty, "\(strange)")
        #expect(robot.text.contains("##"))
    }

    @Test func theShownListIsTheSubjectAndAnotherOneIsChosen() throws {
        let robot = try Robot(rows: 60, columns: 120, sample: Self.sample)
        let home = try #require(try robot.library.existingList(path: ["Home"]))
        try robot.workspace.show(.list(home.objectID))
        try robot.press("g S")
        #expect(robot.screen[0].contains("Home") && robot.shows("0 done this week"))
        try robot.press("m")
        robot.type("work\n")
        robot.settle()
        #expect(robot.screen[0].contains("Work") && robot.shows("4 done this week"))
    }

    @Test func oneChartHasTheScreenUntilEscape() throws {
        let robot = try robot()
        try robot.press("l l l enter")
        #expect(robot.shows("over a year") && !robot.shows("done this week"))
        try robot.press("esc")
        #expect(robot.shows("done this week"))
        try robot.press("esc")
        #expect(robot.workspace.focus == .items)
    }

    @Test func aSaveOfAnotherWindowIsCounted() throws {
        let robot = try robot()
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        let open = try #require(try other.items(matching: \.title == "open one").first)
        try other.complete([open])
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.shows("5 done this week"), "\(robot.text)")
        try robot.press("u")
        robot.settle()
        #expect(robot.shows("4 done this week"))
    }

    @Test func theNextDayIsCountedAtMidnight() throws {
        let robot = try robot()
        robot.clock.context.now += 2 * 86_400
        robot.application.nextChange = .now
        robot.application.handle([.timedOut])
        robot.settle()
        #expect(robot.shows("0 done this week, 4 fewer than last"), "\(robot.text)")
    }

    @Test(arguments: [(5, 20), (6, 30), (12, 40), (24, 80), (40, 200), (3, 10)])
    func everySizeHasTheSelectedChart(rows: Int, columns: Int) throws {
        let robot = try robot(rows: rows, columns: columns)
        for _ in TaskStatistics.Chart.allCases {
            robot.terminal.frame.checkInvariants()
            for line in robot.screen { #expect(DisplayWidth.of(line) <= columns) }
            try robot.press("l")
        }
        if rows >= 5 { #expect(robot.shows("Done by hour"), "\(robot.text)") }
    }
}
