package import FoundationEssentials
package import ObjectModel
import ObjectStore

// The table OG_MODEL of our own stores: one row with the archive of the store's model, so that the
// store can be migrated and inspected without the old model. It is not read when a store is opened:
// the metadata say whether it is there.

enum ModelTable {
    static let creation =
        "CREATE TABLE IF NOT EXISTS OG_MODEL (id INTEGER PRIMARY KEY, archive BLOB)"

    /// Writes the archive of a model, inside a write transaction.
    static func write(_ model: ManagedObjectModel, to connection: Connection) throws {
        try connection.execute(creation)
        let archive = ModelArchive(model).data
        try connection.statement("INSERT OR REPLACE INTO OG_MODEL (id, archive) VALUES (1, ?)")
            .run(.blob(archive))
    }

    /// The archive that a file keeps; `nil` if it has none.
    static func read(from connection: Connection) throws -> ModelArchive? {
        let exists = try connection.integer(
            "SELECT COUNT(*) FROM sqlite_master WHERE name = 'OG_MODEL' AND type = 'table'"
        )
        guard exists == 1 else { return nil }
        let statement = try connection.statement("SELECT archive FROM OG_MODEL WHERE id = 1")
        defer { statement.reset() }
        return try statement.step() ? ModelArchive(data: Data(statement.bytes(0))) : nil
    }
}

extension SQLiteStore {
    /// The archive of the model that a store was made with, if the store keeps it; without opening
    /// the store.
    ///
    /// - Throws: `ObjectGraphError` if the file does not exist or is not a store.
    package static func modelArchive(at url: URL) throws -> ModelArchive? {
        try translatingErrors {
            try StoreOpening(reading: url).reading { try ModelTable.read(from: $0) }
        }
    }
}

extension SQLiteStore {
    /// Adds the archive of the model to a file of our own that was made before files had one.
    ///
    /// The version hashes have been compared, so the model is that of the file.
    func keepModel() throws {
        if metadata[MetadataList.model] != nil || options.ignoresVersionHashes { return }
        try connection.transaction {
            try ModelTable.write(schema.model, to: connection)
            setOwnMetadata(.int(MetadataList.currentModelForm), for: MetadataList.model)
            try writeMetadata()
        }
        changedMetadata = []
    }
}
