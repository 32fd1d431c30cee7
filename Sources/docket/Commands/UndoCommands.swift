import ArgumentParser
import DocketCore
import ObjectGraph

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take the last command back, made here, in the interface or by a script."
    )

    @OptionGroup var store: StoreLocation

    func run() throws {
        try store.step("Undone", orElse: "There is nothing to undo.") { try $0.undo() }
    }
}

struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Do the last undone command again."
    )

    @OptionGroup var store: StoreLocation

    func run() throws {
        try store.step("Redone", orElse: "There is nothing to redo.") { try $0.redo() }
    }
}

extension StoreLocation {
    /// Goes a step through the history and says in a line which it was, or that there was none.
    fileprivate func step(
        _ verb: String,
        orElse nothing: String,
        _ body: (Library) throws -> HistoryOutcome?
    ) throws {
        try Exit.onFailure {
            guard let done = try body(open(.writing)) else {
                Console.fail(nothing)
                throw ExitCode(Exit.nothingToUndo)
            }
            try Console.print("\(verb): \(Console.shown(done.step.name ?? "a change"))")
        }
    }
}

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what undo and redo would do, the next first."
    )

    @OptionGroup var store: StoreLocation
    @Option(help: "At most this many steps.") var limit = 20

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit takes a number from 1.") }
    }

    func run() throws {
        try Exit.onFailure {
            let library = try store.open(.reading)
            let dates = DateFormat(context: library.clock())
            for step in try library.redoSteps(limit: limit).reversed() {
                try Console.print(line(step, "redo", dates))
            }
            for step in try library.undoSteps(limit: limit) {
                try Console.print(line(step, "undo", dates))
            }
        }
    }

    private func line(_ step: HistoryStep, _ verb: String, _ dates: DateFormat) -> String {
        let author = step.author.map { "  (\(Console.shown($0)))" } ?? ""
        return
            "\(verb)  \(Console.shown(step.name ?? "a change"))  \(dates.ago(step.date))\(author)"
    }
}
