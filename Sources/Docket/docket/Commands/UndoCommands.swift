import ArgumentParser
import CivilTime
import DocketCore
import ObjectGraph

struct UndoCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last command of the shell, the interface or a script."
    )

    @OptionGroup var store: StoreLocation
    @OptionGroup var options: StepOptions

    func perform() throws { try Step.undo.run(store, options) }
}

struct RedoCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Redo the command that was undone last."
    )

    @OptionGroup var store: StoreLocation
    @OptionGroup var options: StepOptions

    func perform() throws { try Step.redo.run(store, options) }
}

struct StepOptions: ParsableArguments {
    enum Policy: String, ExpressibleByArgument, CaseIterable {
        case refuse, skip, overwrite

        var policy: HistoryConflictPolicy {
            switch self {
            case .refuse: .refuse
            case .skip: .skip
            case .overwrite: .overwrite
            }
        }
    }

    @Flag(name: [.long, .customLong("dry-run")], help: "Only show what would change.")
    var preview = false
    @Flag(help: "Print nothing but errors and warnings.") var quiet = false

    @Option(
        help: ArgumentHelp(
            "What to do with values that were changed since.",
            discussion:
                "refuse changes nothing; skip does not change those values and does the rest; "
                + "overwrite does all of it."
        )
    )
    var onConflict = Policy.refuse
}

/// Undo or redo: performs it, or shows its effect.
private enum Step {
    case undo
    case redo

    func run(_ store: StoreLocation, _ options: StepOptions) throws {
        if options.preview {
            try preview(store.open(.reading), options.onConflict.policy)
        } else {
            try go(store.open(.writing), options.onConflict.policy, isQuiet: options.quiet)
        }
    }

    private func nothing() -> ExitCode {
        Console.fail("There is nothing to \(self == .undo ? "undo" : "redo").")
        return ExitCode(Exit.nothingToUndo)
    }

    private func go(
        _ library: Library,
        _ policy: HistoryConflictPolicy,
        isQuiet: Bool
    ) throws {
        let done =
            self == .undo
            ? try library.undo(onConflict: policy) : try library.redo(onConflict: policy)
        guard let done else { throw nothing() }
        if !isQuiet {
            try Console.print(Console.shown(done.step.sentence(undone: self == .undo)))
        }
        for conflict in done.conflicts {
            let what = policy == .skip ? "was not changed" : "was overwritten"
            Console.warn("\(library.sentence(of: conflict)) and \(what).")
        }
    }

    private func preview(_ library: Library, _ policy: HistoryConflictPolicy) throws {
        let made =
            self == .undo
            ? try library.previewUndo(onConflict: policy)
            : try library.previewRedo(onConflict: policy)
        guard let made, let step = made.steps.first else { throw nothing() }
        let dates = DateFormat(context: library.clock())
        let verb = self == .undo ? "undo" : "redo"
        try Console.print("\(verb)  \(HistoryCommand.describe(step, dates))")
        for line in library.lines(of: made) { try Console.print("  \(Console.shown(line.text))") }
        for conflict in made.conflicts {
            Console.warn("\(library.sentence(of: conflict)).")
        }
        if policy == .refuse, !made.conflicts.isEmpty {
            Console.fail("So nothing would be changed; see --on-conflict.")
            throw ExitCode(Exit.notDone)
        }
    }
}
