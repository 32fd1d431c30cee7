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

    @Test func theAnswerIsRememberedUntilUndo() throws {
        let robot = try Robot { library in
            for parent in ["one", "two", "three"] {
                let task = try library.addTask(capturing: parent)
                let below = try library.addTask(capturing: "below \(parent)")
                try library.setParent(task, of: [below])
            }
        }
        try robot.select("one")
        try robot.press("space")
        #expect(robot.shows("It is not asked again until u undoes something."))
        try robot.press("s")
        try robot.select("two")
        try robot.press("space")
        #expect(robot.workspace.modal == nil)
        #expect(robot.message == "Completed 2 tasks · u undoes")
        // Another command has an answer of its own.
        try robot.select("three")
        try robot.press("d")
        #expect(robot.workspace.modal is QuestionBox)
        try robot.press("esc u")
        try robot.select("two")
        try robot.press("space")
        #expect(robot.workspace.modal is QuestionBox)
    }

    @Test func subtasksAreRestoredWithTheirParent() throws {
        let robot = try Robot()
        let before = try state(robot)
        try robot.select("Plan the garden")
        try robot.press("d s g x")
        try robot.select("Plan the garden")
        try robot.press("r")
        #expect(robot.shows("\"Plan the garden\" has 3 subtasks in the trash."))
        try robot.press("s")
        #expect(robot.message == "Restored 4 tasks · u undoes")
        #expect(try state(robot) == before)
        try robot.press("u")
        try robot.select("Plan the garden")
        try robot.press("r l")
        #expect(
            robot.message
                == "Restored \"Plan the garden\"; 3 subtasks stay in the trash · u undoes"
        )
    }

    @Test func subtasksAreDuplicatedWithTheirParentAndWaitForEachOther() throws {
        let robot = try Robot()
        try robot.library.setBlockers([robot.task("draw a plan")], of: [robot.task("order seeds")])
        robot.settle()
        let before = try robot.everything()
        try robot.select("Plan the garden")
        try robot.press("c")
        #expect(robot.shows("\"Plan the garden\" has 3 subtasks."))
        try robot.press("s")
        #expect(robot.message == "Duplicated \"Plan the garden\" with 3 subtasks · u undoes")
        let copy = try #require(robot.workspace.items.selected as? DocketCore.Task)
        let below = copy.subtasks.sorted { $0.displayOrder < $1.displayOrder }
        #expect(below.map(\.title) == ["order seeds", "measure the beds", "draw a plan"])
        #expect(below.allSatisfy { !$0.isDone })
        #expect(below[0].blockedBy == [below[2]])
        try robot.press("u")
        #expect(try robot.everything() == before)
    }

    @Test func subtasksMoveToAnotherListWithTheirParentButNotThoseThatAreElsewhere() throws {
        let robot = try Robot()
        let work = try #require(try robot.library.existingList(path: ["Work"]))
        try robot.library.move([robot.item("draw a plan")], to: nil)
        robot.settle()
        try robot.select("Plan the garden")
        try robot.press("m")
        robot.type("Work")
        try robot.press("enter")
        #expect(robot.message == "Moved \"Plan the garden\" with 2 subtasks to Work · u undoes")
        #expect(try robot.task("order seeds").list === work)
        #expect(try robot.task("draw a plan").list == nil)
        try robot.press("u")
        #expect(try robot.task("order seeds").list?.name == "Garden")
    }

    @Test func aNewSubtaskIsTheLastOneAndALiftedOneFollowsItsParent() throws {
        let robot = try Robot { library in
            for title in ["a", "b", "c", "d"] { try library.addTask(capturing: title) }
        }
        // Below b is d, which comes after c.
        try robot.library.setParent(robot.task("b"), of: [robot.task("d")])
        robot.settle()
        #expect(robot.titles == ["a", "b", "d", "c"])
        try robot.select("c")
        try robot.press("i")
        #expect(robot.titles == ["a", "b", "d", "c"])
        #expect(try robot.task("c").parent?.title == "b")
        try robot.select("d")
        try robot.press("I")
        #expect(robot.titles == ["a", "b", "c", "d"])
        #expect(robot.message == "Lifted \"d\" out of \"b\" · u undoes")
        // Into a folded task, which unfolds.
        try robot.select("b")
        try robot.press("-")
        try robot.select("d")
        try robot.press("i")
        #expect(robot.titles == ["a", "b", "c", "d"] && robot.selected == "d")
    }

    @Test func markedSubtasksAreLiftedEachOutOfItsParent() throws {
        let robot = try Robot { library in
            for title in ["a", "b", "c", "d"] { try library.addTask(capturing: title) }
        }
        try robot.library.setParent(robot.task("a"), of: [robot.task("b")])
        try robot.library.setParent(robot.task("c"), of: [robot.task("d")])
        robot.settle()
        try robot.press("V I")
        #expect(robot.message == "Lifted 2 tasks by one level · u undoes")
        #expect(
            try robot.library.items(matching: nil).allSatisfy {
                ($0 as? DocketCore.Task)?.parent == nil
            }
        )
        #expect(robot.titles == ["a", "b", "c", "d"])
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
