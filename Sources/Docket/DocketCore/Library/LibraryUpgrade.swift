import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph
import Synchronization

// Opening a library of an older version of Docket:
//   1. wait until no other program does the same, which then finds it done;
//   2. write a backup into the folder beside the store;
//   3. migrate.
// After an error, or if it is cancelled, the library is as it was, and the backup is removed.

/// What opening a library does if the library has the form of an older version of Docket.
final class LibraryUpgrade: Sendable {
    private struct State {
        var turn: BackupFolder.Turn?
        /// The path of the backup, once it is being made.
        var backup: String?
        var isCancelled = false
    }

    private let url: URL
    private let folder: BackupFolder
    private let report: UpgradeReport
    private let state = Mutex(State())

    init(_ url: URL, _ report: @escaping UpgradeReport) {
        self.url = url
        self.report = report
        folder = BackupFolder(store: LibraryPlace(url).path)
    }

    /// How the store of the library is opened.
    func options(isReadOnly: Bool) -> StoreOptions {
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        options.configuration = LibraryUpgrade.configuration
        options.migration.readableBy = Library.readableBy
        options.migration.makeVersions = { EarlierModels.all() }
        options.migration.beforeMigration = { try self.prepare($0) }
        options.migration.monitor = .cancelling { self.report(.migration, $0.fraction) }
        return options
    }

    /// The backup of the library as it was, if it was migrated.
    var former: Backup? {
        guard let path = state.withLock({ $0.backup }) else { return nil }
        return folder.backups.first { $0.path == path }
    }

    /// Lets other programs open the library, once it is open here or was refused.
    func end() {
        state.withLock { state in
            state.turn?.end()
            state.turn = nil
        }
    }

    // MARK: Versions

    private static var configuration: String { "Main" }

    /// The older model that a library was made with; `nil` for the present one, and an unknown one.
    static func version(of metadata: StoreMetadata) -> ManagedObjectModel? {
        EarlierModels.all().first {
            $0.matches(storeMetadata: metadata, configuration: configuration)
        }
    }

    // MARK: Before the migration

    private func prepare(_ pending: PendingMigration) throws {
        // A model that this version does not know is of a newer one, even if nothing would be lost.
        if LibraryUpgrade.version(of: pending.metadata) == nil { throw newer(pending.metadata) }
        // Whoever keeps the server keeps its backups too.
        if !url.isFileURL { return }
        let turn = try folder.takeTurn(waits: true)
        state.withLock { $0.turn = turn }
        let present = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        if LibraryUpgrade.version(of: present) == nil { return }
        // The real time, whatever the time of the program is set to.
        let file = try folder.newPath(.beforeMigration, at: Date())
        state.withLock { $0.backup = file }
        try pending.backUp(to: URL(filePath: file)) { part in
            if !self.report(.backup, part) { throw CancellationError() }
        }
    }

    // MARK: Errors

    /// The error of an opening in terms of Docket; nothing of the upgrade remains.
    func refusal(_ error: any Error) -> any Error {
        if let file = state.withLock({ $0.backup }) { unlink(file) }
        if error is CancellationError || (error as? ObjectGraphError)?.code == .cancelled {
            return InputError(
                .conflict,
                "The library was not brought to the form of this version of Docket; it is as it was."
            )
        }
        guard let error = error as? ObjectGraphError,
            error.code == .incompatibleVersion || error.code == .missingSourceModel,
            let metadata = try? PersistentStoreCoordinator.metadata(ofStoreAt: url),
            LibraryUpgrade.version(of: metadata) == nil
        else { return error }
        return newer(metadata, error)
    }

    private func newer(
        _ metadata: StoreMetadata,
        _ cause: ObjectGraphError? = nil
    ) -> ObjectGraphError {
        var readers = ""
        if case .string(let text)? = metadata["OGReadableBy"], !text.isEmpty {
            // A store of another program is none of a newer Docket.
            if let cause, !text.hasPrefix("Docket ") { return cause }
            readers = localized("; it can be read by \(text)")
        } else if let cause {
            return cause
        }
        return ObjectGraphError(
            .incompatibleVersion,
            "The store \"\(url.lastPathComponent)\" was written by a newer version of Docket\(readers).",
            recovery: "Install that version; this is Docket \(Library.version).",
            underlying: cause.map { [$0] } ?? []
        )
    }
}
