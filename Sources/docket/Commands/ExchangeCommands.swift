import ArgumentParser
import DocketCore
import FoundationEssentials
import ObjectGraph

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write items in another format.",
        discussion: "Formats: json (lossless), taskwarrior, todotxt, text.")

    @OptionGroup var store: StoreOptions
    @Option(help: "json, taskwarrior, todotxt or text.") var format = "json"
    @Argument(help: "A file; standard output without it, or with -.") var file: String?

    func run() throws {
        try Exit.onFailure {
            try Export.write(
                format: format, matching: nil, to: file == "-" ? nil : file, library: store.open())
        }
    }

    /// Writes an export; a file appears whole or not at all.
    static func write(
        format: String, matching predicate: FetchPredicate?, to file: String?,
        library: @autoclosure () throws -> Library
    ) throws {
        let format = try ExchangeFormat(name: format)
        let library = try library()
        let report: ExchangeReport
        if let file {
            let output = try WholeFile(file)
            report = try library.export(format, matching: predicate) { try output.write($0) }
            try output.finish()
        } else {
            report = try library.export(format, matching: predicate) { try Console.write($0) }
            try Console.flush()
        }
        if !report.changed.isEmpty || !report.skipped.isEmpty { Console.note(report.text()) }
    }
}

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take items over from a file, in one step of undo.",
        discussion: """
            If an item cannot be read, nothing is imported and the report says which lines are \
            wrong; with --skip-broken the rest is imported.
            """)

    @OptionGroup var store: StoreOptions
    @Option(help: "json, taskwarrior or todotxt.") var format = "json"
    @Flag(help: "Leave out what cannot be read and import the rest.") var skipBroken = false
    @Argument(help: "A file, or - for standard input.") var file: String

    func run() throws {
        try Exit.onFailure {
            let format = try ExchangeFormat(name: format)
            let bytes = try Input.read(file)
            let library = try store.open()
            let report = try library.importItems(
                format, from: bytes, broken: skipBroken ? .skip : .refuseAll)
            if !report.isComplete, !skipBroken {
                Console.note(report.text())
                Console.fail(
                    "Nothing was imported. Mend these lines, or use --skip-broken to import the "
                        + "rest.")
                throw ExitCode(Exit.notDone)
            }
            Console.note(report.text())
        }
    }
}
