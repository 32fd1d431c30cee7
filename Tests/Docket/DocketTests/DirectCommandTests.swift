import Testing

@testable import docket

/// Lines of words alone, which need no parser.
@Suite struct DirectCommandTests {
    /// A command with a new option has another size: set the option in `directCommand`, and the size.
    @Test(arguments: [
        [], ["list"], ["search", "a"], ["show", "1"], ["add", "a", "b"], ["done", "1"], ["undo"],
    ])
    func aLineOfWordsIsReadWithoutTheParser(words: [String]) throws {
        #expect(docket.Docket.directCommand(words[...]) != nil)
        if words.isEmpty { return }
        // An option that was not set ends the program when it is read.
        let outcome = try Docket.adding("a").run(words)
        #expect(outcome.code == 0 || words == ["undo"], "\(outcome.errors)")
    }

    @Test func aLineWithAnOptionGoesToTheParser() {
        #expect(docket.Docket.directCommand(["add", "a", "--note"]) == nil)
        #expect(docket.Docket.directCommand(["show"]) == nil)
    }
}
