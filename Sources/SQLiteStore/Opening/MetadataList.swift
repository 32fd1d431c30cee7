import FoundationEssentials
import ObjectModel
import ObjectStore

/// A store's metadata as the property list in `Z_METADATA`.
enum MetadataList {
    static func data(_ metadata: StoreMetadata) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // The UUID has its own column.
        let stored = metadata.filter { $0.key != storeUUID }
        return try encoder.encode(stored.mapValues(PlainValue.init))
    }

    /// The keys that a user cannot change.
    static let kept = [
        storeType, storeUUID, hashes, hashesVersion, vacuumLevel, format, layout, model,
    ]

    static func metadata(_ data: Data) throws -> StoreMetadata {
        try PropertyListDecoder().decode([String: PlainValue].self, from: data)
            .mapValues(\.value)
    }

    // The keys of Core Data, and our own.
    static let storeType = "NSStoreType"
    static let storeUUID = "NSStoreUUID"
    static let hashes = "NSStoreModelVersionHashes"
    static let hashesVersion = "NSStoreModelVersionHashesVersion"
    static let identifiers = "NSStoreModelVersionIdentifiers"
    static let vacuumLevel = "_NSAutoVacuumLevel"
    /// The version of our own additions to the format; only stores that we made have it.
    static let format = "OGFormatVersion"
    /// The tables and columns that the file was created with.
    static let layout = "OGLayout"
    /// The indexes that the file has.
    static let indexes = "OGIndexes"
    /// The attributes that the search index covers.
    static let search = "OGSearch"

    /// Present if the file keeps the archive of its model in `OG_MODEL`.
    static let model = "OGModel"
    /// The checksums of the models that the store has had before.
    static let lineage = "OGModelLineage"
    /// A text of the program that says what can read the store, such as a version of it.
    static let readableBy = "OGReadableBy"

    static let currentModelForm: Int64 = 1
    /// The newest format that this version reads.
    static let currentFormat: Int64 = 1
}

/// A property-list value without a wrapper that names its kind.
private struct PlainValue: Codable {
    let value: GraphValue

    init(_ value: GraphValue) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .bool(let flag): try container.encode(flag)
        case .int(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .decimal(let number): try container.encode(number.doubleValue)
        case .string(let text): try container.encode(text)
        case .date(let date): try container.encode(date)
        case .data(let data): try container.encode(data)
        case .uuid(let uuid): try container.encode(uuid.uuidString)
        case .url(let url): try container.encode(url.absoluteString)
        case .array(let values): try container.encode(values.map(PlainValue.init))
        case .set(let values): try container.encode(values.map(PlainValue.init))
        case .dictionary(let values):
            try container.encode(values.mapValues(PlainValue.init))
        case .null, .objectID, .object, .opaque:
            throw ObjectGraphError(
                .wrongValueKind,
                "The metadata of a store cannot hold \(value.kindWithArticle).",
                recovery: "Use strings, numbers, dates, data, and lists of them."
            )
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            value = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            value = .int(number)
        } else if let number = try? container.decode(Double.self) {
            value = .double(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let date = try? container.decode(Date.self) {
            value = .date(date)
        } else if let data = try? container.decode(Data.self) {
            value = .data(data)
        } else if let values = try? container.decode([PlainValue].self) {
            value = .array(values.map(\.value))
        } else {
            value = .dictionary(
                try container.decode([String: PlainValue].self).mapValues(\.value)
            )
        }
    }
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
