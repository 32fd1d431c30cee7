import ArgumentParser
import CivilTime
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph
import ObjectStore

struct BackupCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write the whole store into one file, while it is in use.",
        discussion: """
            Without a file, the backup goes into the folder beside the store, whose backups --list \
            shows. A file is replaced only if it is an earlier backup of this store. The vault is \
            copied beside it, encrypted as it is.

            Docket also makes backups by itself: before an import, before it replaces or repairs \
            the store, and once on each day on which the store is used. It keeps the newest ones; \
            [backup] in config.toml says how many. `docket restore --backup` brings one back.
            """
    )

    @OptionGroup var store: StoreLocation
    @Flag(help: "Show the backups beside the store, the newest first.") var list = false
    @Flag(help: ArgumentHelp("Make the daily backup if it is due.", visibility: .private))
    var daily = false
    @OptionGroup var encryption: AgeOutputOptions
    @Argument(help: "A file; without it, one in the folder beside the store.") var file: String?

    func validate() throws {
        if encryption.encrypt, list || daily {
            throw ValidationError("--encrypt is for a new backup.")
        }
        if list || daily, file != nil {
            throw ValidationError("--list takes no file.")
        }
        if file?.isEmpty == true { throw ValidationError("The file needs a name.") }
    }

    func perform() throws {
        try StoreLocation.requireFile(store.file())
        let library = try store.open(.reading)
        if list { return try show(library) }
        let settings = Settings(environment: ProcessInfo.environment)
        if daily {
            if try library.needsDailyBackup(settings.backup) {
                try library.backUp(.daily, settings.backup)
            }
            return
        }
        let recipients = try encryption.recipients()
        let line = ProgressLine("Backing up")
        defer { line.clear() }
        func progress(_ part: Double) throws { try line.show(Int(part * 100), of: 100) }
        let path: String
        var isDoubtful = false
        do {
            if let recipients {
                path = try EncryptedBackup.write(library, to: file, recipients, progress)
            } else if let file {
                try library.backUp(to: file, progress: progress)
                let vault = try Library.backUpVault(of: library.path, beside: file)
                isDoubtful = vault.doubtfulCount > 0
                path = file
            } else {
                let made = try library.backUp(.asked, settings.backup, progress: progress)
                isDoubtful = made?.isDoubtful ?? false
                path = made?.path ?? ""
            }
        } catch is ProgressLine.Interrupted {
            line.clear()
            Console.warn("Stopped; there is no new backup.")
            throw ExitCode(Exit.notDone)
        }
        line.clear()
        Exit.noteWritten()
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int
        let bytes = size.map { " (\(HistoryPolicy.size($0)))" } ?? ""
        try Console.print("Backed up to \(Console.shown(path))\(bytes)")
        if isDoubtful || library.pageReport.doubtfulCount > 0 {
            Console.warn(
                "The backup may be damaged, as the store or its vault is; `docket doctor` says"
                    + " more."
            )
            throw ExitCode(Exit.unhealthy)
        }
    }

    private func show(_ library: Library) throws {
        let dates = DateFormat(context: library.clock())
        let backups = library.backupFolder.backups
        if backups.isEmpty {
            return try Console.print(
                "There are no backups in \(Console.shown(library.backupFolder.path)) yet."
            )
        }
        for backup in backups {
            let size = HistoryPolicy.size(backup.bytes)
            try Console.print(
                "\(Console.shown(backup.path))  \(dates.ago(backup.date)), \(size), "
                    + backup.reason.words + (backup.isDoubtful ? ", may be damaged" : "")
            )
        }
    }
}

/// Bringing a backup back, an option of `docket restore`.
enum BackupRestoring {
    /// - Parameters:
    ///   - name: a path, the name of a backup in the folder, or `latest`.
    ///   - location: the store to replace.
    ///   - decryption: how to open an encrypted backup.
    /// - Throws: an error that says why nothing was replaced.
    static func run(
        _ name: String,
        over location: StoreLocation,
        _ decryption: AgeInputOptions
    ) throws {
        let store = try location.file()
        try StoreLocation.requireFile(store)
        let folder = BackupFolder(store: store.path)
        let file = try find(name, folder)
        try PlainFile.require(file)
        let clock = SystemClock(environment: ProcessInfo.environment)
        let restored = try EncryptedBackup.withPlainForm(of: file, folder, decryption) {
            try Library.restore(
                URL(filePath: $0),
                vaultCopy: EncryptedBackup.vaultCopy(of: file),
                over: store
            ) { clock.context }
        }
        Exit.noteWritten()
        let items = "\(restored.items) item\(restored.items == 1 ? "" : "s")"
        let vault = restored.hasVault ? " and the vault" : ""
        try Console.print("Restored \(items)\(vault) from \(Console.shown(file))")
        if restored.pages.doubtfulCount > 0 {
            Console.warn(restored.pages.sentence(store.lastPathComponent))
        }
        if let former = restored.former {
            try Console.print("What was there before is in \(Console.shown(former))")
        }
    }

    private static func find(_ name: String, _ folder: BackupFolder) throws -> String {
        if name == "latest" {
            if let newest = folder.backups.first { return newest.path }
            throw InputError(
                .badReference,
                "There are no backups in \(folder.path); name the file of one."
            )
        }
        var status = stat()
        // A link that leads nowhere is named too.
        if lstat(name, &status) == 0 { return name }
        let inFolder = "\(folder.path)/\(name)"
        if !name.contains("/"), access(inFolder, F_OK) == 0 { return inFolder }
        throw InputError(
            .badReference,
            "There is no backup \"\(name)\"; `docket backup --list` shows those beside the store."
        )
    }
}
