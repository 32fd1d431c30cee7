import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// The agenda and the month; today is Saturday, 21 November 2026, 14:05.
@Suite struct AgendaScreenTests {
    private static let sample = Sample("agenda") { library in
        for line in [
            "Renew the passport 3 days ago +Home", "Review #412 today 16:00 30min +Work",
            "Water the plants today every 2 days +Home", "Pay rent mon 9:00 +Home",
            "One to one wed 10:00-10:45 +Work", "Plan the garden wed", "Someday maybe",
        ] { _ = try library.addTask(capturing: line) }
        let trip = try library.addTask(capturing: "Pack +Home")
        trip.setStart(DueDate(day: library.clock().today.adding(days: 1)))
        trip.setDue(DueDate(day: library.clock().today.adding(days: 5)))
        try library.context.save()
    }

    private func agenda(rows: Int = 24, columns: Int = 120, config: String = "") throws -> Robot {
        let robot = try Robot(rows: rows, columns: columns, config: config, sample: Self.sample)
        try robot.press("g a")
        return robot
    }

    /// The rows of the middle pane, without blanks at their ends.
    private func rows(_ robot: Robot) throws -> [String] {
        let id = robot.workspace.panes.middle
        let area = try #require(robot.application.layout.panes[id]?.body)
        return (area.row..<area.endRow).map { row in
            let cells = robot.terminal.frame.cells(row)[area.column..<area.endColumn]
            return cells.map(\.text).joined().split(separator: " ", omittingEmptySubsequences: true)
                .joined(separator: " ")
        }.filter { !$0.isEmpty }
    }

