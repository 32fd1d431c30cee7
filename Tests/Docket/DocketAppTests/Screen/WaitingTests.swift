import DocketCore
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// What waits for what, drawn as a tree in place of a list.
@Suite struct WaitingTests {
    @Test func aDrawingDoesNotPretendToShowDoneTasks() throws {
        let robot = try Robot()
        try robot.press("g w .")
        #expect(robot.message == "Dependencies has open tasks only.")
        try robot.press("g d .")
        #expect(robot.message == "Done shows done tasks always.")
        #expect(!robot.workspace.items.showsDone)
    }

    /// Two tasks wait for the seeds, one of them also for the plan; one waits for something done.
    private static let sample = Sample("waiting") { library in
        var tasks: [String: DocketCore.Task] = [:]
        for title in ["Water", "Order seeds", "Sow", "Draw a plan", "Dig", "Rest", "Harvest"] {
            tasks[title] = try library.addTask(capturing: "\(title) +Garden")
        }
        tasks["Earn"] = try library.addTask(capturing: "Earn money +Work")
        for (waiting, blocker) in [
            ("Water", "Sow"), ("Sow", "Order seeds"), ("Sow", "Draw a plan"),
            ("Harvest", "Sow"), ("Rest", "Dig"), ("Order seeds", "Earn"),
        ] {
            guard let task = tasks[waiting], let other = tasks[blocker] else { continue }
            task.$blockedBy.insert(other)
        }
        try library.context.save(as: "Edited tasks")
        try library.complete(tasks["Dig"].map { [$0] } ?? [])
    }

    /// The robot in the drawing of the list Garden.
    private func robot(columns: Int = 60, isASCII: Bool = false) throws -> Robot {
        let robot = try Robot(columns: columns, isASCII: isASCII, sample: Self.sample)
        let list = try #require(try robot.library.existingList(path: ["Garden"]))
        try robot.workspace.show(.list(list.objectID))
        try robot.press("g w")
        return robot
    }

    /// The rows of the drawing, without blanks at their ends.
    private func rows(_ robot: Robot) -> [String] {
        robot.screen.dropFirst().dropLast().map { $0.trimmingSuffix(" ") }.filter { !$0.isEmpty }
    }

    @Test func tasksAreDrawnBelowThoseTheyWaitFor() throws {
        let robot = try robot(columns: 58)
        #expect(
            rows(robot) == [
                " ▾○ Draw a plan",
                " └─▾⊘ Sow  waits for Order seeds",
                "   ├─ ⊘ Water",
                "   └─ ⊘ Harvest",
                " ▾○ Earn money                                       Work",
                " └─▾⊘ Order seeds",
                "   └─ ⊘ Sow  see above",
            ]
        )
        #expect(robot.screen[0].contains("Garden › Dependencies"))
    }

    @Test func asciiHasLinesToo() throws {
        let robot = try robot(columns: 58, isASCII: true)
        #expect(robot.shows(" `-v% Sow"))
        #expect(robot.shows("   |- % Water"))
    }

    @Test func escapeReturnsToTheSameTaskInTheList() throws {
        let robot = try robot()
        try robot.select("Sow")
        try robot.press("esc")
        #expect(robot.screen[0].contains("Garden") && !robot.screen[0].contains("Dependencies"))
        #expect(robot.selected == "Sow")
        try robot.press("g w g w")
        #expect(robot.selected == "Sow" && !robot.workspace.items.scope.isDependencies)
    }

    @Test func commandsOnItemsWorkOnTheRowsAndTheDrawingFollows() throws {
        let robot = try robot()
        try robot.select("Order seeds")
        try robot.press("space")
        #expect(
            robot.message
                == "Completed \"Order seeds\"; it waits for \"Earn money\", still open · u undoes"
        )
        // Nothing waits for the money now.
        #expect(robot.titles == ["Draw a plan", "Sow", "Water", "Harvest"])
        try robot.press("u")
        #expect(robot.titles.count == 7)
        try robot.select("Water")
        try robot.press("v v d")
        #expect(robot.titles == ["Draw a plan", "Sow", "Earn money", "Order seeds", "Sow"])
        #expect(robot.message == "Trashed 2 tasks · u undoes")
    }

    @Test func foldingHidesWhatWaitsBelowAndNothingElse() throws {
        let robot = try robot()
        try robot.select("Sow")
        try robot.press("-")
        #expect(robot.titles == ["Draw a plan", "Sow", "Earn money", "Order seeds", "Sow"])
        #expect(robot.selected == "Sow")
        try robot.press("_")
        #expect(robot.titles.count == 7)
        try robot.press("_")
        #expect(robot.titles == ["Draw a plan", "Earn money"])
        try robot.press("esc")
        #expect(robot.titles.contains("Harvest"))
    }

    @Test func aReferenceStaysSelectedWhenSomethingChanges() throws {
        let robot = try robot()
        try robot.press("G")
        #expect(robot.workspace.items.list.selection == 6 && robot.selected == "Sow")
        try robot.press("p 3")
        #expect(robot.workspace.items.list.selection == 6)
    }

    @Test func aChangeOfAnotherWindowIsShown() throws {
        let robot = try robot()
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        let plan = try #require(try other.items(matching: \.title == "Draw a plan").first)
        try other.complete([plan])
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.titles == ["Earn money", "Order seeds", "Sow", "Water", "Harvest"])
    }

    @Test func rowsAreNotMovedByHandThere() throws {
        let robot = try robot()
        let before = try robot.library.latestTransaction()
        try robot.press("J")
        #expect(robot.message.contains("below what they wait for"))
        #expect(try robot.library.latestTransaction() == before)
    }

    @Test func withoutAWaitingTaskASentenceSaysSo() throws {
        let robot = try Robot()
        try robot.press("g w")
        #expect(robot.shows("No open task here waits for another one."))
        try robot.press("esc")
        #expect(robot.titles.contains("Pay rent"))
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self[...]
        while text.last == character { text.removeLast() }
        return String(text)
    }
}
