package import FoundationEssentials

/// How a SQLite store is opened.
package struct SQLiteStoreOptions: Sendable {
    package var isReadOnly = false
    /// Whether a file that does not exist is created.
    package var createsFile = true
    /// Whether saves are recorded in the history, in a store of our own; there is no persistent
    /// undo without it.
    package var keepsHistory = true
    /// Whether searched attributes are indexed, in a store of our own.
    package var keepsSearchIndex = true
    /// Whether to open the store although the version hashes of the model do not match.
    package var ignoresVersionHashes = false

    /// The identifier of a store that is created; `nil` for a new one.
    package var identifier: UUID?

    /// Whether a store that is created keeps a checksum in each page.
    package var keepsChecksums = true
    /// Whether a page that differs from its checksum in one bit is corrected when it is read.
    ///
    /// Opening does so by itself for a file that cannot be read otherwise.
    package var trustsChecksums = false

    /// The name of the file system that SQLite uses; `nil` for the usual one.
    package var fileSystem: String?

    /// The folder for large data; `nil` for the usual one beside the store.
    ///
    /// A store that is being made elsewhere, to replace another one, uses the folder of that one.
    package var externalFolder: String?
    /// What the program says about who can read a store that it makes or migrates, for the message of
    /// a program that cannot.
    package var readableBy: String?

    package init() {}
}
