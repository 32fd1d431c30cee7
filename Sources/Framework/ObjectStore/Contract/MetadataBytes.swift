package import FoundationEssentials
import ObjectModel

/// A store's metadata as a binary property list.
package enum MetadataBytes {
    /// How deep lists may be nested; somewhat less than can be read.
    private static let depthLimit = 500

    /// - Throws: `ObjectGraphError` if a value is not a property-list value, or is nested too deep.
    package static func data(_ metadata: StoreMetadata) throws -> Data {
        if metadata.values.contains(where: { $0.isNested(deeperThan: depthLimit) }) {
            throw ObjectGraphError(
                .wrongValueKind,
                "The metadata of a store cannot hold collections that are nested more than"
                    + " \(depthLimit) deep.",
                recovery: "Use strings, numbers, dates, data, and lists of them."
            )
        }
        for value in metadata.values { try value.checkIsPropertyList() }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(metadata.mapValues(UntaggedValue.init))
    }

    /// - Parameter data: a binary property list, which anybody may have written.
    /// - Returns: the metadata.
    /// - Throws: `PropertyListProblem` if the bytes are not a property list with a dictionary.
    package static func metadata(_ data: Data) throws -> StoreMetadata {
        guard case .dictionary(let values) = try GraphValue(propertyList: data) else {
            throw PropertyListProblem("it is not a dictionary")
        }
        return values
    }
}

/// A property-list value without a wrapper that names its kind.
private struct UntaggedValue: Encodable {
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
        case .array(let values): try container.encode(values.map(UntaggedValue.init))
        case .set(let values): try container.encode(values.map(UntaggedValue.init))
        case .dictionary(let values):
            try container.encode(values.mapValues(UntaggedValue.init))
        case .null, .objectID, .object, .opaque: throw value.notOfMetadata
        }
    }
}

extension GraphValue {
    fileprivate var notOfMetadata: ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "The metadata of a store cannot hold \(kindWithArticle).",
            recovery: "Use strings, numbers, dates, data, and lists of them."
        )
    }

    /// The encoder would wrap the error.
    fileprivate func checkIsPropertyList() throws {
        switch self {
        case .null, .objectID, .object, .opaque: throw notOfMetadata
        case .array(let values): for value in values { try value.checkIsPropertyList() }
        case .set(let values): for value in values { try value.checkIsPropertyList() }
        case .dictionary(let values):
            for value in values.values { try value.checkIsPropertyList() }
        default: break
        }
    }
}
