import CivilTime
import DocketCore
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
