public import FoundationEssentials

// The file form of a mapping model, JSON text:
//
//     { "format": 1,
//       "mappings": [
//         { "name": "PointToVertex", "kind": "transform",
//           "source": "Point", "destination": "Vertex",
//           "attributes": [ { "name": "x", "value": "$source.x" } ],
//           "relationships": [ { "name": "polygon", "value": "FUNCTION($manager, …)" } ],
//           "policy": "VertexPolicy", "sourceExpression": "…",
//           "sourceHash": "…", "destinationHash": "…", "userInfo": { } } ] }
//
// What is empty may be left out. `kind` is one of custom, add, remove, copy, transform, undefined;
// values are expressions in text form; hashes are in base 64.

extension MappingModel {
    /// Reads a mapping model.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if the text is
    ///   not a mapping model, with ``ObjectGraphError/Code/invalidFormat`` for an expression that
    ///   cannot be parsed; the message names the mapping and the property.
    public init(data: Data) throws {
        let file: MappingFile
        do {
            file = try JSONDecoder().decode(MappingFile.self, from: data)
        } catch {
            throw ObjectGraphError(
                .damagedFile,
                "The mapping model cannot be read: \(MappingFile.place(of: error)).",
                recovery: "Correct the file at that place.",
                underlying: [error]
            )
        }
        if file.format > MappingFile.currentFormat {
            throw ObjectGraphError(
                .damagedFile,
                "The mapping model was written by a newer version of this program.",
                recovery: "Use that version."
            )
        }
        self.init(try file.mappings.map { try $0.mapping() })
    }

    /// Reads a mapping model from a file.
    ///
    /// - Throws: `ObjectGraphError` as ``init(data:)``, and with code
    ///   ``ObjectGraphError/Code/cannotOpen`` if there is no such file.
    public init(contentsOf url: URL) throws {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw ObjectGraphError(
                .cannotOpen,
                "The mapping model \"\(url.lastPathComponent)\" cannot be read.",
                recovery: "Check the name and the permissions of the file.",
                underlying: [error]
            )
        }
        try self.init(data: data)
    }

    /// The mapping model as text for a file; reading it gives an equal one.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat`` for an
    ///   expression that has no text, such as one with a closure or an object.
    public func data() throws -> Data {
        let file = MappingFile(
            format: MappingFile.currentFormat,
            mappings: try entityMappings.map { try MappingFile.Mapping($0) }
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(file)
    }
}

private struct MappingFile: Codable {
    static let currentFormat = 1

    let format: Int
    let mappings: [Mapping]

    struct Property: Codable {
        let name: String
        let value: String?
        let userInfo: [String: String]?
    }

    struct Mapping: Codable {
        let name: String
        let kind: String
        let source: String?
        let destination: String?
        let sourceHash: Data?
        let destinationHash: Data?
        let sourceExpression: String?
        let attributes: [Property]?
        let relationships: [Property]?
        let policy: String?
        let userInfo: [String: String]?
    }

    /// Where and why the text does not fit, for a message.
    static func place(of error: any Error) -> String {
        func path(_ context: DecodingError.Context) -> String {
            let names = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return names.isEmpty ? "the file" : names.joined(separator: ".")
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "\(path(context)) has no \"\(key.stringValue)\""
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            return "\(path(context)) has a value of another kind"
        case DecodingError.dataCorrupted(let context): return "\(path(context)) is not valid"
        default: return "the file is not valid"
        }
    }
}

extension MappingFile.Mapping {
    private static let kinds: [(name: String, kind: EntityMapping.Kind)] = [
        ("undefined", .undefined), ("custom", .custom), ("add", .add), ("remove", .remove),
        ("copy", .copy), ("transform", .transform),
    ]

    init(_ mapping: EntityMapping) throws {
        name = mapping.name
        kind = MappingFile.Mapping.kinds.first { $0.kind == mapping.kind }?.name ?? "undefined"
        source = mapping.sourceEntityName
        destination = mapping.destinationEntityName
        sourceHash = mapping.sourceVersionHash
        destinationHash = mapping.destinationVersionHash
        sourceExpression = try mapping.sourceExpression.map {
            try MappingFile.Mapping.text(of: $0, mapping.name)
        }
        func properties(_ list: [PropertyMapping]) throws -> [MappingFile.Property]? {
            try list.map { property in
                MappingFile.Property(
                    name: property.name,
                    value: try property.valueExpression.map {
                        try MappingFile.Mapping.text(of: $0, "\(mapping.name).\(property.name)")
                    },
                    userInfo: property.userInfo.nonEmpty
                )
            }.nonEmpty
        }
        attributes = try properties(mapping.attributeMappings)
        relationships = try properties(mapping.relationshipMappings)
        policy = mapping.policyName
        userInfo = mapping.userInfo.nonEmpty
    }

    func mapping() throws -> EntityMapping {
        guard let kind = MappingFile.Mapping.kinds.first(where: { $0.name == kind })?.kind else {
            throw ObjectGraphError(
                .damagedFile,
                "The mapping \(name) has the unknown kind \"\(kind)\".",
                recovery: "Use custom, add, remove, copy or transform."
            )
        }
        var mapping = EntityMapping(name, kind, from: source, to: destination)
        mapping.sourceVersionHash = sourceHash
        mapping.destinationVersionHash = destinationHash
        mapping.sourceExpression = try sourceExpression.map { try expression($0, name) }
        mapping.attributeMappings = try properties(attributes)
        mapping.relationshipMappings = try properties(relationships)
        mapping.policyName = policy
        mapping.userInfo = userInfo ?? [:]
        return mapping
    }

    private func properties(_ list: [MappingFile.Property]?) throws -> [PropertyMapping] {
        try (list ?? []).map { property in
            var mapping = PropertyMapping(
                property.name,
                try property.value.map { try expression($0, "\(name).\(property.name)") }
            )
            mapping.userInfo = property.userInfo ?? [:]
            return mapping
        }
    }

    private func expression(_ text: String, _ place: String) throws -> FetchExpression {
        do {
            return try FetchExpression(format: text, argumentArray: [])
        } catch let error as ObjectGraphError {
            throw ObjectGraphError(
                error.code,
                "The value of \(place) cannot be parsed: \(error.message)",
                recovery: error.recovery,
                underlying: [error]
            )
        }
    }

    private static func text(of expression: FetchExpression, _ place: String) throws -> String {
        let text = expression.format
        if (try? FetchExpression(format: text, argumentArray: [])) != nil { return text }
        throw ObjectGraphError(
            .invalidFormat,
            "The value of \(place) has no text form.",
            recovery: "Use an expression without closures and objects."
        )
    }
}
