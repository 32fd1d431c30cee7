import DocketCore
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// What becomes of open subtasks when their parent is completed or trashed.
@Suite struct SubtaskTests {
    private func state(_ robot: Robot) throws -> [String: String] {
        var states: [String: String] = [:]
        for title in ["Plan the garden", "order seeds", "measure the beds", "draw a plan"] {
            let task = try robot.task(title)
            states[title] =
                task.trashed != nil ? "trashed" : task.completed != nil ? "done" : "open"
        }
        return states
    }

    @Test func escapeAtTheQuestionChangesNothing() throws {
        let robot = try Robot()
        let before = try robot.library.latestTransaction()
        for key in ["space", "d"] {
            try robot.select("Plan the garden")
            try robot.press(key)
            #expect(robot.shows("\"Plan the garden\" has 2 open subtasks."))
            try robot.press("x esc")
            #expect(robot.workspace.modal == nil)
        }
        #expect(try robot.library.latestTransaction() == before)
    }

    @Test func subtasksAreCompletedWithTheirParentInOneStep() throws {
        let robot = try Robot()
        let before = try state(robot)
        let steps = try robot.undoSteps().count
        try robot.select("Plan the garden")
        try robot.press("space s")
        #expect(Set(try state(robot).values) == ["done"])
        #expect(robot.message == "Completed 3 tasks · u undoes")
        #expect(try robot.undoSteps().count == steps + 1)
        try robot.press("u")
        #expect(try state(robot) == before)
    }

    @Test func subtasksThatAreLeftStayUnderTheirDoneParent() throws {
        let robot = try Robot()
        let titles = robot.titles
        try robot.select("Plan the garden")
        try robot.press("space l")
        #expect(
            robot.message == "Completed \"Plan the garden\"; 2 open subtasks stay open · u undoes"
        )
        #expect(try robot.task("draw a plan").parent?.title == "Plan the garden")
        // The done parent keeps its place as long as something under it is open.
        #expect(robot.titles == titles.filter { $0 != "measure the beds" })
        let parent = try #require(robot.row("✓ Plan the garden"))
        #expect(robot.screen[parent + 1].contains("  ○ order seeds"))
        let list = try #require(try robot.library.existingList(path: ["Home", "Garden"]))
        try robot.workspace.show(.list(list.objectID))
        robot.settle()
        #expect(robot.titles.prefix(3) == ["Plan the garden", "order seeds", "draw a plan"])
        try robot.press("g A")
        for title in ["order seeds", "draw a plan"] {
            try robot.select(title)
            try robot.press("space")
        }
        #expect(!robot.titles.contains("Plan the garden"))
        try robot.press("u")
        #expect(robot.titles.contains("Plan the garden"))
    }

    @Test func subtasksAreTrashedWithTheirParentDoneOnesToo() throws {
        let robot = try Robot()
        let before = try state(robot)
        try robot.select("Plan the garden")
        try robot.press("d s")
        #expect(Set(try state(robot).values) == ["trashed"])
        #expect(robot.message == "Trashed 4 tasks · u undoes")
        try robot.press("u")
        #expect(try state(robot) == before)
    }

    @Test func subtasksOfATrashedParentSayWhoseTheyAre() throws {
        let robot = try Robot(columns: 200)
        try robot.select("Plan the garden")
        try robot.press("d l")
        #expect(try state(robot)["order seeds"] == "open")
        #expect(try robot.task("order seeds").parent?.title == "Plan the garden")
        #expect(robot.shows("Home/Garden of Plan the garden") || robot.shows("Garden of Plan"))
        // A done one is where done tasks are.
        #expect(!robot.titles.contains("measure the beds"))
        try robot.press("g d")
        #expect(robot.titles == ["measure the beds"])
    }

    @Test func nothingIsAskedWhereNothingWouldBeLeft() throws {
        let robot = try Robot()
        try robot.press("V space")
        #expect(robot.workspace.modal == nil)
        // The note, and the next occurrence of what repeats.
        #expect(robot.titles == ["Pay rent", "Soil test results"])
        try robot.press("u")
        try robot.select("draw a plan")
        try robot.press("space")
        #expect(robot.workspace.modal == nil)
    }

    @Test func subtasksAtAnyDepthCountHoweverManyParentsThereAre() throws {
        for count in [1, 100] {
            let robot = try Robot { library in
                for number in 1...count {
                    var defaults = ItemDefaults()
                    for depth in ["top", "middle", "low"] {
                        let parser = CaptureParser(context: library.clock())
                        let captured = try parser.capture("\(depth) \(number)")
                        defaults.parent = try library.addTask(captured, defaults).task
                    }
                }
            }
            let tops = try robot.library.items(
                matching: Condition { $0.title.beginsWith("top") }
            )
            #expect(tops.count == count)
            let middle = try robot.library.items(
                matching: Condition { $0.title.beginsWith("middle") }
            )
            try robot.library.complete(middle)
            let (top, all) = (Targets.items(tops), Targets.items(tops + middle))
            #expect(try robot.library.openSubtasks(of: top).count == count)
            #expect(try robot.library.subtasks(of: top).count == 2 * count)
            #expect(try robot.library.openSubtasks(of: all).count == count)
        }
    }
}
