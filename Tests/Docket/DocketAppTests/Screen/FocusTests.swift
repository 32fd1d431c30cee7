import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// The timer of a task, and its screen.
@Suite struct FocusTests {
    private func robot(_ lines: String...) throws -> Robot {
        try Robot(columns: 120) { library in
            for line in lines { _ = try library.addTask(capturing: line) }
        }
    }

    private func wait(minutes: Double, _ robot: Robot) {
        robot.clock.context.now += minutes * 60
        robot.application.drawFrame()
    }

    @Test func aTimerStartsPausesAndStopsInTheFocus() throws {
        let robot = try robot("Write")
        try robot.library.perform(.estimate(3600), on: [robot.item("Write")])
        robot.settle()
        try robot.press("F")
        #expect(robot.shows("not started") && robot.shows("Write"))
        try robot.press("space")
        #expect(robot.message.hasPrefix("Started the timer of \"Write\""))
        wait(minutes: 25.05, robot)
        #expect(robot.shows("25:03  running since today 14:05"), "\(robot.text)")
        #expect(robot.shows("25 min of 1 h estimated, 34 min left"), "\(robot.text)")
        try robot.press("space")
        #expect(robot.message.contains("Stopped the timer of \"Write\", 25 min"))
        #expect(robot.shows("25:03  stopped"))
        try robot.press("space")
        wait(minutes: 10, robot)
        #expect(robot.shows("35 min of 1 h estimated, 24 min left"))
        try robot.press("s")
        #expect(robot.workspace.focus == .items && robot.workspace.timer.running == nil)
        try robot.press("u u u u")
        #expect(try robot.task("Write").timeEntries.isEmpty)
    }

    @Test func theClockWakesOnceASecondOnlyWhereItIsSeen() throws {
        let robot = try robot("Write")
        #expect(robot.workspace.timer.nextTick == nil)
        try robot.press("T")
        let minute = try #require(robot.workspace.timer.nextTick)
        #expect(minute - .now > .seconds(50))
        try robot.press("F")
        let second = try #require(robot.workspace.timer.nextTick)
        #expect(second - .now <= .seconds(1.1))
        try robot.press("esc T")
        #expect(robot.workspace.timer.nextTick == nil)
    }

    @Test func theTitleLineShowsTheRunningTimer() throws {
        let robot = try robot("日本語 plan the trip to the mountains", "Other")
        try robot.press("T")
        wait(minutes: 65, robot)
        #expect(robot.screen[0].contains("▶ 1:05 日本語 plan the"), "\(robot.screen[0])")
        try robot.press("j T")
        #expect(robot.message.contains("Started the timer of \"Other\", stopped that of"))
    }

    @Test func completingTheTaskStopsItsTimerInOneStep() throws {
        let robot = try robot("Write")
        try robot.press("F space")
        wait(minutes: 5, robot)
        try robot.press("x")
        #expect(robot.workspace.timer.running == nil && robot.screen[0].contains("done"))
        try robot.press("u")
        #expect(robot.workspace.timer.running != nil)
    }

    @Test func theTimerOfAnotherWindowIsShownAndStoppedByIt() throws {
        let robot = try robot("Write")
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        let task = try #require(try other.items(matching: nil).first as? DocketCore.Task)
        try other.startTimer(of: task)
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.screen[0].contains("▶ 0:00 Write"))
        try other.stopTimer()
        robot.application.handle([.woken])
        robot.settle()
        #expect(!robot.screen[0].contains("Write"))
    }

    @Test func aTimerRunsOnAfterTheWindowIsGone() throws {
        let robot = try robot("Write")
        try robot.press("T")
        let next = try Robot(reopening: robot)
        #expect(next.screen[0].contains("▶ 0:00 Write"))
    }

    @Test(arguments: [("s", 600), ("d", nil), ("k", nil)] as [(String, Double?)])
    func aForgottenTimerIsAskedAboutOnce(answer: String, minutes: Double?) throws {
        let robot = try robot("Write")
        try robot.press("T j")
        wait(minutes: 600, robot)
        try robot.press("j")
        #expect(robot.shows("The timer of \"Write\" runs since yesterday 14:05."), "\(robot.text)")
        try robot.press(answer)
        let task = try robot.task("Write")
        if let minutes { #expect(try robot.library.timeSpent(on: task) == minutes * 60) }
        #expect((robot.workspace.timer.running != nil) == (answer == "k"))
        #expect(task.timeEntries.isEmpty == (answer == "d"))
        wait(minutes: 600, robot)
        try robot.press("j")
        #expect(robot.workspace.modal == nil)
    }

    @Test func theEndOfAForgottenTimerIsTyped() throws {
        let robot = try robot("Write")
        try robot.press("T j")
        wait(minutes: 600, robot)
        try robot.press("j e")
        robot.type("today 9:00\n")
        #expect(robot.message.contains("The work ended after"))
        try robot.press("ctrl+u")
        robot.type("yesterday 15:05\n")
        #expect(try robot.library.timeSpent(on: robot.task("Write")) == 3600)
    }

    @Test func withoutATaskTheFocusSaysWhy() throws {
        let robot = try Robot { _ in }
        try robot.press("F")
        #expect(robot.message.contains("There is no task here"))
        try robot.press("T")
        #expect(robot.workspace.timer.running == nil)
    }
}
