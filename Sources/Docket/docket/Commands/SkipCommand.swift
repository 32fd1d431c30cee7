import ArgumentParser
import DocketCore

struct SkipCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Move repeating tasks on to their next occurrence.",
        discussion: """
            This occurrence is not marked as done; subtasks are open again. \
            docket edit ID repeats= ends a series.

            """ + FilterOptions.discussion
    )

    @OptionGroup var items: ItemArguments

    func perform() throws {
        let library = try items.store.open(.writing)
        let output = items.output
        let items = try items.selection.items(in: library, .open)
        let state = "not repeating, or done"
        let left = items.filter { item in
            (item as? Task).map { $0.completed != nil || $0.rule == nil } ?? true
        }
        let rest = Confirmation.left(left, state)
        try output.perform(library, on: items, already: state, rest: rest) {
            try library.skip(items)
        }
    }
}
