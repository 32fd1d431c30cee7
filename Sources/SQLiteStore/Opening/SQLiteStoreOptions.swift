/// How a SQLite store is opened.
package struct SQLiteStoreOptions: Sendable {
    package var isReadOnly = false
    /// Whether a file that does not exist is made.
    package var createsFile = true
    /// Whether saves are logged, in a store of our own; without it there is no persistent undo.
    package var keepsHistory = true
    /// Whether searched attributes are indexed, in a store of our own.
    package var keepsSearchIndex = true
    /// Whether to open the store although the model's version hashes do not fit.
    package var ignoresVersionHashes = false

    /// The name of the file system that SQLite uses; `nil` for the usual one.
    package var fileSystem: String?

    package init() {}
}
