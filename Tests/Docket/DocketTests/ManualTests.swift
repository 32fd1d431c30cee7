import Foundation
import Testing

@Suite("The manual")
struct ManualTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../docs/manual").standardizedFileURL

    /// The texts of the files, by topic.
    private static func files() throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                try #require(name.hasSuffix(".md"))
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                return (String(name.dropLast(3)), text)
            }
        )
    }

    @Test func everyFileIsATopicAndPrintsAsItIs() throws {
        let docket = try Docket()
        let files = try Self.files()
        #expect(files.count > 10)
        for (topic, text) in files {
            let outcome = try docket("help", topic)
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(topic): \(outcome.errors)")
            #expect(outcome.output.hasPrefix(text), "\(topic)")
            let rest = outcome.output.dropFirst(text.count)
            let options = "\n'docket \(topic) --help' lists the options of the command.\n"
            #expect(rest.isEmpty || rest == options, "\(topic): \(rest)")
            #expect(try rest.isEmpty == !docket("help").output.contains("\n  \(topic) ", times: 2))
        }
        #expect(!FileManager.default.fileExists(atPath: docket.store))
    }

    @Test func theStoreBeforeHelpChangesNothing() throws {
        let docket = try Docket()
        for words in [["help"], ["help", "search"], ["help", "done"], ["help", "serch"]] {
            let usual = try docket.run(words)
            let named = try docket.run(["--store", docket.path("other.sqlite")] + words)
            #expect(named.output == usual.output && named.errors == usual.errors)
            #expect(named.code == usual.code)
            #expect(try docket.run(["--store=x"] + words).output == usual.output)
        }
    }

    @Test func testsThatAnswerTheReportsAboutOtherProgramsExist() throws {
        let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
        let table = root.appending(path: "docs/design/neighbours.md")
        let names = try String(contentsOf: table, encoding: .utf8)
            .matches(of: /`(\w+)` \|\n/).map(\.output.1)
        #expect(names.count > 25)
        var missing = Set(names)
        let tests = root.appending(path: "Tests/Docket")
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            missing = missing.filter { !text.contains("func \($0)(") }
        }
        #expect(missing.isEmpty)
    }

    /// The documents of other programs in the manual are imported as a whole, and again without a
    /// step; those that keep their text come back as they are.
    @Test(arguments: [("org", 3), ("markdown", 2), ("csv", 5)])
    func documentsOfOtherProgramsInTheManualAreImported(format: String, count: Int) throws {
        let docket = try Docket()
        let text = try #require(try Self.files()["coming-from"])
        let parts = text.components(separatedBy: "\n```\(format)\n").dropFirst()
        let documents = try parts.map { try #require($0.components(separatedBy: "```").first) }
        #expect(!documents.isEmpty)
        for document in documents {
            let file = docket.path("example")
            try document.write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try docket("import", file)
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
            if format != "csv" {
                #expect(try docket("export", "--format", format).output == document)
            }
            let again = try docket("import", file)
            #expect(again.code == 0 && again.output.contains("Nothing changed"), "\(again)")
        }
        let items = try docket("list", "--all", "--count").output
        #expect(items == "\(count)\n")
    }

    @Test func linesOfTheManualFitATerminalOf80Columns() throws {
        for (topic, text) in try Self.files() {
            for line in text.split(separator: "\n") where line.count > 80 {
                Issue.record("\(topic): \(line)")
            }
        }
    }

    @Test func helpAloneListsCommandsAndTopicsWithTheirHeadings() throws {
        let docket = try Docket()
        let help = try docket("help")
        let usual = try docket("--help").output
        #expect(help.code == 0 && help.errors.isEmpty)
        #expect(help.output.hasPrefix(usual))
        let topics = help.output.dropFirst(usual.count)
        for (topic, text) in try Self.files() {
            let heading = try #require(text.split(separator: "\n").first).dropFirst(2)
            #expect(topics.contains("\n  \(topic) "), "\(topic)")
            #expect(topics.contains(" \(heading)\n"), "\(topic)")
        }
    }

    @Test(arguments: [["add"], ["vault", "add"], ["move"], ["help"]])
    func helpOfACommandWithoutATopicIsThatOfItsOption(command: [String]) throws {
        let docket = try Docket()
        let outcome = try docket.run(["help"] + command)
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        let last = try #require(command.last)
        #expect(outcome.output.contains("USAGE: docket") && outcome.output.contains(last))
        if command != ["help"] {
            #expect(try docket.run(command + ["--help"]).output == outcome.output)
        }
    }
}

extension String {
    /// Whether a text occurs as often as this, or more often.
    fileprivate func contains(_ text: String, times: Int) -> Bool {
        components(separatedBy: text).count > times
    }
}
