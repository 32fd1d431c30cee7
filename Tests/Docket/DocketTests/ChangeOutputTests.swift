import Foundation
import Testing

@Suite("Dry runs, JSON and silence of commands that change items")
struct ChangeOutputTests {
    private let docket: Docket

    init() throws {
        docket = try Docket()
        try docket("add", "Walk #dog every day", "due:today")
        try docket("add", "Pay rent")
        try docket("add", "Old")
        try docket("trash", "3")
    }

    /// The file of the store as scripts see it: every item with every field.
    private func contents() throws -> [UInt8] { try Array(docket("export").bytes) }

    @Test(
        arguments: [
            (["done", "1", "2"], "Completed 2 tasks"), (["trash", "2"], "Trashed \"Pay rent\""),
            (["skip", "1"], "Skipped \"Walk\""), (["restore", "3"], "Restored \"Old\""),
            (["purge", "3"], "Deleted \"Old\" from the trash"),
            (["purge", "--all"], "Deleted \"Old\" from the trash"),
            (["edit", "2", "title=Rent", "due=tomorrow"], "Edited \"Rent\""),
            (["edit", "is:open", "priority=high"], "Edited 2 tasks: priority"),
            (["move", "2", "--top"], "Moved \"Pay rent\""),
            (["move", "2", "--under", "1"], "Put \"Pay rent\" under \"Walk\""),
            (["duplicate", "2"], "Duplicated \"Pay rent\""),
        ] as [([String], String)]
    )
    func aDryRunSaysWhatWouldHappenAndChangesNothing(_ words: [String], _ name: String) throws {
        let before = try contents()
        let steps = try docket("history").output
        let outcome = try docket.run(words + ["--dry-run"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let start = "Dry run, nothing is changed: \(name)"
        #expect(outcome.output.hasPrefix(start), "\(outcome.output)")
        #expect(try contents() == before)
        #expect(try docket("history").output == steps)
        let json = try docket.items(words + ["--dry-run", "--json"])
        #expect(!json.isEmpty)
        #expect(try contents() == before)
    }

    @Test func aDryRunShowsTheItemsAsTheyWouldBe() throws {
        let edited = try docket.items(["edit", "2", "title=Rent", "--dry-run", "--json"])
        #expect(edited.map { $0["title"] as? String } == ["Rent"])
        let done = try docket.items(["done", "2", "--json", "--dry-run"])
        #expect(done.first?["completed"] is String)
        #expect(try docket.titles("is:done") == [])
    }

    @Test func aDryRunOfAnAdditionShowsWhatWasRecognised() throws {
        let before = try contents()
        let steps = try docket("history").output
        let outcome = try docket("add", "--dry-run", "Call Ana fri 9:00 #home +New")
        #expect(outcome.output.hasPrefix("Dry run, nothing is added: Call Ana   "))
        #expect(outcome.output.contains("New") && outcome.output.contains("9:00"))
        let json = try docket("add", "--dry-run", "--json", "--note", "Plan")
        #expect(json.output.contains("\"title\":\"Plan\""))
        let both = try docket("add", "--dry-run", "--quiet", "x")
        #expect(both.code == 64 && both.errors.contains("leave out --quiet"))
        #expect(try contents() == before)
        #expect(try docket("history").output == steps)
        #expect(!(try docket("lists").output.contains("New")))
    }

    @Test func badValuesAndRefusalsAreTheSameInADryRun() throws {
        for words in [["edit", "2", "due=31 feb"], ["edit", "2", "notafield=1"], ["done", "77"]] {
            let (real, dry) = try (docket.run(words), docket.run(words + ["--dry-run"]))
            #expect(real.code == dry.code && real.code != 0 && real.errors == dry.errors)
        }
        let nothing = try docket("restore", "2", "--dry-run")
        #expect(nothing.output == "Nothing changed: 2 is not in the trash.\n")
    }

    @Test func jsonHasTheItemsAsTheyAreAfterwards() throws {
        let done = try docket.items(["done", "2", "--json"])
        #expect(done.map { $0["title"] as? String } == ["Pay rent"])
        #expect(done.first?["completed"] is String)
        #expect(try docket.items(["done", "2", "--json"]).isEmpty)
        let gone = try docket.items(["purge", "3", "--json"])
        #expect(gone.map { $0["title"] as? String } == ["Old"])
        let edited = try docket.items(["edit", "1", "tags=cat", "--json"])
        #expect(edited.first?["tags"] as? [String] == ["cat"])
        #expect(try docket.items(["move", "2", "--top", "--json"]).count == 1)
    }

    @Test func quietCommandsPrintOnlyWhatIsWrong() throws {
        for words in [
            ["done", "2"], ["undo"], ["redo"], ["add", "x"], ["duplicate", "1"], ["trash", "1"],
            ["purge", "--all", "--yes"], ["done", "2"],
        ] {
            let outcome = try docket.run(words + ["--quiet"])
            #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
        }
        let wrong = try docket("done", "99", "--quiet")
        #expect(wrong.code == 1 && !wrong.errors.isEmpty)
        #expect(try docket("done", "2", "--quiet", "--json").code == 64)
    }
}
