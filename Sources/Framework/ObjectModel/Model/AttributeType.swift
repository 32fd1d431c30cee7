/// The type of an attribute, with Core Data's codes.
public enum AttributeType: Int, Hashable, Sendable, CaseIterable {
    case undefined = 0
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binary = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case objectID = 2000
    case composite = 2100

    /// The name in the file format of the editor, such as `Integer 64`.
    public var editorName: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "ObjectID"
        case .composite: "Composite"
        }
    }

    /// The type for a name in the editor's file format, or for the one that the editor shows:
    /// `Binary Data`.
    public init?(editorName: String) {
        guard
            let type = AttributeType.allCases.first(where: {
                $0.editorName == editorName || $0.shownName == editorName
            })
        else { return nil }
        self = type
    }

    /// The name that the editor shows, for messages.
    package var shownName: String { self == .binary ? "Binary Data" : editorName }

    /// Whether values are numbers, Booleans included.
    public var isNumeric: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
        default: false
        }
    }
}

/// What happens to the destinations of a relationship when its owner is deleted.
public enum DeleteRule: Int, Hashable, Sendable, CaseIterable {
    /// The destination keeps a reference to the deleted object.
    case noAction = 0
    /// The destination forgets the deleted object.
    case nullify = 1
    /// The destination is deleted too.
    case cascade = 2
    /// The deletion fails while a destination remains.
    case deny = 3

    /// The name in the editor's file format.
    public var editorName: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }

    public init?(editorName: String) {
        guard let rule = DeleteRule.allCases.first(where: { $0.editorName == editorName })
        else { return nil }
        self = rule
    }
}
