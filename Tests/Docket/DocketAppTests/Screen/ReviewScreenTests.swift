import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// A review, one thing at a time.
@Suite struct ReviewScreenTests {
    private static let sample = Sample("review") { library in
        let now = library.clock().now
        for (index, title) in ["Oldest +Work", "Paint 日本", "Sell the piano"].enumerated() {
            let task = try library.addTask(capturing: title)
            task.modified = now.addingTimeInterval(-Double(60 - index) * 86_400)
        }
        _ = try library.addTask(capturing: "New")
        _ = try library.addList(path: ["Empty"])
        let work = try library.existingList(path: ["Work"])
        work?.lastReviewed = now.addingTimeInterval(-8 * 86_400)
        try library.context.save(as: "Edited")
    }

    private func robot() throws -> Robot {
        let robot = try Robot(rows: 30, columns: 100, sample: Self.sample)
        try robot.press("g =")
        return robot
    }

    @Test func theLongestUntouchedComesFirstAndListsFollow() throws {
        let robot = try robot()
        #expect(robot.screen[0].contains("4 left"))
        let rows = ["Oldest", "Paint", "Sell", "List Empty"].compactMap { robot.row($0) }
        #expect(rows == rows.sorted() && rows.count == 4)
        #expect(!robot.shows("List Work") && robot.row("New") == nil)
        #expect(robot.shows("keep") && robot.shows("someday") && robot.shows("next action"))
    }

    @Test func eachDecisionIsAStepAndGoesOnWithTheNext() throws {
        let robot = try robot()
        try robot.press("=")
        #expect(robot.message.hasPrefix("Reviewed \"Oldest\""))
        #expect(robot.screen[0].contains("3 left") && robot.screen[0].contains("1 seen this week"))
        #expect(robot.screen[try #require(robot.row("Oldest"))].contains("✓"))
        try robot.press("D")
        robot.type("tomorrow\n")
        #expect(try robot.task("Paint 日本").due != nil)
        try robot.press("d")
        #expect(try robot.item("Sell the piano").trashed != nil)
        #expect(robot.screen[0].contains("1 left"))
        try robot.press("u")
        #expect(robot.screen[0].contains("2 left"))
        try robot.press("u u")
        #expect(robot.screen[0].contains("4 left"))
    }

    @Test func somedayTakesDatesAndKeepsATaskWithoutAny() throws {
        let robot = try robot()
        try robot.press("y")
        #expect(robot.message.hasPrefix("Reviewed \"Oldest\""))
        let task = try robot.task("Paint 日本")
        task.setDue(DueDate(moment: robot.clock.context.now))
        task.modified = robot.clock.context.now.addingTimeInterval(-70 * 86_400)
        try robot.library.context.save(as: "Edited")
        robot.settle()
        try robot.press("g g y")
        #expect(task.due == nil)
    }

    @Test func aNoteIsNoOpenTaskOfAList() throws {
        let robot = try Robot(rows: 30, columns: 100) { library in
            _ = try library.addNote(capturing: "Ideas +Empty")
            _ = try library.addNote(capturing: "More +Home")
            _ = try library.addTask(capturing: "Sow +Home")
        }
        try robot.press("g = g g")
        #expect(robot.shows("No task is open here: what is the next one?"))
        try robot.press("j")
        #expect(robot.shows("1 open task") && !robot.shows("open tasks"))
    }

    @Test func aListWithoutATaskAsksForTheNextOne() throws {
        let robot = try robot()
        try robot.press("G")
        #expect(robot.shows("No task is open here: what is the next one?"))
        try robot.press("d")
        #expect(robot.message.contains("This is a list"))
        try robot.press("n")
        robot.type("Begin\n")
        #expect(try robot.task("Begin").list?.name == "Empty")
        try robot.press("=")
        #expect(robot.message.hasPrefix("Reviewed the list \"Empty\""))
    }

    @Test func oneLeavesAndComesBackToTheSamePlace() throws {
        let robot = try robot()
        try robot.press("j j esc")
        #expect(robot.workspace.focus == .items)
        try robot.press("g = space")
        #expect(try robot.task("Sell the piano").isDone)
    }

    @Test func theWeeksOfTheSettingsDecide() throws {
        let robot = try robot()
        robot.clock.context.settings.reviewWeeks = 9
        try robot.press("esc g V")
        #expect(robot.titles.isEmpty)
        #expect(robot.shows("Everything was looked at in the last 9 weeks."))
        robot.clock.context.settings.reviewWeeks = 8
        try robot.press("g A g V")
        #expect(
            robot.titles == ["Oldest", "Paint 日本", "Sell the piano"] || robot.titles.count == 3
        )
    }

    @Test func nothingToReviewIsSaid() throws {
        let robot = try Robot { _ = try $0.addTask(capturing: "New") }
        try robot.press("g =")
        #expect(robot.shows("Everything was looked at in the last 2 weeks."))
        try robot.press("= d y n D space enter")
        #expect(robot.workspace.modal == nil)
    }
}
