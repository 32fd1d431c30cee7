import FoundationEssentials
import ObjectStore

/// A store's metadata as the property list in `Z_METADATA`.
enum MetadataList {
    static func data(_ metadata: StoreMetadata) throws -> Data {
        // The UUID has its own column.
        try MetadataBytes.data(metadata.filter { $0.key != storeUUID })
    }

    /// The keys that a user cannot change.
    static let kept = [
        storeType, storeUUID, hashes, hashesVersion, vacuumLevel, format, layout, model,
    ]

    static func metadata(_ data: Data) throws -> StoreMetadata {
        try MetadataBytes.metadata(data)
    }

    // The keys of Core Data, and our own.
    static let storeType = StoreMetadataKey.type
    static let storeUUID = StoreMetadataKey.identifier
    static let hashes = StoreMetadataKey.hashes
    static let hashesVersion = StoreMetadataKey.hashesVersion
    static let identifiers = StoreMetadataKey.modelIdentifiers
    static let vacuumLevel = "_NSAutoVacuumLevel"
    /// The version of our own additions to the format; only stores that we made have it.
    static let format = StoreMetadataKey.format
    /// The tables and columns that the file was created with.
    static let layout = "OGLayout"
    /// The indexes that the file has.
    static let indexes = "OGIndexes"
    /// The attributes that the search index covers.
    static let search = "OGSearch"

    /// Present if the file keeps the archive of its model in `OG_MODEL`.
    static let model = StoreMetadataKey.model
    /// The checksums of the models that the store has had before.
    static let lineage = StoreMetadataKey.lineage
    /// A text of the program that says what can read the store, such as a version of it.
    static let readableBy = StoreMetadataKey.readableBy

    static let currentModelForm: Int64 = 1
    /// The newest format that this version reads.
    static let currentFormat: Int64 = 1
}

/// A short digest of texts, to detect a changed layout; not for security.
func textDigest(_ texts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
}
