package import FoundationEssentials
import ObjectModel

/// A store's metadata as a binary property list.
package enum MetadataBytes {
    /// - Throws: `ObjectGraphError` if a value is not a property-list value.
    package static func data(_ metadata: StoreMetadata) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(metadata.mapValues(PlainValue.init))
    }

    /// - Throws: the decoder's error if the bytes are not a property list with a dictionary.
    package static func metadata(_ data: Data) throws -> StoreMetadata {
        try PropertyListDecoder().decode([String: PlainValue].self, from: data)
            .mapValues(\.value)
    }
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
