import ChildProcess
import Foundation
import Testing

/// What the program says to a command line that it cannot follow.
@Suite struct CommandLineTests {
    private let examples: Examples

    init() throws { examples = try Examples() }

    @Test func unknownNameIsRefusedWithThoseThatThereAre() throws {
        let outcome = try examples("evens")
        #expect(outcome.end == .code(64))
        #expect(outcome.output == "")
        let names = ExampleTests.listed.joined(separator: ", ")
        #expect(outcome.errors == "\"evens\" is not an example; the examples are: \(names).\n")
    }

    @Test func wordThatIsNoStoreIsRefused() throws {
        let outcome = try examples("events", "--store", "cloud")
        #expect(outcome.end == .code(64))
        #expect(outcome.errors.contains("'cloud' is invalid for '--store <store>'"))
    }

    @Test func storeInMemoryTakesNoFile() throws {
        let outcome = try examples("events", "--store", "memory", "--file", examples.path("x"))
        #expect(outcome.end == .code(64))
        #expect(outcome.errors == "A store in memory has no file: remove --file.\n")
    }

    @Test func sizeIsRefusedByAnExampleWithoutOne() throws {
        let outcome = try examples("events", "--size", "5")
        #expect(outcome.end == .code(64))
        #expect(outcome.errors == "\"events\" has only one size: remove --size.\n")
    }

    @Test func fileThatCannotBeWrittenEndsWithASentence() throws {
        let outcome = try examples("events", "--file", examples.path("missing/events.sqlite"))
        #expect(outcome.end == .code(2))
        #expect(outcome.output == "")
        #expect(
            outcome.errors == """
                The folder for the store "events.sqlite" does not exist. Create it, or choose another \
                place.

                """
        )
    }

    @Test func fileThatIsNoStoreIsLeftAsItIs() throws {
        let file = examples.path("letter.txt")
        let letter = Data(repeating: 0x61, count: 5_000)
        try letter.write(to: URL(filePath: file))
        let outcome = try examples("events", "--file", file)
        #expect(outcome.end == .code(2))
        #expect(outcome.output == "")
        #expect(try Data(contentsOf: URL(filePath: file)) == letter)
    }

    @Test func storeOfAnotherExampleIsRefused() throws {
        let file = examples.path("kept.sqlite")
        #expect(try examples("events", "--file", file).end == .code(0))
        let outcome = try examples("league", "--file", file)
        #expect(outcome.end == .code(2))
        #expect(outcome.output == "")
        #expect(try examples("events", "--file", file).output.contains("Launch 2 of this store."))
    }
}
