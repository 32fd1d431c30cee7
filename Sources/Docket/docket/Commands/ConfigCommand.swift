import ArgumentParser
import DocketApp
import DocketCore
import FoundationEssentials

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the settings that count, and what is wrong in config.toml.",
        discussion: """
            Prints every setting as config.toml writes it, after the path of that file. Lines that \
            cannot be used are told on stderr, with exit code 1; the settings they name keep their \
            defaults.

            language is the language of dates and repetitions: en or de. date-order says what \
            03/04 means: day-first or month-first; without it the order is that of the language, \
            and a date that can be read both ways is pointed out.
            """
    )

    func run() throws {
        try Exit.onFailure {
            let environment = ProcessInfo.processInfo.environment
            let settings = Settings(environment: environment)
            try Console.print("# \(Console.shown(Settings.path(environment)))")
            try Console.write(Array(settings.text.utf8))
            guard settings.problems.isEmpty else {
                for problem in settings.problems { Console.warn(problem) }
                throw ExitCode(Exit.notDone)
            }
        }
    }
}
