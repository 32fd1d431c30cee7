import FoundationEssentials
import ObjectModel
import ObjectStore

extension BinaryStore {
    static func deduce(from url: URL) throws -> ManagedObjectModel? {
        guard let data = try StoreDataFile(url).read(mayBeAbsent: false) else { return nil }
        return try FormatProblem.naming(url) {
            try data.withUnsafeBytes { try BinaryReading($0).deducedModel() }
        }
    }
}

extension BinaryReading {
    /// An entity of the file in the file's own terms.
    private struct Form {
        let name: String
        let columns: [(name: String, type: BinaryFormat.ColumnType)]
        let lists: [String]
    }

    /// The model that the file shows: its entities with their columns and types; the destinations of
    /// relationships are those of the objects that have some.
    ///
    /// - Complexity: O(bytes).
    func deducedModel() throws -> ManagedObjectModel {
        var place = try readHeader()
        _ = try section(.metadata, at: &place)
        var cursor = ByteCursor(try section(.entities, at: &place))
        var forms: [Form] = []
        for _ in 0..<(try cursor.count()) { forms.append(try form(&cursor)) }
        try cursor.finish()
        var found = DeducedEntities()
        for form in forms {
            found.add(entity: form.name)
            for column in form.columns {
                if let type = column.type.attributeType {
                    found.add(attribute: column.name, type, of: form.name)
                } else {
                    found.add(relationship: column.name, toMany: false, of: form.name)
                }
            }
            for list in form.lists {
                found.add(relationship: list, toMany: true, of: form.name)
            }
        }
        while let content = try nextObjects(at: &place) {
            var cursor = ByteCursor(content)
            try readDestinations(&cursor, forms, into: &found)
        }
        return found.model()
    }

    private func form(_ cursor: inout ByteCursor) throws -> Form {
        let name = try cursor.text()
        var columns: [(String, BinaryFormat.ColumnType)] = []
        for _ in 0..<(try cursor.count()) {
            let column = try cursor.text()
            guard let type = BinaryFormat.ColumnType(rawValue: try cursor.fixed(UInt8.self)) else {
                throw FormatProblem("\(name).\(column) has an unknown type")
            }
            columns.append((column, type))
        }
        var lists: [String] = []
        for _ in 0..<(try cursor.count()) { lists.append(try cursor.text()) }
        return Form(name: name, columns: columns, lists: lists)
    }

    private func readDestinations(
        _ cursor: inout ByteCursor,
        _ forms: [Form],
        into found: inout DeducedEntities
    ) throws {
        func entity(_ cursor: inout ByteCursor) throws -> Form {
            let number = try cursor.count(limit: forms.count)
            guard number < forms.count else { throw FormatProblem("an entity is out of range") }
            return forms[number]
        }
        func destination(_ cursor: inout ByteCursor) throws -> String {
            let name = try entity(&cursor).name
            _ = try cursor.reference()
            return name
        }
        let form = try entity(&cursor)
        let maskSize = (form.columns.count + 7) / 8
        for _ in 0..<(try cursor.count()) {
            _ = try cursor.reference()
            let mask = try cursor.bytes(maskSize)
            for (number, column) in form.columns.enumerated()
            where mask[number >> 3] & 1 << UInt8(number & 7) == 0 {
                switch column.type {
                case .integer: _ = try cursor.signed()
                case .boolean: _ = try cursor.fixed(UInt8.self)
                case .real, .date: _ = try cursor.fixed(UInt64.self)
                case .uuid: _ = try cursor.bytes(16)
                case .text, .decimal, .uri, .data, .transformed:
                    _ = try cursor.bytes(try cursor.count())
                case .reference:
                    found.add(
                        relationship: column.name,
                        toMany: false,
                        of: form.name,
                        to: try destination(&cursor)
                    )
                }
            }
            for list in form.lists {
                for _ in 0..<(try cursor.count()) {
                    found.add(
                        relationship: list,
                        toMany: true,
                        of: form.name,
                        to: try destination(&cursor)
                    )
                }
            }
        }
        try cursor.finish()
    }
}

extension BinaryFormat.ColumnType {
    /// The type of an attribute with such a column; `nil` for a relationship.
    fileprivate var attributeType: AttributeType? {
        switch self {
        case .integer: .integer64
        case .boolean: .boolean
        case .real: .double
        case .date: .date
        case .text: .string
        case .decimal: .decimal
        case .uri: .uri
        case .data: .binary
        case .uuid: .uuid
        case .transformed: .transformable
        case .reference: nil
        }
    }
}
