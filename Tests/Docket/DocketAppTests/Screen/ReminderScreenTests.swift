import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import TerminalUI
import Testing

@testable import DocketApp

/// Reminders that come while the interface is open, or came while it was not; it is 14:05.
@Suite struct ReminderScreenTests {
    private final class Desktop { var notices: [String] = [] }

    private let desktop = Desktop()

    private func robot(_ lines: String...) throws -> Robot {
        let robot = try Robot(settles: false) { library in
            for line in lines { _ = try library.addTask(capturing: line) }
        }
        let desktop = desktop
        robot.application.remind(noting: robot.folder.path)
        robot.application.notify = { desktop.notices += $0.map { "\($0.title): \($0.text)" } }
        robot.settle()
        return robot
    }

    /// Lets time pass until the program wakes by itself, which it has to do at that moment.
    private func wait(_ minutes: Double, _ robot: Robot) throws {
        let wake = try #require(robot.application.nextChange)
        #expect(
            wake - .now > .seconds(minutes * 60 - 5) && wake - .now < .seconds(minutes * 60 + 5)
        )
        robot.clock.context.now += minutes * 60 + 1
        robot.application.nextChange = .now
        robot.application.handle([.timedOut])
        robot.settle()
    }

    @Test func aReminderComesAtItsMomentWithBellTitleAndDesktop() throws {
        let robot = try robot("Call Ana today 16:00 remind me 1 h before", "Water")
        #expect(robot.terminal.rings == 0 && robot.workspace.messages.text == nil)
        try wait(55, robot)
        #expect(robot.shows("Reminder: \"Call Ana\", due today 16:00"))
        #expect(robot.terminal.rings == 1 && robot.terminal.title == "Call Ana")
        #expect(desktop.notices == ["Call Ana: due today 16:00"])
        try robot.press("j")
        #expect(robot.terminal.title == "Docket" && !robot.shows("Reminder:"))
        try robot.press("g R")
        #expect(robot.shows("Call Ana") && robot.row("Water") == nil)
    }

    @Test(arguments: ["Z", "z r"])
    func oneKeyRemindsAgainOfWhatAMessageIsAbout(keys: String) throws {
        let robot = try robot("Water", "Call Ana today 16:00 remind me 1 h before")
        try wait(55, robot)
        #expect(robot.shows("gR shows it · Z again in 10 min"))
        #expect(robot.selected == "Water")
        try robot.press(keys)
        #expect(robot.message.hasPrefix("Set reminder of \"Call Ana\" to 15:10"))
        #expect(try robot.task("Water").remindTimes == nil)
        try wait(10, robot)
        #expect(robot.shows("Reminder: \"Call Ana\"") && robot.terminal.rings == 2)
        try robot.press("u")
        #expect(try robot.task("Call Ana").remindTimes == "-PT1H")
        // Without a message it is about the selected task.
        try robot.select("Water")
        try robot.press("Z")
        #expect(robot.message.hasPrefix("Set reminder of \"Water\" to 15:20"))
    }

    @Test func snoozingAgainPostponesTheReminder() throws {
        let robot = try robot("Water", "Call Ana today 16:00 remind me 1 h before")
        try wait(55, robot)
        for _ in 0..<3 {
            try robot.select("Call Ana")
            try robot.press("Z")
            robot.clock.context.now.addTimeInterval(60)
        }
        try robot.select("Call Ana")
        try robot.press("Z")
        let times = try #require(robot.task("Call Ana").remindTimes?.split(separator: " "))
        #expect(times.count == 2 && times.contains("-PT1H"), "\(times)")
        try robot.select("Water")
        for _ in 0..<3 { try robot.press("Z") }
        #expect(try robot.task("Water").remindTimes?.contains(" ") == false)
    }

    @Test func whatIsTypedGoesOnWhenAReminderComes() throws {
        let robot = try robot("Call Ana today 16:00 remind me 1 h before")
        try robot.press("a")
        robot.type("Buy mi")
        try wait(55, robot)
        robot.type("lk\n")
        #expect(try robot.item("Buy milk").title == "Buy milk")
        #expect(robot.terminal.rings == 1)
    }

    @Test func whatCameWhileNothingRanIsSaidAtTheStart() throws {
        let robot = try robot(
            "One today 14:30 remind me 10 min before",
            "Two today 14:30 remind me 9 min before",
            "Three today 14:30 remind me 8 min before",
            "Four today 14:30 remind me 7 min before"
        )
        try robot.press("Q")
        let mark = ReminderMark(of: robot.library, in: robot.folder.path)
        try mark.announce(of: robot.library) { _ in true }
        robot.clock.context.now += 3600
        robot.application.scheduleClock()
        robot.settle()
        #expect(robot.shows("4 reminders: \"One\", \"Two\", \"Three\" and 1 more"))
        #expect(robot.terminal.rings == 1 && desktop.notices.count == 4)
    }

    @Test func twoWindowsRemindOnce() throws {
        let robot = try robot("Call Ana today 16:00 remind me 1 h before")
        robot.clock.context.now += 3600
        let other = ReminderMark(of: robot.library, in: robot.folder.path)
        var titles: [String] = []
        try other.announce(of: robot.library) {
            titles = $0.map(\.title)
            return true
        }
        robot.application.scheduleClock()
        #expect(titles == ["Call Ana"] && robot.terminal.rings == 0)
    }
}
