import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the settings that count, or change one.",
        subcommands: [ConfigShowCommand.self, ConfigSetCommand.self],
        defaultSubcommand: ConfigShowCommand.self
    )
}

struct ConfigShowCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the settings that count, and what is wrong in config.toml.",
        discussion: """
            Prints every setting as config.toml writes it, after the path of that file. Lines that \
            cannot be used are reported on stderr, with exit code 1; the settings they name keep their \
            defaults.

            language is the language of dates and repetitions: en or de. date-order says what \
            03/04 means: day-first or month-first; without it the order is that of the language, \
            and a date that can be read both ways is pointed out.
            """
    )

    @Argument(help: .hidden) var words: [String] = []

    func validate() throws {
        if words.isEmpty { return }
        throw ValidationError(
            "docket config shows the settings; docket config set theme dark changes one."
        )
    }

    func perform() throws {
        let environment = ProcessInfo.environment
        let settings = Settings(environment: environment)
        try Console.print("# \(Console.shown(Settings.path(environment)))")
        try Console.write(Array(settings.text.utf8))
        guard settings.problems.isEmpty else {
            for problem in settings.problems { Console.warn(problem) }
            throw ExitCode(Exit.notDone)
        }
    }
}

struct ConfigSetCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Write one setting into config.toml.",
        discussion: """
            Names are those that docket config prints; one in a table has the table before it: \
            docket config set theme dark, docket config set history.steps 500, docket config set \
            keys.item.done x. Everything else in the file stays, comments too.
            """
    )

    @Argument(help: "The setting, such as theme or history.steps.") var name: String
    @Argument(help: "Its value; quotes of texts may be left out.") var value: String

    func perform() throws {
        let path = Settings.path(ProcessInfo.environment)
        let (text, line) = try Settings.changing(try present(path), name, to: value)
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = try OutputFile(path)
        try file.write(Array(text.utf8))
        try file.finish()
        Exit.noteWritten()
        try Console.print("\(Console.shown(line)) in \(Console.shown(path))")
    }

    /// The file as it is; empty if there is none.
    private func present(_ path: String) throws -> String {
        let shown = Console.shown(path)
        do {
            if try PlainFile(path).size > Settings.longestFile {
                throw InputError(.malformed, "\(shown) has more than a megabyte.")
            }
            guard
                let text = String(
                    validating: try Data(contentsOf: URL(filePath: path)),
                    as: UTF8.self
                )
            else { throw InputError(.malformed, "\(shown) is not text in UTF-8; fix it first.") }
            return text
        } catch let error as PlainFile.Problem {
            if error.isMissing { return "" }
            throw InputError(.malformed, "\(shown) \(error.reason).")
        }
    }
}
