import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// Scrolling in the detail pane, before and between layouts.
@Suite struct DetailTests {
    private func long(_ library: Library) throws {
        let note = try library.addNote(capturing: "Long note")
        let lines = (1...20_000).map { "line \($0)\n" }
        try library.setText(lines.joined(separator: "\n"), of: note)
    }

    /// A task with so many subtasks; every second one is done.
    private func plan(_ number: Int) -> (Library) throws -> Void {
        { library in
            let plan = try library.addTask(capturing: "Plan")
            for place in 1...number {
                let task = library.context.insert(Task.self)
                (task.title, task.parent, task.uuid) = ("Step \(place)", plan, UUID())
                (task.created, task.modified) = (Robot.now, Robot.now)
                (task.shortID, task.displayOrder) = (Int64(place + 1), Int64(place) << 40)
                if place % 2 == 0 { task.completed = Robot.now }
            }
            try library.context.save()
        }
    }

    @Test func aTaskWithManySubtasksReadsNoMoreThanOneWithAScreenfulOfThem() throws {
        func rows(_ number: Int) throws -> (launch: Int, keys: Int) {
            let robot = try Robot(settles: false, fill: plan(number))
            robot.library.context.reset()
            let coordinator = robot.library.context.coordinator
            coordinator.startCounting()
            robot.application.drawFrame()
            #expect(robot.shows("\(number / 2)/\(number)"))
            #expect(robot.shows("Step 1"))
            let launch = coordinator.counters.faultsFired
            coordinator.startCounting()
            for _ in 0..<4 { robot.send(.key(Key("j"))) }
            for _ in 0..<4 { robot.send(.key(Key("k"))) }
            return (launch, coordinator.counters.faultsFired)
        }
        let (few, many) = (try rows(400), try rows(2_000))
        #expect(many.launch <= few.launch, "\(few) \(many)")
        #expect(many.keys <= few.keys, "\(few) \(many)")
    }

    @Test func theSelectedItemIsReadOnceForAFrame() throws {
        let robot = try Robot(settles: false) { _ = try $0.addTask(capturing: "Plan") }
        robot.library.context.reset()
        let coordinator = robot.library.context.coordinator
        coordinator.startCounting()
        robot.application.drawFrame()
        #expect(robot.shows("Plan"))
        #expect(coordinator.counters.faultsFired == 1)
    }

    @Test func subtasksAreReadAsFarAsTheyAreScrolledTo() throws {
        let robot = try Robot(fill: plan(1_000))
        robot.workspace.focus = .detail
        robot.settle()
        #expect(!robot.shows("Step 1000"))
        for _ in 0..<60 { try robot.press("pagedown") }
        #expect(robot.shows("Step 1000"))
        try robot.press("g g G")
        #expect(robot.shows("Step 1000"))
    }

    @Test func endThenDownWithoutAnItemDoesNothing() throws {
        let robot = try Robot(sample: .empty)
        try robot.press("tab")
        #expect(robot.workspace.focus == .detail)
        try robot.press("G j")
        try robot.press("end down pagedown")
        #expect(robot.workspace.focus == .detail)
    }

    @Test(arguments: ["G j", "end down", "G pagedown", "G G j j", "G g g G j"])
    func keysThatComeTogetherEndAtTheEnd(spelling: String) throws {
        let robot = try Robot(fill: long)
        robot.workspace.focus = .detail
        robot.settle()
        let keys = try Key.sequence(spelling).map { TerminalEvent.input(.key($0)) }
        robot.application.handle(keys)
        robot.settle()
        #expect(robot.shows("line 20000"))
    }

    @Test func upFromAnEndThatIsNotLaidOutYetIsCountedFromTheEnd() throws {
        let robot = try Robot(fill: long)
        robot.workspace.focus = .detail
        robot.settle()
        let keys = try Key.sequence("G k k").map { TerminalEvent.input(.key($0)) }
        robot.application.handle(keys)
        robot.settle()
        let together = robot.screen
        try robot.press("G")
        try robot.press("k")
        try robot.press("k")
        #expect(robot.screen == together)
        #expect(robot.shows("line 19995"))
    }

    @Test func wheelAfterTheEndStaysThere() throws {
        let robot = try Robot(fill: long)
        robot.workspace.focus = .detail
        robot.settle()
        let place = Position(row: 10, column: 105)
        let wheel = MouseEvent(.wheelDown, at: place, time: .now)
        robot.application.handle([.input(.key(Key("G"))), .input(.mouse(wheel))])
        robot.settle()
        #expect(robot.shows("line 20000"))
    }

    @Test func anotherItemBeginsAtItsTop() throws {
        let robot = try Robot { library in
            try long(library)
            _ = try library.addTask(capturing: "Another")
        }
        robot.workspace.focus = .detail
        robot.settle()
        robot.application.handle([.input(.key(Key("G")))])
        try robot.select("Another")
        #expect(robot.screen[1].hasSuffix("│ Another"))
    }
}
