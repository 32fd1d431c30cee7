package import FoundationEssentials

/// How a PostgreSQL store is opened.
package struct PostgreSQLStoreOptions: Sendable {
    package var isReadOnly = false
    /// Whether a schema that does not exist is created.
    package var createsStore = true
    /// Whether saves are recorded in the history; there is no persistent undo without it.
    package var keepsHistory = true
    /// Whether to open the store although the version hashes of the model do not match.
    package var ignoresVersionHashes = false
    /// The identifier of a store that is created; `nil` for a new one.
    package var identifier: UUID?
    /// What the program says about who can read a store that it makes.
    package var readableBy: String?

    package init() {}
}
