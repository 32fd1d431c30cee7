import CivilTime
import DocketCore
import Foundation
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// What becomes of a text that was lent to an editor.
@Suite struct EditorTests {
    /// The path that the screen names, put together from its rows.
    private func path(_ robot: Robot) throws -> String {
        let text = robot.screen.map { $0.filter { !" │".contains($0) } }.joined()
        let folder = FileManager.default.temporaryDirectory.path
        let start = try #require(text.range(of: folder), "\(robot.text)").lowerBound
        let end = try #require(text.range(of: ".md", range: start..<text.endIndex)).upperBound
        return String(text[start..<end])
    }

    @Test(arguments: [(24, 110), (24, 80), (10, 40)])
    func aFailureShowsTheWholePathOfTheKeptText(rows: Int, columns: Int) throws {
        let robot = try Robot(rows: rows, columns: columns)
        try robot.select("Pay rent")
        robot.terminal.editor = { path in
            try? "typed with care".write(toFile: path, atomically: true, encoding: .utf8)
            return 1
        }
        try robot.press("E")
        let file = try path(robot)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "typed with care")
        #expect(robot.workspace.messages.deadline == nil)
        try FileManager.default.removeItem(atPath: file)
    }

    @Test func aTextThatOthersChangedMeanwhileIsNotOverwritten() throws {
        let robot = try Robot()
        robot.application.follow(robot.library)
        try robot.select("Pay rent")
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        robot.terminal.editor = { path in
            try? "mine".write(toFile: path, atomically: true, encoding: .utf8)
            let items = try? other.items(matching: \.title == "Pay rent")
            if let item = items?.first { _ = try? other.setText("theirs", of: item) }
            return 0
        }
        try robot.press("E")
        #expect(robot.message.contains("was changed by somebody else"))
        let file = try path(robot)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
        #expect(try robot.item("Pay rent").text == "theirs")
        try FileManager.default.removeItem(atPath: file)
    }

    @Test func aTextOfAnItemThatIsGoneIsKept() throws {
        let robot = try Robot()
        robot.application.follow(robot.library)
        try robot.select("Read a book")
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        robot.terminal.editor = { path in
            try? "mine".write(toFile: path, atomically: true, encoding: .utf8)
            let items = try? other.items(matching: \.title == "Read a book")
            if let item = items?.first {
                other.context.delete(item)
                try? other.context.save(as: "Delete Task")
            }
            return 0
        }
        try robot.press("E")
        #expect(robot.message.contains("was deleted"))
        let file = try path(robot)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
        try FileManager.default.removeItem(atPath: file)
    }

    @Test func anEditorThatTakesTheFileAwayChangesNothing() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        let text = try robot.item("Pay rent").text
        robot.terminal.editor = { path in
            try? FileManager.default.removeItem(atPath: path)
            return 0
        }
        try robot.press("E")
        #expect(robot.message.contains("nothing was changed"))
        #expect(try robot.item("Pay rent").text == text)
    }
}
