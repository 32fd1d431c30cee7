import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph

// A library has the form of a version of Docket's model. One of an older version is backed up and
// migrated when it is opened; the older models are built only then, so that opening costs nothing
// more.

/// What opening does to a library of an older version of Docket.
public enum UpgradeStep: Sendable {
    case backup
    case migration

    /// What is done, for people.
    public var title: String {
        switch self {
        case .backup: localized("Backing up the library")
        case .migration: localized("Bringing the library to the form of Docket \(Library.version)")
        }
    }
}

extension Backup {
    /// What is to be said about the library after an upgrade, of which this is the backup.
    public var upgradeNotice: String {
        localized(
            "The library now has the form of Docket \(Library.version); as it was before, it is kept in "
                + "\(path)."
        )
    }
}

/// Is told which part of a step is done, from 0 to 1; false cancels it, and the library stays as it
/// was.
public typealias UpgradeReport = @Sendable (_ step: UpgradeStep, _ part: Double) -> Bool

extension Library {
    /// The version of Docket.
    public static var version: String { "0.4.0" }

    /// What can read the libraries of this version.
    static var readableBy: String { "Docket 0.3.0 or later" }

    /// Opens the container of a library.
    ///
    /// - Returns: the container, the backup of a library that was migrated, and the copy that is open
    ///   instead of one that only may be read.
    static func open(
        _ url: URL,
        isReadOnly: Bool,
        _ report: @escaping UpgradeReport
    ) throws -> (container: PersistentContainer, former: Backup?, copy: UpgradedCopy?) {
        let upgrade = LibraryUpgrade(url, report)
        defer { upgrade.end() }
        do {
            let container = try container(url, upgrade.options(isReadOnly: isReadOnly))
            return (container, upgrade.former, nil)
        } catch {
            if isReadOnly, let copy = try UpgradedCopy(of: url, report) {
                do { return (try copy.container(isReadOnly: true), nil, copy) } catch {
                    copy.remove()
                    throw error
                }
            }
            throw upgrade.refusal(error)
        }
    }

    fileprivate static func container(
        _ url: URL,
        _ options: StoreOptions
    ) throws -> PersistentContainer {
        try PersistentContainer(
            model: DocketModel.ready(),
            classes: DocketModel.classes,
            url: url,
            options: options
        )
    }

    /// Opens a library of this or an older version for reading, in its own form.
    static func openReadOnly(_ url: URL) throws -> PersistentContainer {
        let upgrade = LibraryUpgrade(url) { _, _ in false }
        var options = upgrade.options(isReadOnly: true)
        options.migration.migratesAutomatically = false
        do {
            let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
            if let version = LibraryUpgrade.version(of: metadata) {
                return try PersistentContainer(model: version, url: url, options: options)
            }
            return try container(url, options)
        } catch {
            throw upgrade.refusal(error)
        }
    }
}

/// A copy of a library of an older version, in the form of this one, for reading.
struct UpgradedCopy {
    private let folder: URL
    private let file: URL
    private let upgrade: LibraryUpgrade

    /// - Returns: `nil` for a library of this version, and for what is none.
    /// - Throws: `ObjectGraphError` or `InputError` if it cannot be copied or brought to this form.
    /// - Complexity: O(bytes of the store).
    init?(of url: URL, _ report: @escaping UpgradeReport) throws {
        guard let metadata = try? PersistentStoreCoordinator.metadata(ofStoreAt: url),
            LibraryUpgrade.version(of: metadata) != nil
        else { return nil }
        folder = FileManager.default.temporaryDirectory.appending(path: "docket-\(UUID())")
        file = folder.appending(path: url.lastPathComponent)
        upgrade = LibraryUpgrade(file, report)
        guard mkdir(folder.path, 0o700) == 0 else {
            throw InputError(
                .malformed,
                "A copy of the library in the form of this version cannot be written to"
                    + " \(folder.path): \(String(cString: strerror(errno))). Set TMPDIR to a folder"
                    + " with space."
            )
        }
        do {
            try PersistentStoreCoordinator.replaceStore(at: file, with: url)
            try container(isReadOnly: false).close()
        } catch {
            remove()
            throw upgrade.refusal(error)
        }
    }

    func container(isReadOnly: Bool) throws -> PersistentContainer {
        var options = upgrade.options(isReadOnly: isReadOnly)
        // The library itself stays as it is.
        options.migration.beforeMigration = nil
        return try Library.container(file, options)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
