import Foundation
import Testing

@Suite struct PurgeCommandTests {
    private func docket() throws -> Docket {
        let docket = try Docket()
        try docket("add", "Gone #bank")
        try docket("add", "Gone too")
        try docket("add", "Kept")
        try docket("trash", "1-2")
        return docket
    }

    @Test func namedItemsOfTheTrashAreDeletedAndComeBack() throws {
        let docket = try docket()
        let outcome = try docket("purge", "1", "3")
        #expect(outcome.output == "Deleted \"Gone\" from the trash; 3 is not in the trash\n")
        #expect(try docket("show", "1").code == 1)
        #expect(try docket("undo").code == 0)
        #expect(try docket("show", "1").code == 0)
        #expect(try docket("purge", "tag:bank").output == "Deleted \"Gone\" from the trash\n")
        #expect(try docket("purge", "3").output == "Nothing changed: 3 is not in the trash.\n")
    }

    @Test func theWholeTrashIsDeletedOnlyIfThatIsSaid() throws {
        let docket = try docket()
        let refused = try docket("purge", "--all")
        #expect(refused.code == 1 && refused.errors.contains("there are 2 items in the trash"))
        #expect(try docket("purge", "--all", "--yes").output == "Deleted 2 tasks from the trash\n")
        #expect(try docket.titles("--all") == ["Kept"])
        #expect(try docket("purge", "--all").output == "The trash is empty.\n")
    }

    @Test(
        arguments: [
            ["done", "1"], ["undone", "1"], ["edit", "1", "due=mon"], ["edit", "1", "flagged=yes"],
            ["start", "1"], ["attach", "1", "/etc/hostname"],
        ]
    )
    func whatIsInTheTrashIsNotChangedThere(words: [String]) throws {
        let outcome = try docket().run(words)
        #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("\"Gone\" is in the trash; restore it to change it."))
    }

    @Test(arguments: [["purge"], ["purge", "--yes", "1"], ["purge", "--all", "1"]])
    func whatIsMeantHasToBeClear(words: [String]) throws {
        let outcome = try docket().run(words)
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
    }
}
