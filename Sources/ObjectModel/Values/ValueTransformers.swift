public import FoundationEssentials
import Synchronization

/// Turns the value of a transformable attribute into data for the store, and back.
public protocol ValueTransformer: Sendable {
    /// The data to store.
    ///
    /// - Throws: what is wrong with the value; the save that needs the data fails then.
    func data(for value: GraphValue) throws -> Data

    /// The value for stored data.
    ///
    /// - Throws: if the data cannot be read; a one-way transformer always throws. The property then
    ///   holds the data itself.
    func value(for data: Data) throws -> GraphValue
}

/// The transformers of this process, by name.
///
/// A model names its transformers. A store with a model that names an unknown one cannot be opened,
/// so reading and writing rows need not check again.
public enum ValueTransformers {
    private static let registry = Mutex<[String: any ValueTransformer]>([:])

    /// The name of the default transformer, besides `nil` and "".
    public static let defaultName = "NSSecureUnarchiveFromData"

    /// Registers a transformer; a later one of the same name replaces it.
    public static func register(_ transformer: any ValueTransformer, as name: String) {
        registry.withLock { $0[name] = transformer }
    }

    /// The transformer of a name; the default one for `nil`, "" and ``defaultName``.
    public static func named(_ name: String?) -> (any ValueTransformer)? {
        guard let name, !name.isEmpty, name != defaultName else { return PropertyListTransformer() }
        return registry.withLock { $0[name] }
    }

    /// The stored form; empty if the transformer refuses the value.
    package static func data(for value: GraphValue, transformer name: String?) -> Data {
        (try? named(name)?.data(for: value)) ?? Data()
    }

    /// The value of stored data; the data itself if the transformer refuses it.
    package static func value(for data: Data, transformer name: String?) -> GraphValue {
        (try? named(name)?.value(for: data)) ?? .data(data)
    }
}

/// The default transformer: nested arrays, dictionaries, strings, numbers, dates and data as a
/// binary property list.
struct PropertyListTransformer: ValueTransformer {
    func data(for value: GraphValue) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode([PropertyListValue(value: value)])
    }

    func value(for data: Data) throws -> GraphValue {
        try PropertyListDecoder().decode([PropertyListValue].self, from: data).first?.value ?? .null
    }
}

/// A value in a property list: one key, which names its kind.
private struct PropertyListValue: Codable {
    let value: GraphValue

    init(value: GraphValue) { self.value = value }

    private enum Kind: String, CodingKey {
        case null, bool, int, double, decimal, string, date, data, uuid, url, array, set
        case dictionary
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch value {
        case .null: try container.encode(true, forKey: .null)
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .int(let value): try container.encode(value, forKey: .int)
        case .double(let value): try container.encode(value, forKey: .double)
        case .decimal(let value): try container.encode(value.description, forKey: .decimal)
        case .string(let value): try container.encode(value, forKey: .string)
        case .date(let value): try container.encode(value, forKey: .date)
        case .data(let value): try container.encode(value, forKey: .data)
        case .uuid(let value): try container.encode(value.uuidString, forKey: .uuid)
        case .url(let value): try container.encode(value.absoluteString, forKey: .url)
        case .array(let values): try container.encode(values.map(Self.init), forKey: .array)
        case .set(let values): try container.encode(values.map(Self.init), forKey: .set)
        case .dictionary(let values):
            try container.encode(values.mapValues(Self.init), forKey: .dictionary)
        case .objectID, .object, .opaque:
            throw ObjectGraphError(
                .wrongValueKind,
                "The default transformer cannot store \(value.kindWithArticle).",
                recovery: "Register a transformer for the attribute."
            )
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        switch container.allKeys.first ?? .null {
        case .null: value = .null
        case .bool: value = .bool(try container.decode(Bool.self, forKey: .bool))
        case .int: value = .int(try container.decode(Int64.self, forKey: .int))
        case .double: value = .double(try container.decode(Double.self, forKey: .double))
        case .decimal:
            let text = try container.decode(String.self, forKey: .decimal)
            value = Decimal(string: text).map { .decimal($0) } ?? .null
        case .string: value = .string(try container.decode(String.self, forKey: .string))
        case .date: value = .date(try container.decode(Date.self, forKey: .date))
        case .data: value = .data(try container.decode(Data.self, forKey: .data))
        case .uuid:
            let text = try container.decode(String.self, forKey: .uuid)
            value = UUID(uuidString: text).map { .uuid($0) } ?? .null
        case .url:
            let text = try container.decode(String.self, forKey: .url)
            value = URL(string: text).map { .url($0) } ?? .null
        case .array:
            value = .array(try container.decode([Self].self, forKey: .array).map(\.value))
        case .set:
            value = .set(Set(try container.decode([Self].self, forKey: .set).map(\.value)))
        case .dictionary:
            value = .dictionary(
                try container.decode([String: Self].self, forKey: .dictionary).mapValues(\.value)
            )
        }
    }
}
