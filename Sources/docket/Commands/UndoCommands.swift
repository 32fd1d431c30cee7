import ArgumentParser
import DocketCore
import ObjectGraph

struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take the last command back, made here, in the interface or by a script."
    )

    @OptionGroup var store: StoreLocation

    func run() throws {
        try Exit.onFailure {
            guard let done = try store.open(.writing).undo() else {
                Console.fail("There is nothing to undo.")
                throw ExitCode(Exit.nothingToUndo)
            }
            try Console.print("Undone: \(Console.shown(done.step.name ?? "a change"))")
        }
    }
}

struct Redo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Do the last undone command again."
    )

    @OptionGroup var store: StoreLocation

    func run() throws {
        try Exit.onFailure {
            guard let done = try store.open(.writing).redo() else {
                Console.fail("There is nothing to redo.")
                throw ExitCode(Exit.nothingToUndo)
            }
            try Console.print("Redone: \(Console.shown(done.step.name ?? "a change"))")
        }
    }
}

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
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
