import ChildProcess
import Foundation
import Testing

/// Each example as its reader runs it: a process, and all that it prints.
@Suite struct ExampleTests {
    /// The examples whose output is the same in every run, and on every store with a file.
    static let names = [
        "events", "orgchart", "league", "shapes", "favourites", "songs", "editsheet",
        "feedreader", "umpire", "photos", "stash", "clothing", "import", "images",
    ]

    /// All examples, as they are listed.
    static let listed = names + ["lab", "documents"]

    /// The forms of stores with a file.
    static let files = ["sqlite", "binary", "xml", "text"]

    /// With the stores in one file the examples run on a file of their own, twice; here one of them
    /// shows that it leaves nothing.
    private static let fresh =
        names.flatMap { [($0, "sqlite"), ($0, "memory")] }
        + files.dropFirst().map { ("events", $0) }

    @Test(arguments: fresh)
    func freshRunPrintsTheExpectedText(name: String, store: String) throws {
        let examples = try Examples()
        let outcome = try examples(name, "--store", store)
        #expect(outcome == .done(try Expected.text(name, store: store)))
        let left = try FileManager.default.contentsOfDirectory(atPath: examples.temporary)
        #expect(left == [], "a run without a file leaves nothing behind")
    }

    @Test(arguments: names, files)
    func secondRunOnTheSameFileGoesOn(name: String, store: String) throws {
        let examples = try Examples()
        let file = examples.path("kept.\(store)")
        let first = try examples(name, "--store", store, "--file", file)
        #expect(first == .done(try Expected.text(name)))
        let second = try examples(name, "--store", store, "--file", file)
        #expect(second == .done(try Expected.text("\(name).second")))
        if store != "sqlite" { return }
        #expect(try examples.sqlite3(file, "PRAGMA integrity_check") == ["ok"])
    }

    @Test(arguments: files + ["memory"])
    func laboratoryCountsTheSameInEveryRun(store: String) throws {
        let examples = try Examples()
        let outcome = try examples("lab", "--size", "200", "--store", store)
        #expect(outcome.errors == "")
        let counted = outcome.output.replacing(/[ ]+[0-9]+\.[0-9] ms\n/, with: "\n")
        #expect(counted != outcome.output, "there are times")
        // Stores that are read as a whole count alike.
        let isWhole = ["binary", "xml", "text"].contains(store)
        let expected = try Expected.text(isWhole ? "lab.file" : "lab.\(store)")
        #expect(counted == expected.replacing("of the form FILE", with: "of the form \(store)"))
    }

    @Test(arguments: files)
    func documentIsCreatedThenOpenedAgain(store: String) throws {
        let examples = try Examples()
        let file = examples.path("Recipes")
        let first = try examples("documents", "--store", store, "--file", file)
        #expect(first == .done(try Expected.text("documents")))
        let second = try examples("documents", "--store", store, "--file", file)
        #expect(second == .done(try Expected.text("documents.second")))
        let parts = try FileManager.default.contentsOfDirectory(atPath: file).sorted()
        #expect(parts == ["AdditionalContent", "StoreContent"])
    }

    @Test func documentWithoutAFileGoesWithTheProgram() throws {
        let examples = try Examples()
        let outcome = try examples("documents", "--store", "memory")
        #expect(outcome == .done(try Expected.text("documents")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: examples.temporary) == [])
    }

    @Test func importGoesOnWhereItStopped() throws {
        let examples = try Examples()
        let file = examples.path("kept.sqlite")
        #expect(try examples("import", "--size", "1500", "--file", file).end == .code(0))
        let more = try examples("import", "--size", "2500", "--file", file)
        #expect(
            more.lines.prefix(3) == [
                "1500 rows are there from before.", "  2500 of 2500 rows, 100 %",
                "1001 objects in memory at most, 0 now.",
            ]
        )
        let rows = "SELECT count(*), count(DISTINCT ZNUMBER), max(ZNUMBER) FROM ZREADING"
        #expect(try examples.sqlite3(file, rows) == ["2500|2500|2499"])
    }

    @Test func importThatWasKilledLosesAndRepeatsNothing() throws {
        let examples = try Examples()
        let file = examples.path("kept.sqlite")
        let rows = "SELECT count(*), count(DISTINCT ZNUMBER), max(ZNUMBER) + 1 FROM ZREADING"
        let change = Int.random(in: 200..<600)
        print("killed import: at change \(change) of the folder")
        let changes = try FolderChanges(examples.folder.path)
        let process = try examples.start("import", "--size", "100000000", "--file", file)
        try changes.wait(for: change, orEndOf: process)
        #expect(process.killGroup() == .signal(SIGKILL))
        let marked = try examples.sqlite3(file, "SELECT ZROWS FROM ZIMPORTMARKER")
        let count = try #require(Int(marked.first ?? ""))
        #expect(count > 0 && count % 1_000 == 0)
        #expect(try examples.sqlite3(file, rows) == ["\(count)|\(count)|\(count)"])

        let more = count + 10
        let resumed = try examples("import", "--size", "\(more)", "--file", file)
        #expect(resumed.lines.first == "\(count) rows are there from before.")
        #expect(try examples.sqlite3(file, rows) == ["\(more)|\(more)|\(more)"])
    }

    @Test func listNamesEveryExampleThatIsTested() throws {
        let examples = try Examples()
        let listed = try examples("list").lines.dropFirst()
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(listed == Self.listed)
        #expect(try examples() == examples("list"))
    }
}