    @Test func daysHaveWhatIsDueStartsAndComesAgain() throws {
        let robot = try agenda()
        #expect(
            try rows(robot) == [
                "Overdue │ 1 task, - shows them", "Today Sat 21 │ 16:00 ○ Review #412 Work 30 min",
                "30 min │ ○ Water the plants Home", "Tomorrow Sun 22 │ ○ Pack Home starts, due Thu",
                "Mon 23 │ 9:00 ○ Pay rent Home", "│ ○ Water the plants Home again",
                "Tue 24 │ nothing due",
                "Wed 25 │ 10:00 ○ One to one Work until 10:45", "│ ○ Plan the garden",
                "│ ○ Water the plants Home again", "Thu 26 │ ○ Pack Home",
                "Fri 27 │ ○ Water the plants Home again",
            ]
        )
        #expect(robot.screen[0].contains("next 7 days · 6 due · 30 min estimated"))
        #expect(robot.selected == "Review #412")
    }

    @Test func aWeekOfManyTasksIsReadInFewStatements() throws {
        func statements(_ count: Int) throws -> Int {
            let sample = Sample("week of \(count)") { library in
                for number in 1...count {
                    _ = try library.addTask(capturing: "Task \(number) in \(8 + number % 5) days")
                }
            }
            let robot = try Robot(columns: 120, sample: sample)
            try robot.press("g a")
            let coordinator = robot.library.context.coordinator
            coordinator.startCounting()
            try robot.press("]")
            #expect(robot.shows("Task 1"))
            return coordinator.counters.statements
        }
        // A statement reads some hundred rows.
        let (few, many) = (try statements(30), try statements(300))
        #expect(many <= few + 6, "\(few), \(many)")
    }

    @Test func commandsOnItemsWorkOnTheRows() throws {
        let robot = try agenda()
        try robot.press("space")
        #expect(try robot.task("Review #412").isDone)
        try robot.press("j >")
        #expect(robot.selected == "Pack" || robot.message.hasPrefix("Moved"))
        try robot.press("u u")
        #expect(try !robot.task("Review #412").isDone)
        try robot.press("t v v")
        #expect(robot.workspace.items.marks.count == 2)
        try robot.press("3 >")
        #expect(robot.message == "Moved 2 tasks 3 days later · u undoes")
        try robot.press("esc")
        #expect(robot.workspace.items.marks.isEmpty && robot.workspace.items.span != nil)
        try robot.press("esc")
        #expect(robot.workspace.items.span == nil)
    }

    @Test func aTaskIsAddedOnTheDayOfTheRow() throws {
        let robot = try agenda()
        try robot.press("] g g a")
        robot.type("Call Ana")
        try robot.press("enter")
        let day = try #require(Day(year: 2026, month: 11, day: 28))
        #expect(try robot.task("Call Ana").dueDate == DueDate(day: day))
        #expect(robot.selected == "Call Ana")
        try robot.press("t")
        #expect(robot.workspace.items.span?.first == nil && robot.selected == "Review #412")
    }

    @Test func weeksAndMonthsMove() throws {
        let robot = try agenda()
        func first() -> String {
            robot.workspace.items.span?.first.map(ISODate.string) ?? "today"
        }
        try robot.press("2 ]")
        #expect(first() == "2026-12-05")
        try robot.press("[ [")
        #expect(first() == "today")
        try robot.press("}")
        #expect(first() == "2026-12-21" && robot.screen[0].contains("Mon 21 Dec – Sun 27 Dec"))
        try robot.press("{ {")
        #expect(first() == "2026-10-21")
    }

    @Test func whatIsOverdueUnfoldsAndIsCounted() throws {
        let robot = try agenda()
        try robot.press("-")
        #expect(try rows(robot)[0] == "Overdue │ !3d ○ Renew the passport Home")
        try robot.press("g g space")
        #expect(try robot.task("Renew the passport").isDone)
        #expect(try rows(robot)[0].hasPrefix("Today"))
        try robot.press("- u")
        #expect(try rows(robot)[0].hasPrefix("Overdue"))
    }

    @Test func aLaterOccurrenceIsSkippedAndMovedAlone() throws {
        let robot = try agenda()
        func later() throws -> [String] {
            try rows(robot).filter { $0.hasSuffix("again") }
        }
        robot.workspace.items.select(try #require(Day(year: 2026, month: 11, day: 27)))
        try robot.press("space")
        #expect(robot.message == "This occurrence is not there yet; x skips it, > and < move it.")
        try robot.press("x")
        #expect(robot.message == "Skipped \"Water the plants\" on Fri 27 Nov · u undoes")
        #expect(try later().count == 2)
        robot.workspace.items.select(try #require(Day(year: 2026, month: 11, day: 23)))
        try robot.press("j >")
        #expect(
            robot.message == "Moved \"Water the plants\" from Mon 23 Nov to Tue 24 Nov · u undoes"
        )
        #expect(try rows(robot).contains("Tue 24 │ ○ Water the plants Home again"))
        try robot.press("u u")
        #expect(try later().count == 3)
    }

    /// A series every two days and one every day, and the agenda of their week.
    private func twoSeries() throws -> Robot {
        let robot = try Robot(columns: 120) { library in
            _ = try library.addTask(capturing: "Water today 20:00 every 2 days")
            _ = try library.addTask(capturing: "Walk today 21:00 every 2 days")
        }
        try robot.press("g a")
        return robot
    }

    /// The title and the day of the occurrence under the cursor.
    private func selectedLater(_ robot: Robot) -> String {
        guard let (task, date) = robot.workspace.items.selectedLater else { return "" }
        return "\(task.title) \(ISODate.string(date.day(in: .utc)))"
    }

    @Test func theCursorFollowsAnOccurrenceThatMoves() throws {
        let robot = try twoSeries()
        robot.workspace.items.select(try #require(Day(year: 2026, month: 11, day: 25)))
        #expect(selectedLater(robot) == "Water 2026-11-25")
        try robot.press(">")
        #expect(selectedLater(robot) == "Water 2026-11-26")
        try robot.press(">")
        #expect(
            robot.message
                == "Moved \"Water\" from Thu 26 Nov 20:00 to Fri 27 Nov 20:00 · u undoes"
        )
        #expect(selectedLater(robot) == "Water 2026-11-27")
        try robot.press("<")
        #expect(selectedLater(robot) == "Water 2026-11-26")
    }

    @Test func theCursorStaysOnTheDayOfWhatIsSkippedAndUndoReturnsIt() throws {
        let robot = try twoSeries()
        robot.workspace.items.select(try #require(Day(year: 2026, month: 11, day: 25)))
        try robot.press("j")
        #expect(selectedLater(robot) == "Walk 2026-11-25")
        try robot.press("x")
        #expect(robot.workspace.items.selectedDay == Day(year: 2026, month: 11, day: 25))
        try robot.press("u")
        #expect(selectedLater(robot) == "Walk 2026-11-25")
        try robot.press(">")
        #expect(robot.message.hasPrefix("Moved \"Walk\" from Wed 25 Nov 21:00"))
        try robot.press("u")
        #expect(selectedLater(robot) == "Walk 2026-11-25")
        try robot.press("x")
        #expect(robot.message.hasPrefix("Skipped \"Walk\" on Wed 25 Nov 21:00"))
    }

    @Test func undoOfAnItemsChangeReturnsToTheItem() throws {
        let robot = try twoSeries()
        #expect(robot.selected == "Water")
        try robot.press("space")
        try robot.press("u")
        #expect(robot.selected == "Water" && robot.workspace.items.selectedLater == nil)
    }

    @Test func moreThanADayHasIsToldByASign() throws {
        let robot = try agenda(columns: 160, config: "day-hours = 1\n")
        #expect(robot.shows("Sat 21") && !robot.shows("Sat 21 !") && robot.shows(" 30 min "))
        let task = try robot.task("Water the plants")
        try robot.library.perform(.estimate(3600), on: [task])
        robot.settle()
        #expect(robot.shows("Sat 21 !") && robot.shows(" 1 h 30 min "))
    }

    @Test(arguments: [60, 80, 160])
    func theSignOfTooManyHoursIsNotCut(columns: Int) throws {
        let robot = try Robot(columns: columns, config: "day-hours = 6\n") { library in
            for (line, hours) in [("Paint sun", 9), ("Sand sun 10:00", 3)] {
                let task = try library.addTask(capturing: line)
                try library.perform(.estimate(hours * 3600), on: [task])
            }
        }
        try robot.press("g a")
        #expect(robot.shows("Sun 22 !") && robot.shows("12 h"), "\(robot.text)")
    }

    @Test func theDaysMoveOnAtMidnight() throws {
        let robot = try agenda()
        robot.clock.context.now.addTimeInterval(10 * 3600)
        robot.application.nextChange = .now
        robot.application.handle([.timedOut])
        robot.settle()
        #expect(try rows(robot).contains { $0.hasPrefix("Today Sun 22") })
        #expect(try rows(robot).contains { $0.hasPrefix("Sat 28") })
    }

    @Test func aSearchShowsPlainRowsAndEndsInTheAgenda() throws {
        let robot = try agenda()
        try robot.press("/")
        robot.type("rent")
        try robot.press("enter")
        #expect(robot.titles == ["Pay rent"])
        try robot.press("esc")
        #expect(try rows(robot)[1].hasPrefix("Today"))
    }

    @Test(arguments: [(36, 120), (24, 80), (20, 60), (10, 40), (100, 300), (5, 20)])
    func everySizeHasTheRows(rows: Int, columns: Int) throws {
        let robot = try agenda(rows: rows, columns: columns)
        #expect(robot.shows("Revie") || columns < 40)
        try robot.press("] [ } { t G g g x - - J")
        try robot.press("g M l j h k } { t tab tab")
        #expect(robot.workspace.items.span?.isOfMonth == true)
    }

    // MARK: Month

    @Test func theDayUnderTheCursorIsBesideTheMonth() throws {
        let robot = try agenda()
        try robot.press("g M")
        #expect(robot.shows("November 2026") && robot.shows("21▪▪"))
        try robot.press("j")
        #expect(robot.shows("Sat 28 Nov"))
        try robot.press("k h h h")
        #expect(robot.shows("Renew the passport"))
        try robot.press("tab >")
        #expect(robot.message == "Moved \"Renew the passport\" to Thu 19 Nov · u undoes")
        try robot.press("esc t }")
        #expect(robot.shows("December 2026"))
        try robot.press("esc")
        #expect(robot.workspace.items.span == nil)
    }
}
