import ArgumentParser
import DocketCore

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write items in another format.",
        discussion: "Formats: json (lossless), taskwarrior, todotxt, text."
    )

    @OptionGroup var store: StoreLocation
    @Option(help: "json, taskwarrior, todotxt or text.") var format = ExchangeFormat.json
    @Argument(help: "A file; standard output without it, or with -.") var file: String?

    func run() throws {
        try Exit.onFailure {
            try ExportCommand.write(
                format,
                to: file == "-" ? nil : file,
                library: store.open(.reading)
            )
        }
    }

    /// Writes an export; a file appears whole or not at all.
    static func write(
        _ format: ExchangeFormat,
        to path: String?,
        library: @autoclosure () throws -> Library
    ) throws {
        let library = try library()
        let report: ExchangeReport
        if let path {
            let output = try OutputFile(path)
            report = try library.export(format) { try output.write($0) }
            try output.finish()
            Exit.noteWritten()
            let count = "\(report.kept) item\(report.kept == 1 ? "" : "s")"
            try Console.print("Exported \(count) to \(Console.shown(path))")
        } else {
            report = try library.export(format) { try Console.write($0) }
            try Console.flush()
        }
        if !report.changed.isEmpty || !report.skipped.isEmpty {
            Console.report(report, heading: "Not all of it fits the format:")
        }
    }
}

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take items over from a file, in one step of undo.",
        discussion: """
            If an item cannot be read, nothing is imported and the report says which lines are \
            wrong; with --skip-broken the rest is imported.
            """
    )

    @OptionGroup var store: StoreLocation
    @Option(help: "json, taskwarrior or todotxt.") var format = ExchangeFormat.json
    @Flag(help: "Leave out what cannot be read and import the rest.") var skipBroken = false
    @Argument(help: "A file, or - for standard input.") var file: String

    func validate() throws {
        if format == .text {
            throw ValidationError(
                "Plain text cannot be imported; the formats are json, taskwarrior and todotxt."
            )
        }
    }

    func run() throws {
        try Exit.onFailure {
            let bytes = try Input.read(file)
            let library = try store.open(.writing)
            let outcome = try library.importItems(
                format,
                from: bytes,
                broken: skipBroken ? .skip : .refuseAll
            )
            let report = outcome.report
            if !report.isComplete, !skipBroken {
                Console.report(report, heading: nil)
                Console.fail(
                    "Nothing was imported. Mend these lines, or use --skip-broken to import the "
                        + "rest."
                )
                throw ExitCode(Exit.notDone)
            }
            if !report.changed.isEmpty || !report.skipped.isEmpty {
                Console.report(report, heading: nil)
            }
            try Console.print(ImportCommand.summary(outcome))
        }
    }

    private static func summary(_ outcome: ImportOutcome) -> String {
        func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
        let skipped = outcome.report.skipped.count
        if outcome.report.kept + skipped == 0 { return "Nothing changed: there are no items" }
        let rest = skipped == 0 ? "" : "; skipped \(skipped)"
        if outcome.added == 0, outcome.updated == 0 {
            return "Nothing changed: \(items(outcome.report.kept)) read, all known already\(rest)"
        }
        if outcome.updated == 0 { return "Imported \(items(outcome.added))\(rest)" }
        return "Imported \(items(outcome.added)), updated \(outcome.updated)\(rest)"
    }
}
