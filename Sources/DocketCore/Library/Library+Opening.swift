import FoundationEssentials
import Glibc
import ObjectGraph

// A library has the form of a version of Docket's model. One of an older version is backed up and
// migrated when it is opened; the older models are built only then, so that opening costs nothing
// more.

/// What opening does to a library of an older version of Docket.
package enum UpgradeStep: Sendable {
    case backup
    case migration

    /// What is done, for people.
    package var title: String {
        switch self {
        case .backup: "Backing up the library"
        case .migration: "Bringing the library to the form of Docket \(Library.version)"
        }
    }
}

extension Backup {
    /// What is to be said about the library after an upgrade, of which this is the backup.
    package var upgradeNotice: String {
        "The library now has the form of Docket \(Library.version); as it was before, it is kept in "
            + "\(path)."
    }
}

/// Is told which part of a step is done, from 0 to 1; false cancels it, and the library stays as it
/// was.
package typealias UpgradeReport = @Sendable (_ step: UpgradeStep, _ part: Double) -> Bool

extension Library {
    /// The version of Docket.
    package static var version: String { "0.2.0" }

    /// What can read the libraries of this version.
    private static var readableBy: String { "Docket 0.2.0 or later" }

    /// Opens the container of a library.
    ///
    /// - Returns: the container, and the backup of a library that was migrated.
    static func open(
        _ url: URL,
        isReadOnly: Bool,
        _ report: @escaping UpgradeReport
    ) throws -> (PersistentContainer, former: Backup?) {
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        options.configuration = configuration
        options.migration.migratesAutomatically = false
        options.migration.readableBy = readableBy
        do {
            return (try container(url, options), nil)
        } catch let error as ObjectGraphError where error.code == .incompatibleVersion {
            return try upgrade(url, options, error, report)
        }
    }

    private static func container(
        _ url: URL,
        _ options: StoreOptions
    ) throws -> PersistentContainer {
        try PersistentContainer(
            model: DocketModel.make(),
            classes: DocketModel.classes,
            url: url,
            options: options
        )
    }

    /// Opens a library of this or an older version for reading, in its own form.
    static func openReadOnly(_ url: URL) throws -> PersistentContainer {
        var options = StoreOptions()
        options.isReadOnly = true
        options.configuration = configuration
        options.migration.migratesAutomatically = false
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        if let version = version(of: metadata) {
            return try PersistentContainer(model: version, url: url, options: options)
        }
        do {
            return try container(url, options)
        } catch let error as ObjectGraphError where error.code == .incompatibleVersion {
            throw refusal(url, metadata, error)
        }
    }

    private static var configuration: String { "Main" }

    /// The older model that a library was made with; `nil` for the present one, and an unknown one.
    private static func version(of metadata: StoreMetadata) -> ManagedObjectModel? {
        [DocketModel1.make()].first {
            $0.matches(storeMetadata: metadata, configuration: configuration)
        }
    }

    private static func upgrade(
        _ url: URL,
        _ plain: StoreOptions,
        _ cause: ObjectGraphError,
        _ report: @escaping UpgradeReport
    ) throws -> (PersistentContainer, former: Backup?) {
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        guard let version = version(of: metadata) else { throw refusal(url, metadata, cause) }
        var options = plain
        options.migration.migratesAutomatically = true
        options.migration.versions = [version]
        if plain.isReadOnly { return (try container(url, options), nil) }
        // Of several programs one does the work, and the others find it done.
        let folder = BackupFolder(store: url.path)
        let turn = try folder.takeTurn(waits: true)
        defer { turn?.end() }
        do {
            return (try container(url, plain), nil)
        } catch let error as ObjectGraphError where error.code == .incompatibleVersion {
            return try migrate(url, options, folder, report)
        }
    }

    private static func migrate(
        _ url: URL,
        _ options: StoreOptions,
        _ folder: BackupFolder,
        _ report: @escaping UpgradeReport
    ) throws -> (PersistentContainer, former: Backup?) {
        // The real time, whatever the time of the program is set to.
        let file = try folder.newPath(.beforeMigration, at: Date())
        var options = options
        options.migration.monitor = .cancelling { report(.migration, $0.fraction) }
        options.migration.beforeMigration = { pending in
            try pending.backUp(to: URL(filePath: file)) { part in
                if !report(.backup, part) { throw CancellationError() }
            }
        }
        do {
            let container = try container(url, options)
            return (container, folder.backups.first { $0.path == file })
        } catch {
            // The library is as it was.
            unlink(file)
            guard error is CancellationError || (error as? ObjectGraphError)?.code == .cancelled
            else { throw error }
            throw InputError(
                .conflict,
                "The library was not brought to the form of this version of Docket; it is as it was."
            )
        }
    }

    /// Why a library of an unknown version is not opened, in terms of Docket.
    private static func refusal(
        _ url: URL,
        _ metadata: StoreMetadata,
        _ cause: ObjectGraphError
    ) -> ObjectGraphError {
        guard case .string(let readers)? = metadata["OGReadableBy"], readers.hasPrefix("Docket ")
        else { return cause }
        return ObjectGraphError(
            .incompatibleVersion,
            "The store \"\(url.lastPathComponent)\" was written by a newer version of Docket; it can "
                + "be read by \(readers).",
            recovery: "Install that version; this is Docket \(version).",
            underlying: [cause]
        )
    }
}
