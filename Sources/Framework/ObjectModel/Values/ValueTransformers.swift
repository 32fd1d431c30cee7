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
    /// - Throws: if the data cannot be read. Reading the attribute by key throws that error then, and
    ///   the stored data stay as they are.
    func value(for data: Data) throws -> GraphValue

    /// Whether values stay in their stored form in memory and are opened at each access.
    ///
    /// So it is for encrypted attributes: objects, undo, caches and the history hold the sealed form
    /// only. A value is sealed when it is set, once: the same data are then in memory, in the store
    /// and in its history. `data(for: .null)` is called to ask whether values can be set now. False
    /// unless implemented.
    var keepsValuesSealed: Bool { get }

    /// Whether an attribute holds the stored data itself if they cannot be read.
    ///
    /// For a one-way transformer, whose ``value(for:)`` always throws. False unless implemented.
    var showsUnreadableData: Bool { get }
}

extension ValueTransformer {
    public var keepsValuesSealed: Bool { false }
    public var showsUnreadableData: Bool { false }
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

    /// The transformer of a name.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` for an unknown
    ///   name.
    package static func required(_ name: String?) throws -> any ValueTransformer {
        if let transformer = named(name) { return transformer }
        throw ObjectGraphError(
            .invalidModel,
            "The transformer \"\(name ?? "")\" is not registered.",
            recovery: "Register it before using the objects that have it."
        )
    }

    /// The stored form; that of a sealed value is what it was.
    ///
    /// - Throws: what the transformer throws.
    package static func data(for value: GraphValue, transformer name: String?) throws -> Data {
        if let sealed = value.sealed { return try sealed.storedData() }
        return try required(name).data(for: value)
    }

    /// The value of stored data; a ``SealedValue`` if the transformer wants it or cannot read them.
    package static func value(for data: Data, transformer name: String?) -> GraphValue {
        guard let transformer = named(name), !transformer.keepsValuesSealed else {
            return .opaque(SealedValue(data, transformer: name, isFromStore: true))
        }
        do {
            return try transformer.value(for: data)
        } catch {
            return transformer.showsUnreadableData
                ? .data(data) : .opaque(SealedValue(data, transformer: name, isFromStore: true))
        }
    }
}

/// The default transformer: nested arrays, dictionaries, strings, numbers, dates and data as a
/// binary property list.
struct PropertyListTransformer: ValueTransformer {
    /// Archives of other programs are shown as the data that they are.
    var showsUnreadableData: Bool { true }

    func data(for value: GraphValue) throws -> Data {
        // Each level of the value is two of the list.
        let limit = PropertyListTree.depthLimit / 2 - 1
        if value.isNested(deeperThan: limit) {
            throw ObjectGraphError(
                .wrongValueKind,
                "The default transformer cannot store collections that are nested more than"
                    + " \(limit) deep.",
                recovery: "Register a transformer for the attribute."
            )
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode([PropertyListValue(value: value)])
    }

    func value(for data: Data) throws -> GraphValue {
        guard case .array(let values) = try GraphValue(propertyList: data) else {
            throw PropertyListValue.problem
        }
        guard let first = values.first else { return .null }
        return try PropertyListValue.value(of: first)
    }
}

/// A value in a property list: one key, which names its kind.
private struct PropertyListValue: Encodable {
    let value: GraphValue

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

    static let problem = PropertyListProblem("it was not written by the default transformer")

    /// The value that a property list's value stands for.
    ///
    /// - Throws: ``PropertyListProblem`` if it does not have the form that ``encode(to:)`` writes.
    static func value(of list: GraphValue) throws -> GraphValue {
        guard case .dictionary(let members) = list, members.count == 1,
            let member = members.first, let kind = Kind(rawValue: member.key)
        else { throw problem }
        switch (kind, member.value) {
        case (.null, _): return .null
        case (.bool, .bool), (.int, .int), (.double, .double), (.string, .string), (.date, .date),
            (.data, .data):
            return member.value
        case (.decimal, .string(let text)):
            // The parser of decimals does not know what the description of NaN is.
            if text == "NaN" { return .decimal(.nan) }
            return Decimal(string: text).map { .decimal($0) } ?? .null
        case (.uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) } ?? .null
        case (.url, .string(let text)): return URL(string: text).map { .url($0) } ?? .null
        case (.array, .array(let values)): return .array(try values.map(Self.value(of:)))
        case (.set, .array(let values)): return .set(Set(try values.map(Self.value(of:))))
        case (.dictionary, .dictionary(let values)):
            return .dictionary(try values.mapValues(Self.value(of:)))
        default: throw problem
        }
    }
}
