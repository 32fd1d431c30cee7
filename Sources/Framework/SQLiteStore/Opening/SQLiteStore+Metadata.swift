import FoundationEssentials
import ObjectModel
import ObjectStore

// Several programs write the metadata of one store. A program writes only what it has set itself,
// and takes over what the others have set.

extension SQLiteStore {
    /// Writes the entries that were set, inside a write transaction.
    func writeMetadata() throws {
        if changedMetadata.isEmpty { return }
        try mergeMetadata()
        try connection.statement("UPDATE Z_METADATA SET Z_PLIST = ?")
            .run(.blob(try MetadataList.data(metadata)))
    }

    /// Reads what other programs have set; entries that were set here and not written yet stay.
    func mergeMetadata() throws {
        let statement = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
        defer { statement.reset() }
        guard try statement.step() else { return }
        var merged = try MetadataList.metadata(Data(statement.bytes(0)))
        merged[MetadataList.storeUUID] = .string(identifier.uuidString)
        let changed = changedMetadata
        for key in changed { merged[key] = metadata[key] }
        if merged == metadata { return }
        setsOwnMetadata = true
        metadata = merged
        setsOwnMetadata = false
        changedMetadata = changed
    }
}
