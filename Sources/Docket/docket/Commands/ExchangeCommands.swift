import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats
import Encryption
import FoundationEssentials
import ObjectStore

struct ExportCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write items in another format.",
        discussion: """
            Formats: \(formats.joined(separator: ", ")). Without --format the end of the file's name \
            decides: \(endings.joined(separator: ", ")). With --encrypt the file is in the age format, \
            for a passphrase or for public keys. Encrypted texts of notes are left out. --schema prints \
            the JSON Schema of the format json.

            With --watch the file is kept in step with the store until Control-C or SIGTERM: what is \
            edited in the file is imported, then the file is written again, each item with an \
            identity. What is edited on both sides follows the rules of docket import; if something \
            of the file is not taken, the file as it was stays beside as FILE~.
            """
    )

    private static let formats = ExchangeFormat.allCases.map {
        $0.isLossless ? "\($0.name) (lossless)" : $0.name
    }
    private static let endings = ExchangeFormat.allCases.map {
        $0 == .json ? "\($0.ending) or none" : $0.ending
    }

    @OptionGroup var store: StoreLocation
    @Option(help: "\(ExchangeFormat.allCases.map(\.name).listed("or")).")
    var format: ExchangeFormat?
    @Flag(help: "Print the JSON Schema of json, and nothing else.") var schema = false
    @Flag(help: "Keep the file in step with the store, in both directions, until a signal.")
    var watch = false
    @OptionGroup var encryption: AgeOutputOptions
    @Argument(help: "A file; standard output without it, or with -.", completion: .file())
    var file: String?

    func validate() throws {
        if !watch { return }
        if file ?? "-" == "-" { throw ValidationError("--watch needs the name of a file.") }
        if schema || encryption.encrypt {
            throw ValidationError("--watch goes without --schema and --encrypt.")
        }
    }

    func perform() throws {
        if schema { return try Console.write(PackageResources.items_schema_json) }
        let path = file == "-" ? nil : file
        let format = try format ?? path.map(ExchangeFormat.ofFile) ?? .json
        if watch, let path {
            if let refusal = format.refusal { throw ValidationError(refusal) }
            let library = try store.open(.writing)
            let importing = WatchedImport(library) { ImportCommand.backUp(library) }
            var watch = try ExportWatch(path, format, importing)
            return try watch.run()
        }
        let recipients = try encryption.recipients()
        try ExportCommand.write(format, to: path, for: recipients, library: store.open(.reading))
    }

    /// Writes an export; a file appears complete or not at all.
    static func write(
        _ format: ExchangeFormat,
        to path: String?,
        for recipients: [AgeRecipient]? = nil,
        library: @autoclosure () throws -> Library
    ) throws {
        let library = try library()
        let report: ExchangeReport
        if let path {
            let output = try OutputFile(path)
            let sink = try EncryptingOutput(for: recipients) { try output.write($0) }
            report = try library.export(format) { try sink.write($0) }
            try sink.finish()
            try output.finish()
            Exit.noteWritten()
            let count = "\(report.kept) item\(report.kept == 1 ? "" : "s")"
            let how = recipients == nil ? "" : ", encrypted"
            try Console.print("Exported \(count) to \(Console.shown(path))\(how)")
        } else {
            let sink = try EncryptingOutput(for: recipients) { try Console.write($0) }
            report = try library.export(format) { try sink.write($0) }
            try sink.finish()
            try Console.flush()
        }
        if report.hasDetails {
            Console.report(report, heading: "The format cannot hold everything:")
        }
        // What was read is reported when the library closes.
        if library.pageReport.doubtfulCount > 0 { throw ExitCode(Exit.unhealthy) }
    }
}

