import ObjectModel

extension AttributeType {
    var xmlName: String {
        switch self {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .boolean: "bool"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .objectID: "objectid"
        case .composite, .undefined: "undefined"
        }
    }

    /// The type of a name in an XML store; `nil` for an unknown one.
    init?(xmlName: String) {
        guard xmlName != "undefined",
            let type = AttributeType.allCases.first(where: { $0.xmlName == xmlName })
        else { return nil }
        self = type
    }
}
