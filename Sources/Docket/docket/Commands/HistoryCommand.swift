import ArgumentParser
import CivilTime
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph

struct HistoryCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the steps of undo and redo, the next first; or forget old steps.",
        discussion: """
            --trim forgets the steps that are not within all given limits; without a limit, \
            those of [history] in config.toml are used. Items do not change; a forgotten step \
            cannot be undone.

            In a library on a server, undo takes only your own steps; those of others stand \
            here without a word before them.
            """
    )

    @OptionGroup var store: StoreLocation
    @Option(help: "At most this many steps.") var limit = 20
    @Flag(help: "Forget old steps.") var trim = false
    @Option(help: "With --trim: keep this many steps.") var steps: Int?
    @Option(help: "With --trim: keep steps that are not older, like \"90 days\" or \"1 year\".")
    var age: String?
    @Option(help: "With --trim: keep this much of old and new values, like \"20 MB\".")
    var size: String?

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        if !trim, steps != nil || age != nil || size != nil {
            throw ValidationError("--steps, --age and --size need --trim.")
        }
        _ = try policy()
    }

    /// The limits of the options.
    private func policy() throws -> HistoryPolicy {
        var policy = HistoryPolicy()
        if let steps {
            guard steps >= 0 else { throw ValidationError("--steps takes a number from 0.") }
            policy.steps = steps
        }
        if let age {
            guard let days = HistoryPolicy.days(age) else {
                throw ValidationError("\"\(age)\" is not an age; write \"90 days\" or \"1 year\".")
            }
            policy.days = days
        }
        if let size {
            guard let bytes = HistoryPolicy.bytes(size) else {
                throw ValidationError("\"\(size)\" is not a size; write \"20 MB\".")
            }
            policy.bytes = bytes
        }
        return policy
    }

    /// Forgets steps; never more than the settings allow.
    private func trimHistory() throws {
        let settings = Settings(environment: ProcessInfo.environment)
        for problem in settings.problems { Console.warn(problem) }
        let asked = try policy()
        let promise = settings.history
        if let promised = asked.shortfall(of: promise) {
            throw InputError(
                .conflict,
                "[history] in config.toml promises that undo reaches back \(promised); nothing was "
                    + "forgotten. Give a larger limit, or change the setting."
            )
        }
        let policy = asked.isUnlimited ? promise : asked
        if policy.isUnlimited {
            throw InputError(
                .malformed,
                "There is no limit to trim to. Give --steps, --age or --size, or set one in "
                    + "[history] in config.toml."
            )
        }
        let library = try store.open(.writing)
        let outcome = try library.trimHistory(policy)
        let stays =
            policy.steps == 0 && outcome.steps > 0
            ? " The newest step stays: the numbers of the next ones follow it." : ""
        try Console.print(library.sentence(of: outcome) + stays)
    }

    func perform() throws {
        if trim { return try trimHistory() }
        let library = try store.open(.reading)
        let dates = DateFormat(context: library.clock())
        for step in try library.redoSteps(limit: limit).reversed() {
            try Console.print(line(step, "redo", dates))
        }
        for step in try library.undoSteps(limit: limit, ofEveryone: true) {
            try Console.print(line(step, library.canUndo(step) ? "undo" : "    ", dates))
        }
    }

    private func line(_ step: HistoryStep, _ verb: String, _ dates: DateFormat) -> String {
        "\(verb)  \(HistoryCommand.describe(step, dates))"
    }

    /// The name, time and author of a step.
    static func describe(_ step: HistoryStep, _ dates: DateFormat) -> String {
        let author = step.author.map { "  (\(Console.shown($0)))" } ?? ""
        return "\(Console.shown(step.title))  \(dates.ago(step.date))\(author)"
    }
}
