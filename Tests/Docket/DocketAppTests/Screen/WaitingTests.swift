import CivilTime
import DocketCore
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// The tasks that wait for others, on a screen of their own.
@Suite struct WaitingTests {
    /// Two tasks wait for the seeds, one of them also for the plan; one waits for something done.
    private static let sample = Sample("waiting") { library in
        var tasks: [String: DocketCore.Task] = [:]
        for title in ["Water", "Order seeds", "Sow", "Draw a plan", "Dig", "Rest"] {
            tasks[title] = try library.addTask(capturing: "\(title) +Garden")
        }
        for (waiting, blocker) in [
            ("Water", "Order seeds"), ("Sow", "Order seeds"), ("Sow", "Draw a plan"),
            ("Rest", "Dig"),
        ] {
            guard let task = tasks[waiting], let other = tasks[blocker] else { continue }
            task.$blockedBy.insert(other)
        }
        try library.context.save(as: "Edited tasks")
        try library.complete(tasks["Dig"].map { [$0] } ?? [])
    }

    /// The rows below the title line that have a text, without the footer.
    private func rows(_ robot: Robot) -> [String] {
        robot.screen.dropFirst().dropLast().compactMap { line in
            let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
    }

    @Test func tasksAreBelowTheOpenOnesTheyWaitFor() throws {
        let robot = try Robot(sample: Self.sample)
        try robot.press("g w")
        #expect(
            rows(robot) == [
                "Order seeds 2", "Water Garden", "Sow Garden", "Draw a plan 1", "Sow Garden",
            ]
        )
        #expect(robot.screen[0].contains("Waiting") && robot.screen[0].contains("2 waiting"))
    }

    @Test func enterGoesToTheTaskAmongTheItems() throws {
        let robot = try Robot(start: .today, sample: Self.sample)
        try robot.press("g w j enter")
        #expect(robot.workspace.focus == .items)
        #expect(robot.workspace.items.scope == .smart(.all))
        #expect(robot.selected == "Sow")
    }

    @Test func enterStaysInAListThatShowsTheTaskAndUnfoldsWhatIsAboveIt() throws {
        let robot = try Robot(sample: Self.sample)
        let list = try #require(try robot.library.existingList(path: ["Garden"]))
        try robot.library.setParent(robot.task("Water"), of: [robot.task("Sow")])
        try robot.workspace.show(.list(list.objectID))
        try robot.press("_")
        #expect(!robot.titles.contains("Sow"))
        try robot.press("g w j enter")
        #expect(robot.workspace.items.scope == .list(list.objectID))
        #expect(robot.selected == "Sow")
    }

    @Test func enterEndsASearchThatHidesTheTask() throws {
        let robot = try Robot(sample: Self.sample)
        try robot.press("/")
        robot.type("plan")
        try robot.press("enter g w enter")
        #expect(!robot.workspace.items.isSearching)
        #expect(robot.selected == "Water")
    }

    @Test(arguments: [
        ("esc g w", "Water"), ("j", "Sow"), ("j j k", "Sow"), ("j j k k", "Water"),
        ("G k k", "Water"),
        ("G g g", "Water"), ("k k j", "Sow"),
    ])
    func headingsAreNeverSelected(keys: String, task: String) throws {
        let robot = try Robot(start: .today, sample: Self.sample)
        try robot.press("g w")
        try robot.press(keys)
        try robot.press("enter")
        #expect(robot.selected == task)
    }

    @Test func aChangeOfAnotherWindowIsShown() throws {
        let robot = try Robot(sample: Self.sample)
        robot.application.follow(robot.library)
        try robot.press("g w j j")
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        let seeds = try #require(
            try other.items(matching: \.title == "Order seeds").first
        )
        try other.complete([seeds])
        robot.application.handle([.woken])
        robot.settle()
        #expect(rows(robot) == ["Draw a plan 1", "Sow Garden"])
        try robot.press("enter")
        #expect(robot.selected == "Sow")
    }

    @Test func escapeReturnsAndUndoWorksThere() throws {
        let robot = try Robot(sample: Self.sample)
        try robot.press("g w u")
        #expect(rows(robot).contains("Dig 1"))
        try robot.press("esc")
        #expect(robot.workspace.focus == .items)
    }

    @Test func withoutAWaitingTaskASentenceSaysSo() throws {
        let robot = try Robot()
        try robot.press("g w")
        #expect(robot.shows("No open task waits for another one."))
        try robot.press("enter")
        #expect(robot.workspace.focus != .items)
    }
}
