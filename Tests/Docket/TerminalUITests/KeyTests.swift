import Testing

@testable import TerminalUI

@Suite struct KeyTests {
    @Test(arguments: [
        "ctrl+r", "alt+x", "shift+tab", "enter", "space", "f5", "J", "?", "+", "ctrl++", "esc",
        "ctrl+alt+del", "alt+X", "pageup", "ctrl+shift+a", "ctrl+space", "ä", "f24", "shift+up",
    ])
    func spellingIsReadAndWritten(spelling: String) throws {
        let canonical = spelling == "ctrl+alt+del" ? "ctrl+alt+delete" : spelling
        #expect(try Key(spelling: spelling).description == canonical)
        #expect(try Key(spelling: canonical) == Key(spelling: spelling))
    }

    @Test func formsAreMadeCanonical() throws {
        #expect(try Key(spelling: "shift+j") == Key("J"))
        #expect(try Key(spelling: "CTRL+R") == .ctrl("r"))
        #expect(try Key(spelling: "Return") == .enter)
        #expect(try Key(spelling: "ctrl+/") == .ctrl("_"))
        #expect(Key("a", .shift).typed == "A")
        #expect(Key.alt("a").typed == nil)
    }

    @Test(arguments: ["", "hyper+x", "f0", "f99", "nonsense", "ctrl+", "+x"])
    func wrongSpellingIsRefusedWithASentence(spelling: String) {
        let error = #expect(throws: KeySpellingError.self) { try Key(spelling: spelling) }
        #expect(error?.description.contains("Write it like") == true)
    }

    @Test func sequencesAreSeparatedByBlanks() throws {
        #expect(try Key.sequence("g g") == [Key("g"), Key("g")])
        #expect(try Key.sequence("space f") == [.space, Key("f")])
        #expect(throws: KeySpellingError.self) { try Key.sequence(" ") }
    }
}
