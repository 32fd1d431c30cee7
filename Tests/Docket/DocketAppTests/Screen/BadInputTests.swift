import DocketCore
import LibraryVerbs
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

@Suite struct BadInputTests {
    @Test func pastedLinesAreAskedAboutAndAreNoKeys() throws {
        let robot = try Robot()
        let before = robot.titles
        robot.paste("dddd\nq")
        #expect(robot.titles == before)
        #expect(robot.application.status == nil)
        #expect(robot.shows("The pasted text has 2 lines."))
        try robot.press("esc")
        #expect((robot.workspace.modal as? CaptureBar)?.field.text == "dddd")
    }

    @Test func threePastedLinesAreThreeTasksAndOneStep() throws {
        let robot = try Robot(sample: .empty)
        robot.paste("  one #x\n\ntwo tomorrow\nthree\n")
        try robot.press("t")
        #expect(robot.titles == ["one", "two", "three"])
        #expect(robot.workspace.modal == nil)
        #expect(try robot.task("two").due != nil)
        #expect(robot.message.hasPrefix("Added 3 tasks"))
        try robot.press("u")
        #expect(robot.titles == [])
    }

    @Test func whatWasTypedComesBackAfterEscape() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("D")
        robot.type("next mon")
        try robot.press("esc esc D ctrl+t")
        #expect((robot.workspace.modal as? DateBar)?.field.text == "next mon")
        try robot.press("esc esc")
        // Another task, another date.
        try robot.select("Read a book")
        try robot.press("D")
        #expect((robot.workspace.modal as? DateBar)?.field.text == "")
        try robot.press("esc /")
        robot.type("rent")
        try robot.press("esc / ctrl+t")
        #expect((robot.workspace.modal as? SearchBar)?.field.text == "rent")
        try robot.press("ctrl+u")
        robot.type("seeds")
        #expect(robot.titles == ["order seeds"])
    }

    @Test func prefilledIsReplacedByTheFirstKeyAndKeptByAnArrow() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("D")
        #expect((robot.workspace.modal as? DateBar)?.field.text == "tomorrow 9:00")
        robot.type("fri")
        #expect((robot.workspace.modal as? DateBar)?.field.text == "fri")
        try robot.press("enter D right")
        robot.type(" 10:00")
        #expect((robot.workspace.modal as? DateBar)?.field.text == "Fri 10:00")
        try robot.press("enter")
        #expect(robot.shows("Fri 10:00"))
    }

    @Test func aLongTextCanBePasted() throws {
        let robot = try Robot()
        let count = SeededRandom.rounds(4000, long: 60_000)
        let text = String(repeating: "lorem ipsum dolor ", count: count)
        try robot.press("n")
        robot.type("Big")
        try robot.press("shift+tab shift+tab shift+tab")
        robot.paste(text)
        try robot.press("ctrl+s")
        #expect(try robot.item("Big").text.utf8.count == text.utf8.count)
        try robot.press("/")
        robot.type("lorem ipsum")
        #expect(robot.titles == ["Big"])
        try robot.press("esc a")
        robot.paste(text)
        try robot.press("esc")
        #expect(robot.workspace.modal == nil)
    }

    @Test func controlCharactersNeverReachTheScreen() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.paste("ring\u{7} \u{1B}[2J\u{0} done\u{85}")
        try robot.press("enter")
        for line in robot.screen {
            #expect(
                !line.unicodeScalars.contains { $0.value < 32 || (0x7F..<0xA0).contains($0.value) }
            )
        }
    }

    @Test func controlsOfDirectionNeverReachTheScreenAndStayInTheData() throws {
        let title = "evil\u{202E}txt.exe\u{2066}\u{200F}\u{61C} end"
        let robot = try Robot(rows: 40, columns: 140) { library in
            let task = try library.addTask(capturing: "x +Home #out")
            try library.edit(task, [FieldChange("title=\(title)")])
            try library.setText("notes \u{2067}with\u{2069} **\u{202D}more**", of: task)
        }
        let steps = [
            "tab", "shift+tab e", "ctrl+s", "p p", "U", "esc D", "esc t", "esc m", "esc /",
        ]
        for keys in steps + ["esc u"] {
            try robot.press(keys)
            let strange = robot.text.unicodeScalars.filter(\.properties.isBidiControl)
            #expect(strange.isEmpty, "\(keys): \(strange.map(\.value))")
        }
        #expect(robot.shows("eviltxt.exe end"))
        #expect(try robot.library.items(matching: nil).map(\.title) == [title])
    }

    @Test func manyLinesInCaptureCanBecomeOne() throws {
        let robot = try Robot(sample: .empty)
        try robot.press("a")
        robot.paste("one\ntwo\nthree")
        try robot.press("o")
        try robot.press("enter")
        #expect(robot.titles == ["one two three"])
    }

    @Test func aStoreThatNeverHeldAnythingGetsALessonOnce() throws {
        let robot = try Robot(fill: { try $0.welcome() })
        #expect(robot.shows("Press Space to mark this task"))
        #expect(try robot.undoSteps() == ["Added the list \"Welcome\" (7 items)"])
        try robot.press("u")
        #expect(robot.titles == [])
        try robot.library.welcome()
        #expect(try robot.library.count(nil) == 0)
    }

    @Test func impossibleDateStaysInTheTitleAndSaysWhy() throws {
        let robot = try Robot(sample: .empty)
        try robot.press("a")
        robot.type("Party 31 feb")
        #expect(robot.shows("31 feb") || robot.shows("31 Feb"))
        try robot.press("enter")
        #expect(robot.titles == ["Party 31 feb"])
    }
}
