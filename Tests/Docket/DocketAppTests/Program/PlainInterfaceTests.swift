import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketApp

/// The interface as a conversation in lines.
@Suite struct PlainInterfaceTests {
    /// A conversation: what was typed, and what was printed.
    private final class Talk {
        let folder: URL
        let library: Library
        let settings: Settings
        private var lines: [String] = []
        private(set) var printed: [String] = []

        init(_ sample: Sample = .home, config: String = "") throws {
            folder = FileManager.default.temporaryDirectory
                .appending(path: "docket-plain-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try sample.file().write(to: Robot.store(in: folder))
            library = try Library(url: Robot.store(in: folder), author: "test") {
                TestClock().context
            }
            var settings = Settings()
            settings.read(config, name: "config.toml")
            self.settings = settings
        }

        deinit {
            library.close()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Types lines and returns what was printed.
        @discardableResult
        func say(_ typed: String...) throws -> String {
            lines = typed
            printed = []
            let plain = try PlainInterface(
                library: library,
                settings: settings,
                read: { [unowned self] _ in lines.isEmpty ? nil : lines.removeFirst() },
                print: { [unowned self] in printed.append($0) },
                lend: { _ in 0 }
            )
            #expect(plain.run() == 0)
            return printed.joined(separator: "\n")
        }
    }

    @Test func aCommandByNameAsksAndSaysWhatItDid() throws {
        let talk = try Talk()
        let text = try talk.say("Add a task", "Water the fern tomorrow +Home #green")
        #expect(text.contains("Added \"Water the fern\""), "\(text)")
        #expect(try talk.library.items(matching: \.title == "Water the fern").count == 1)
    }

    @Test func aKeyActsOnTheRowThatANumberChose() throws {
        let talk = try Talk()
        let text = try talk.say("rows", "1", "space", "u")
        #expect(text.contains("1. Pay rent, priority medium"), "\(text)")
        #expect(text.contains("Completed \"") && text.contains("Undid: completed"))
    }

    @Test func aNameWithSeveralMeaningsIsAskedFor() throws {
        let talk = try Talk()
        let text = try talk.say("go to", "1")
        #expect(text.contains("Several commands; type a number:"))
        #expect(try talk.say("xyzzy").contains("No command is called \"xyzzy\"."))
    }

    @Test func aMenuAQuestionAndAFormAreAnswered() throws {
        let talk = try Talk()
        let text = try talk.say("1", "m", "Work", "1", "e", "Pay the rent", ".", "?")
        #expect(text.contains("Move to") && text.contains("Moved \"Pay rent\" to Work"), "\(text)")
        #expect(text.contains("Edit Task"), "\(text)")
        // The household's garden has open subtasks.
        let asked = try talk.say("Go to All", "2", "space", "l")
        #expect(asked.contains("open subtask"), "\(asked)")
    }

    @Test func noLineIsChangedAfterwardsAndNothingMovesTheCursor() throws {
        let talk = try Talk()
        let text = try talk.say(
            "help",
            "rows",
            "details",
            "U",
            "esc",
            "g a",
            "rows",
            ",",
            "esc",
            "?"
        )
        #expect(!text.contains("\u{1B}"))
        let strange = text.unicodeScalars.filter { !$0.isASCII && !$0.properties.isAlphabetic }
        #expect(strange.isEmpty, "\(strange)")
    }

    @Test func secretsAreNotTyped() throws {
        let talk = try Talk()
        #expect(try talk.say("g v", "n").contains("Secrets are not typed here") == true)
    }
}
