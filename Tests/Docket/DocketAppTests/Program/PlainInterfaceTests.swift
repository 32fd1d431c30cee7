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

    @Test func keysAreAcceptedAsTheyArePrinted() throws {
        let talk = try Talk()
        #expect(try talk.say("gM").contains("November 2026"))
        #expect(try talk.say("ga").contains("Agenda"))
        #expect(try talk.say("gx").contains("Trash"))
        #expect(try talk.say("1", "pp").contains("Set priority of"))
        #expect(try talk.say("1", "zn").contains("Moved \"Pay rent\""))
        #expect(try talk.say("ctrl+r").contains("There is nothing to redo"))
        let map = try KeyMap(commands: CommandTable.all)
        let commands = CommandTable.all.filter { $0.context == .main }
        for keys in commands.flatMap({ map.keys(of: $0.id) }) {
            let label = KeyLabel.of(keys, ascii: true)
            #expect(!(try talk.say(label, ".")).contains("No command is called"), "\(label)")
        }
    }

    @Test func aPartOfAWordRunsNothingAndIsOffered() throws {
        let talk = try Talk(config: "[keys]\n\"agenda.show\" = []\n")
        let before = try talk.library.undoSteps(limit: 9).count
        let text = try talk.say("1", "mind aga")
        #expect(text.contains("1. Snooze the reminder for 10 minutes"), "\(text)")
        #expect(try talk.library.undoSteps(limit: 9).count == before)
        #expect(try talk.say("1", "mind aga", "1").contains("Set reminder of"))
        let named = try talk.say("1", "snooze the rem")
        #expect(named.contains("The reminder is set already"), "\(named)")
    }

    @Test func aMonthIsReadAsItsDays() throws {
        let talk = try Talk()
        let text = try talk.say("g M", "rows", "22", "details")
        #expect(text.contains("21. Sat 21 Nov, today"), "\(text)")
        #expect(text.contains("22. Sun 22 Nov, 1 due") && !text.contains("Mo Tu We"))
        #expect(text.contains("30. Mon 30 Nov") && !text.contains("31. "))
    }

    @Test(arguments: ["U", "F", ",", "g S"])
    func noRuleIsRead(keys: String) throws {
        let text = try Talk().say("1", "T", keys, "rows", "esc")
        #expect(!text.contains("---"), "\(text)")
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