struct ImportCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import items from a file, in one step of undo.",
        discussion: """
            Formats: \(formats.joined(separator: ", ")). Without --format the content decides; what no \
            other format recognises is \(ExchangeFormat.otherwise.name).

            If an item cannot be read, nothing is imported and the report says which lines are \
            wrong; with --skip-broken the rest is imported. With --strict nothing is imported either if \
            part of an item would be lost.

            An item that exists already is updated, but never with values that are older than \
            a change made here: the report lists the overwritten fields and the items that \
            are not changed.

            A large import is saved in parts, so that others see its items as they arrive. It \
            can be stopped with Control-C; importing the same file again continues, undo reverts \
            all of it.

            A file in the age format is recognised by its content and decrypted while it is read; \
            nothing plain of it is written to the disk.

            With --watch the file, or each file of a folder, is imported now and whenever it is saved, \
            until Control-C or SIGTERM. Hidden files and copies that editors keep are left alone.
            """
    )

    private static let formats = ExchangeFormat.imported.map(\.name)

    @OptionGroup var store: StoreLocation
    @Option(help: "\(formats.listed("or")).", completion: .list(formats))
    var format: ExchangeFormat?
    @Flag(help: "Leave out invalid items and import the rest.") var skipBroken = false
    @Flag(help: "Import nothing if an item would not be kept as it is in the file.")
    var strict = false
    @Flag(help: "Only show what would happen.") var dryRun = false
    @Flag(help: "Import a file, or each file of a folder, whenever it is saved, until a signal.")
    var watch = false
    @Option(help: "text, or json: one object with all results, on standard output.")
    var report = ReportForm.text
    @Option(help: ArgumentHelp("How many items are saved at a time.", valueName: "items"))
    var every = Library.importBatch
    @OptionGroup var decryption: AgeInputOptions
    @Argument(
        help: "A file, or - for standard input; with --watch a file or a folder.",
        completion: .file()
    )
    var file: String

    func validate() throws {
        if !(1...Library.largestImportBatch).contains(every) {
            throw ValidationError("--every takes a number from 1 to \(Library.largestImportBatch).")
        }
        if let format, let refusal = format.refusal { throw ValidationError(refusal) }
        if watch, file == "-" || dryRun || strict || report == .json {
            throw ValidationError(
                "--watch takes a file or a folder, without --dry-run, --strict and --report."
            )
        }
    }

    enum ReportForm: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    func perform() throws {
        if watch { return try keepImporting() }
        let source = try decryption.plain(ByteSource.opening(file), of: file)
        let format = try format ?? .ofFile(file, beginning: source.beginning())
        let library = try store.open(dryRun ? .reading : .writing)
        var outcome = try run(library, source, format, isDryRun: dryRun || strict)
        let isStrictlyRefused = strict && outcome.report.changed.total > 0
        func isAllowed() -> Bool {
            !isStrictlyRefused && outcome.report.allowsImport(skippingBroken: skipBroken)
        }
        if strict, !dryRun, isAllowed() {
            source.rewind()
            outcome = try run(library, source, format, isDryRun: false)
        }
        let isRefused = !isAllowed()
        if report == .json {
            try Console.print(outcome.json(format, isDryRun: dryRun, isRefused: isRefused))
        } else if outcome.report.hasDetails {
            Console.report(outcome.report, heading: nil, limit: dryRun ? .max : 20)
        }
        if isRefused {
            var advice = " Fix these lines, or use --skip-broken to import the rest."
            if outcome.report.isUnreadable {
                advice = ""
            } else if isStrictlyRefused {
                advice =
                    " Fix these lines, or leave out --strict to import them as far as they"
                    + " can be kept."
            }
            Console.fail("Nothing \(dryRun ? "would be" : "was") imported.\(advice)")
            throw ExitCode(Exit.notDone)
        }
        if report == .json { return }
        // What the name says need not be said.
        let isObvious = self.format != nil || (try? ExchangeFormat(file: file)) == format
        let read = isObvious ? "" : "; the format is \(format.name)"
        try Console.print(outcome.sentence(isDryRun: dryRun) + read)
    }

    private func keepImporting() throws {
        let library = try store.open(.writing)
        var importing = WatchedImport(library) { ImportCommand.backUp(library) }
        importing.broken = skipBroken ? .skip : .refuseAll
        importing.batch = every
        var watch = try ImportWatch(file, format, decryption, importing)
        try watch.run()
    }

    /// Makes a backup, so that even what undo does not bring back can be restored.
    fileprivate static func backUp(_ library: Library) {
        let settings = Settings(environment: ProcessInfo.environment)
        do {
            try library.backUp(.beforeImport, settings.backup)
        } catch {
            Console.warn("There is no backup from before the import: \(error.reason)")
        }
    }

    private func run(
        _ library: Library,
        _ document: ByteSource,
        _ format: ExchangeFormat,
        isDryRun: Bool
    ) throws -> ImportOutcome {
        let line = ProgressLine(isDryRun ? "Reading" : "Importing")
        defer { line.clear() }
        do {
            return try library.importItems(
                format,
                from: document,
                named: source,
                broken: skipBroken ? .skip : .refuseAll,
                isDryRun: isDryRun,
                batch: every,
                progress: { try line.show($0.done, of: $0.total) },
                beforeWriting: { ImportCommand.backUp(library) }
            )
        } catch let stop as ImportIncomplete {
            line.clear()
            let sentence = stop.sentence()
            let next =
                "Import the same file again to complete it, or undo it with `docket undo`."
            guard stop.cause is ProgressLine.Interrupted else {
                throw DoneBefore(sentence, stop.cause, next: next)
            }
            Console.warn("\(sentence) \(next)")
            throw ExitCode(Exit.notDone)
        } catch is ProgressLine.Interrupted {
            line.clear()
            Console.warn("Stopped; nothing was imported.")
            throw ExitCode(Exit.notDone)
        }
    }

    /// The file's name without its folder; `nil` for standard input.
    private var source: String? {
        file == "-" ? nil : file.split(separator: "/").last.map { String($0) }
    }
}

extension ExchangeFormat {
    /// The format of a file that no option names.
    fileprivate static func ofFile(_ path: String) throws(InputError) -> ExchangeFormat {
        do { return try ExchangeFormat(file: path) } catch { throw offeringOption(error) }
    }

    static func ofFile(
        _ path: String,
        beginning: [UInt8]
    ) throws(InputError) -> ExchangeFormat {
        do { return try recognised(name: path, beginning: beginning) } catch {
            throw offeringOption(error)
        }
    }

    private static func offeringOption(_ error: InputError) -> InputError {
        InputError(error.kind, "\(error.message) --format names one for any file.")
    }
}
