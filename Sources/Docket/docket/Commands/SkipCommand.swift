import ArgumentParser
import DocketCore

struct SkipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Move repeating tasks on to their next occurrence.",
        discussion: """
            This occurrence is not marked as done; subtasks are open again. \
            docket edit ID repeats= ends a series.

            """ + FilterOptions.discussion
    )

    @OptionGroup var store: StoreLocation
    @Argument(
        parsing: .allUnrecognized,
        help: "Short IDs, ranges such as 3-7, UUIDs, or a filter such as tag:home.",
        completion: ShellCompletion.filter
    )
    var ids: [String] = []
    @OptionGroup var filter: FilterOptions

    func validate() throws { try ItemSelection.validate(ids, filter) }

    func run() throws {
        try Exit.onFailure {
            let library = try store.open(.writing)
            let selection = ItemSelection(words: ids, predicates: filter.predicates)
            let items = try selection.items(in: library, .open)
            let state = "not repeating, or done"
            let left = items.filter { item in
                (item as? Task).map { $0.completed != nil || $0.rule == nil } ?? true
            }
            let rest = Confirmation.left(left, state)
            try Confirmation.print(try library.skip(items), items, state, rest: rest)
        }
    }
}
