import ArgumentParser
import DocketCore

struct SkipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Move repeating tasks on to their next occurrence.",
        discussion: """
            This occurrence is not marked as done; subtasks are open again. \
            docket edit ID repeats= ends a series.
            """
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "Short IDs, ranges such as 3-7, or UUIDs.") var ids: [String]

    func run() throws {
        try Exit.onFailure {
            let library = try store.open(.writing)
            let items = try library.items(named: ids)
            try Confirmation.print(try library.skip(items), items, "not repeating, or done")
        }
    }
}
