package import FoundationEssentials

/// A store's metadata as the property list in `Z_METADATA`.
package enum MetadataList {
    package static func data(_ metadata: StoreMetadata) throws -> Data {
        // The UUID has its own column.
        try MetadataBytes.data(metadata.filter { $0.key != storeUUID })
    }

    /// The keys that a user cannot change.
    package static let kept = [
        storeType, storeUUID, hashes, hashesVersion, vacuumLevel, format, layout, model,
    ]

    package static func metadata(_ data: Data) throws -> StoreMetadata {
        try MetadataBytes.metadata(data)
    }

    // The keys of Core Data, and our own.
    package static let storeType = StoreMetadataKey.type
    package static let storeUUID = StoreMetadataKey.identifier
    package static let hashes = StoreMetadataKey.hashes
    package static let hashesVersion = StoreMetadataKey.hashesVersion
    package static let identifiers = StoreMetadataKey.modelIdentifiers
    package static let vacuumLevel = "_NSAutoVacuumLevel"
    /// The version of our own additions to the format; only stores that we made have it.
    package static let format = StoreMetadataKey.format
    /// The tables and columns that the file was created with.
    package static let layout = "OGLayout"
    /// The indexes that the file has.
    package static let indexes = "OGIndexes"
    /// The attributes that the search index covers.
    package static let search = "OGSearch"

    /// Present if the file keeps the archive of its model in `OG_MODEL`.
    package static let model = StoreMetadataKey.model
    /// The checksums of the models that the store has had before.
    package static let lineage = StoreMetadataKey.lineage
    /// A text of the program that says what can read the store, such as a version of it.
    package static let readableBy = StoreMetadataKey.readableBy

    package static let currentModelForm: Int64 = 1
    /// The newest format that this version reads.
    package static let currentFormat: Int64 = 1
}

/// A short digest of texts, to detect a changed layout; not for security.
package func textDigest(_ texts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
}
