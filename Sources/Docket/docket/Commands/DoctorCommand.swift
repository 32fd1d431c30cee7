import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph

struct DoctorCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the store; repair it, or save what can be read of a damaged one.",
        discussion: """
            Without an option it only reports: the structure of the file and the checksums of its \
            pages, each item by the rules of the model, lists, tags, ranks, numbers and counts, the \
            history and the search index against the items. The vault beside it is checked in the same \
            way, without its passphrase.

            --repair copies the file into the folder of backups first (docket backup --list), and \
            needs the store for itself. Changes of items are steps of the history: docket undo \
            reverts them. A page of the file that neither has its checksum nor differs from it in one \
            bit was written by another program, or is damaged. It is read, but not changed, until \
            --accept-pages says that it is right as it is; without that --repair only corrects flipped \
            bits. --salvage changes nothing in the store; docket import reads its file.

            Exit codes: 0 everything is in order; 5 something is wrong; 2 the store cannot be opened \
            or written.
            """
    )

    @OptionGroup var store: StoreLocation
    @Flag(help: "Repair what can be repaired, after a copy of the file.") var repair = false
    @Flag(help: "With --repair: take pages that nothing verifies as they are.")
    var acceptPages = false
    @Flag(help: "Print the report as JSON.") var json = false
    @Option(
        help: ArgumentHelp(
            "Write what can be read of a damaged store into a new file, as JSON.",
            valueName: "file"
        )
    )
    var salvage: String?

    func validate() throws {
        if repair, salvage != nil {
            throw ValidationError("--repair and --salvage are two ways; use one of them.")
        }
        if acceptPages, !repair { throw ValidationError("--accept-pages needs --repair.") }
        if salvage?.isEmpty == true { throw ValidationError("The file needs a name.") }
    }

    func perform() throws {
        let file = try store.file()
        try StoreLocation.requireFile(file)
        guard access(file.path, F_OK) == 0 else {
            throw ObjectGraphError(
                .cannotOpen,
                "There is no store at \(file.path): \(String(cString: strerror(errno))).",
                recovery: "Name its file with --store."
            )
        }
        let clock = SystemClock(environment: ProcessInfo.environment)
        let line = ProgressLine(salvage != nil ? "Reading" : repair ? "Repairing" : "Checking")
        defer { line.clear() }
        do {
            if let salvage {
                try save(file, to: salvage, clock, line)
            } else if repair {
                try repairStore(file, clock, line)
            } else {
                try report(file, clock, line)
            }
        } catch is ProgressLine.Interrupted {
            line.clear()
            Console.warn(repair ? "Stopped." : "Stopped; nothing was changed.")
            throw ExitCode(Exit.notDone)
        } catch let error as ObjectGraphError
            where salvage == nil
            && (error.code == .damagedFile || DoctorCommand.isNoDatabase(file.path))
        {
            line.clear()
            Console.fail("\(error)")
            Console.note(
                "`docket doctor --salvage FILE` saves what can be read of it;"
                    + " `docket restore --backup latest` brings the newest backup back."
            )
            throw ExitCode(Exit.store)
        }
    }

    /// Whether a file that can be read does not begin as a database.
    private static func isNoDatabase(_ path: String) -> Bool {
        guard (try? PlainFile(path)) != nil else { return false }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return false }
        defer { close(file) }
        let signature = Array("SQLite format 3\0".utf8)
        var start = [UInt8](repeating: 0, count: signature.count)
        return read(file, &start, start.count) >= 0 && start != signature
    }

    // MARK: Reporting

    private func report(_ file: URL, _ clock: SystemClock, _ line: ProgressLine) throws {
        let library = try Library(url: file, author: "doctor", isReadOnly: true) { clock.context }
        defer { library.close() }
        var inspection = try library.inspect { try line.show(Int($0 * 100), of: 100) }
        inspection.addVault(beside: file)
        line.clear()
        if json {
            try Console.print(DoctorJSON.report(inspection, repaired: [], backup: nil))
        } else {
            for notice in library.openingNotices { Console.warn(notice) }
            try show(inspection, "")
        }
        if !inspection.isHealthy { throw ExitCode(Exit.unhealthy) }
    }

    private func show(_ inspection: LibraryInspection, _ still: String) throws {
        for finding in inspection.findings {
            let repair =
                finding.repair.map { still.isEmpty ? " \($0)" : "" }
                ?? (finding.isUnusableVault ? "" : " This cannot be repaired in place.")
            let place = finding.isOfVault ? "In the vault: " : ""
            try Console.print("\(still)\(place)\(finding.message)\(repair)")
        }
        if inspection.findings.contains(where: { $0.isOfVault && $0.repair == nil }) {
            Console.note(
                "`docket restore --backup latest` brings the library and its vault back as they are"
                    + " in the newest backup."
            )
        }
        let checked =
            "\(counted(inspection.items, "item")), \(counted(inspection.transactions, "transaction"))"
            + " of the history\(inspection.hasVault ? ", and the vault" : "")"
        if inspection.isHealthy {
            try Console.print("Everything is in order: \(checked).")
        } else if still.isEmpty {
            let canRepair = inspection.findings.contains { $0.repair != nil }
            try Console.print(
                "\(counted(inspection.findings.count, "finding")) in \(checked)."
                    + (canRepair ? " `docket doctor --repair` repairs." : "")
            )
        }
        if inspection.isHealthy, !inspection.hasChecksums {
            try Console.print(
                "An earlier version made the file, without checksums; `docket doctor --repair` adds"
                    + " them."
            )
        }
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    // MARK: Repairing

    private func repairStore(_ file: URL, _ clock: SystemClock, _ line: ProgressLine) throws {
        let repair = try Library.repair(
            file,
            clock: { clock.context },
            acceptsPages: acceptPages,
            progress: { try line.show(Int($0 * 100), of: 100) }
        )
        line.clear()
        if repair.backup != nil { Exit.noteWritten() }
        if json {
            let (rest, repaired) = (repair.remaining, repair.repaired)
            try Console.print(DoctorJSON.report(rest, repaired: repaired, backup: repair.backup))
        } else {
            for finding in repair.repaired {
                let place = finding.isOfVault ? "In the vault: " : ""
                try Console.print("Repaired: \(place)\(finding.message) \(finding.repair ?? "")")
            }
            if let backup = repair.backup {
                try Console.print("What was there before is in \(Console.shown(backup))")
            }
            try show(repair.remaining, "Not repaired: ")
            if repair.hasUnverifiedPages {
                let hasMore = repair.remaining.findings.count { $0.repair != nil } > 1
                try Console.print(
                    "Compare the items with a backup. `docket doctor --repair --accept-pages` takes"
                        + " these pages as they are\(hasMore ? " and repairs the rest" : "")."
                )
            }
        }
        if !repair.remaining.isHealthy { throw ExitCode(Exit.unhealthy) }
    }

    // MARK: Saving

    private func save(
        _ file: URL,
        to path: String,
        _ clock: SystemClock,
        _ line: ProgressLine
    ) throws {
        let saved = try Library.salvage(
            file,
            to: path,
            clock: { clock.context },
            progress: { try line.show(Int($0 * 100), of: 100) }
        )
        line.clear()
        Exit.noteWritten()
        if json { return try Console.print(DoctorJSON.report(saved, path)) }
        try Console.print("Saved \(counted(saved.items, "item")) to \(Console.shown(path))")
        let report = saved.report
        func tell(_ count: Int, _ noun: String, _ rest: String) throws {
            if count > 0 { try Console.print("\(counted(count, noun)) \(rest)") }
        }
        try tell(report.correctedPages, "page", "had a flipped bit, which was corrected.")
        try tell(report.lostPages, "page", "of the file cannot be read.")
        try tell(report.lostRows, "row", "cannot be read.")
        try tell(report.cutRows, "row", "lost the end of a long text.")
        try tell(report.refusedRows, "row", "could not be kept beside others with the same number.")
        try tell(report.lostTables.count, "table", "of the store cannot be found.")
        try tell(
            report.lostObjects,
            "object",
            "that the history knows \(report.lostObjects == 1 ? "is" : "are") lost."
        )
        for title in saved.lostTitles.prefix(20) {
            try Console.print("  lost: \(Console.shown(title))")
        }
        if saved.lostTitles.count > 20 {
            try Console.print("  and \(saved.lostTitles.count - 20) more")
        }
    }
}
