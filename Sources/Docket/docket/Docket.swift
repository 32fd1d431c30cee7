public import ArgumentParser
import CVersion
import DocketCore
public import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph

/// `docket`: the interface without arguments, else one of the subcommands.
@main
struct Docket: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "docket",
        abstract: "Tasks and notes in the terminal.",
        discussion: """
            Without a subcommand it opens the interface. Items are named by their short ID, which \
            never changes, or by the beginning of their UUID. 'docket help' also lists the topics \
            of the manual.

            \(Exit.list)
            """,
        version: version,
        subcommands: [
            AddCommand.self, ListCommand.self, AgendaCommand.self, ShowCommand.self,
            DoneCommand.self,
            UndoneCommand.self, SkipCommand.self, EditCommand.self, AttachCommand.self,
            MoveCommand.self, DuplicateCommand.self, OpenCommand.self,
            TrashCommand.self,
            PurgeCommand.self, RestoreCommand.self, SearchCommand.self, UndoCommand.self,
            RedoCommand.self,
            HistoryCommand.self, ExportCommand.self, ImportCommand.self, BackupCommand.self,
            StoreCommand.self, InspectCommand.self, DoctorCommand.self, VaultCommand.self,
            WhenCommand.self,
            RemindCommand.self, ConfigCommand.self, KeysCommand.self, SmartListsCommand.self,
            TagsCommand.self,
            StatsCommand.self, StartCommand.self, StopCommand.self, TimeCommand.self,
            SyncCommand.self, ConflictsCommand.self,
            TourCommand.self,
        ]
    )

    @OptionGroup var store: StoreLocation

    @Option(
        name: .customLong("export"),
        help: ArgumentHelp(
            "Write all items in a format (\(ExchangeFormat.allValueStrings.joined(separator: ", "))) "
                + "and exit.",
            valueName: "format"
        )
    )
    var exportFormat: ExchangeFormat?

    @Flag(
        name: .customLong("plain-ui"),
        help: "Open the interface as lines, for screen readers: nothing is drawn."
    )
    var isPlain = false

    /// The version, and the commit if the Makefile has built the program.
    private static var version: String {
        let commit = cversion_commit()
        if commit == 0 { return Library.version }
        let digits = String(commit, radix: 16)
        return "\(Library.version) (\(String(repeating: "0", count: 7 - digits.count))\(digits))"
    }

    /// Runs the command line.
    ///
    /// Messages about an invalid one are cleaned like all others, because they repeat typed text.
    static func main() {
        Console.holdStandardStreams()
        TeamProgram.takeOver()
        if let refusal = CommandAdvice.refusal(of: CommandLine.arguments) {
            Console.note(refusal)
            Glibc.exit(ExitCode.validationFailure.rawValue)
        }
        if let manual = manual(CommandAdvice.words(of: CommandLine.arguments)) {
            Glibc.exit(show(manual) ?? 0)
        }
        let words = CommandLine.arguments.dropFirst()
        if words.elementsEqual(["--version"]) { Glibc.exit(show(version) ?? 0) }
        do {
            var command: any ParsableCommand = try directCommand(words) ?? parseAsRoot()
            // Makes a full disk quota an error of the write, instead of a signal that kills the
            // program.
            if !(command is Docket) { signal(SIGXFSZ, SIG_IGN) }
            try command.run()
        } catch {
            Glibc.exit(leave(over: error))
        }
    }

    /// What `docket help` and `docket help TOPIC` print; `nil` for all other command lines.
    ///
    /// A topic goes before the subcommand of its name.
    private static func manual(_ words: ArraySlice<String>) -> String? {
        guard words.first == "help", words.count <= 2 else { return nil }
        guard words.count == 2, let name = words.last else {
            return "\(helpMessage())\n\(Manual.list)"
        }
        guard let text = Manual.text(of: name), CommandAdvice.commands.contains(name) else {
            return Manual.text(of: name)
        }
        return "\(text)\n\n'docket \(name) --help' lists the options of the command."
    }

    /// Prints the message of an error, or of a request for help; returns the exit code.
    private static func leave(over error: any Error) -> Int32 {
        let code = exitCode(for: error).rawValue
        let message = fullMessage(for: error)
        if code == 0 {
            return show(message) ?? code
        } else if code == ExitCode.validationFailure.rawValue,
            let advice = CommandAdvice.onCommand(CommandLine.arguments)
        {
            Console.note(advice)
        } else if !message.isEmpty {
            Console.note(message)
        }
        return code
    }

    /// Prints what was asked for; returns the exit code if that fails.
    private static func show(_ message: String) -> Int32? {
        defer { Pager.finish() }
        do {
            let option = CommandLine.arguments.dropFirst().first ?? ""
            if option.hasPrefix("--generate-completion-script") {
                let words = CommandAdvice.helpWords
                let script = ShellCompletion.completed(message, helpWords: words)
                try Console.write(Array("\(script)\n".utf8))
            } else if option == "---completion" {
                // Names as they are, so that the command line has them.
                try Console.write(Array("\(message)\n".utf8))
            } else {
                try Console.print(message)
            }
            try Console.flushPaged()
        } catch let error as Console.OutputError {
            Console.fail("\(error)")
            return Exit.notDone
        } catch {}
        return nil
    }

    func perform() throws {
        if let exportFormat {
            try ExportCommand.write(exportFormat, to: nil, library: store.open(.reading))
        } else if isPlain {
            try Interface.converse(store)
        } else {
            try Interface.run(store)
        }
    }
}

// The type is ours too; the module that declares it parses no arguments.
// swift-format-ignore: AvoidRetroactiveConformances
extension ExchangeFormat: @retroactive ExpressibleByArgument {
    public init?(argument: String) {
        guard let format = try? ExchangeFormat(name: argument) else { return nil }
        self = format
    }

    public static var allValueStrings: [String] { allCases.map(\.name) }
}
