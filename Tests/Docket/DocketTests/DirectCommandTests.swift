import Testing

@testable import docket

/// Lines of words alone, which need no parser.
@Suite struct DirectCommandTests {
    /// A command with a new option has another size: set the option in `directCommand`, and the size.
    @Test(arguments: [
        [], ["list"], ["search", "a"], ["show", "1"], ["add", "a", "b"], ["done", "1"], ["undo"],
    ])
    func aLineOfWordsIsReadWithoutTheParser(words: [String]) {
        #expect(docket.Docket.directCommand(words[...]) != nil)
    }

    @Test func aLineWithAnOptionGoesToTheParser() {
        #expect(docket.Docket.directCommand(["add", "a", "--note"]) == nil)
        #expect(docket.Docket.directCommand(["show"]) == nil)
    }
}
