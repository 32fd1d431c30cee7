import Testing
import VirtualTerminal

@Suite(.serialized) struct InputTests {
    @Test(arguments: [
        ("j", "j"), ("\u{1B}[A", "up"), ("\u{1B}OA", "up"), ("\u{1B}[1;5C", "ctrl+right"),
        ("\u{1B}[15~", "f5"), ("\u{1B}OP", "f1"), ("\u{1B}x", "alt+x"), ("\u{1B}", "esc"),
        ("\u{12}", "ctrl+r"), ("\u{1B}[Z", "shift+tab"), ("é", "é"), ("\u{7F}", "backspace"),
        ("\u{1B}[97;6u", "ctrl+shift+a"), ("\u{3}", "ctrl+c"), ("\u{1C}", "ctrl+\\"),
        ("\u{1B}[<64;5;5M", "mouse wheelUp 4,4"), ("\u{1B}[<0;3;7M", "mouse press 6,2"),
        ("\u{1B}[I", "focus"), ("\u{1B}[O", "blur"),
    ])
    func bytesBecomeTheirEvent(bytes: String, shown: String) throws {
        let terminal = try DemoTerminal.open()
        try terminal.type(bytes)
        try terminal.wait(forText: "last: \(shown) ")
    }

    @Test func clickSelectsARow() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type("\u{1B}[<0;3;7M\u{1B}[<0;3;7m")
        try terminal.wait(forText: "mouse release 6,2")
        #expect(terminal.cursor?.row == 6)
    }

    @Test func largePasteOutsideAFieldIsTextAndRunsNothing() throws {
        let terminal = try DemoTerminal.open()
        try terminal.paste(String(repeating: "q!$\r", count: 25_000))
        try terminal.wait(forText: "last: paste 100000 ")
        try terminal.type("j")
        try terminal.wait(forText: "last: j ")
    }

    @Test func pasteIntoAFieldIsItsText() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type("i")
        try terminal.wait(forText: "last: i ")
        try terminal.paste("Grüße\u{1B}[31m aus 日本\u{7}!")
        try terminal.wait(forText: "last: paste")
        #expect(terminal.row(23) == "iGrüße[31m aus 日本!" || terminal.row(23) == "Grüße[31m aus 日本!")
        #expect(terminal.cursor?.row == 23)
    }

    @Test func manyKeysAtOnceAreAllSeen() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type(String(repeating: "\u{1B}[B", count: 60))
        try terminal.wait(for: "row 60 selected") {
            terminal.cursor.map { terminal.row($0.row).hasPrefix("60 ") } ?? false
        }
    }

    @Test func otherThreadsWakeTheLoop() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type("w")
        try terminal.wait(forText: "message 3")
    }

    @Test func backgroundIsReportedWhenTheTerminalAnswers() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type("b")
        try terminal.wait(for: "the question") {
            String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}]11;?\u{7}")
        }
        try terminal.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
        try terminal.wait(forText: "last: report background")
    }

    @Test func copyAndTitleAreSent() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type("ct")
        try terminal.wait(for: "both sequences") {
            let output = String(decoding: terminal.output, as: UTF8.self)
            return output.contains("\u{1B}]52;c;R3LDvMOfZQ==\u{7}")
                && output.contains("\u{1B}]2;demo title\u{7}")
        }
    }
}
