public import FoundationEssentials

/// A backup in the folder beside the store.
public struct Backup: Hashable, Sendable {
    /// Why it was made.
    public enum Reason: String, CaseIterable, Sendable {
        case asked
        case daily
        case beforeImport = "before-import"
        case beforeMigration = "before-migration"
        case beforeRestore = "before-restore"
        case beforeRepair = "before-repair"

        /// Whether Docket may delete it to make room for newer ones.
        ///
        /// What a user asked for, and the only file of an older version, stay until somebody deletes
        /// them.
        public var isRotating: Bool { self != .asked && self != .beforeMigration }

        /// The reason as people read it.
        public var words: String { rawValue.replacing("-", with: " ") }
    }

    public let path: String
    /// When it was made, to the second.
    public let date: Date
    public let reason: Reason
    /// Its place among those of the same second and reason, from 1.
    let number: Int
    public let bytes: Int
    /// Whether pages were copied that do not have their checksum.
    public let isDoubtful: Bool

    /// The file's name without its folder.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// How many backups Docket keeps by itself.
public struct BackupPolicy: Hashable, Sendable {
    /// How many daily backups are kept.
    public var count = 10
    /// How many of each other kind that rotates.
    public static let others = 3
    /// How many bytes these have together; the newest one is kept whatever its size.
    public var bytes = 1 << 30
    /// Whether one is made on each day on which the store is used.
    public var isDaily = true

    public init() {}

    /// How long after the last backup the daily one is due, in seconds.
    public static let day = 24.0 * 60 * 60
}
