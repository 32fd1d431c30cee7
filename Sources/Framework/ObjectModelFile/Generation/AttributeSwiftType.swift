import ObjectModel

/// How generated code declares one attribute.
///
/// A required attribute is not optional in Swift, as Core Data's scalars are not; an optional one
/// is, unless the model asks for a scalar.
struct AttributeSwiftType {
    /// The Swift type without `Optional`.
    let base: String
    let isOptional: Bool
    /// `Managed` or `Transformable`.
    let wrapper: String
    /// What a value that is not optional is while it is empty; `nil` if the type has no such value.
    let zero: String?

    /// The type as it is written.
    var type: String { wrapper == "Transformable" || isOptional ? base + "?" : base }

    var needsFoundation: Bool { AttributeSwiftType.foundation.contains(base) }

    init(_ attribute: AttributeDescription) {
        let isScalar = !attribute.isOptional || attribute.usesScalarType
        switch attribute.type {
        case .composite:
            base = attribute.compositeName ?? "GraphValue"
            isOptional = attribute.isOptional
            zero = base + "()"
            wrapper = "Managed"
        case .transformable, .undefined, .objectID:
            let name = attribute.valueClassName ?? "GraphValue"
            let isValue = name == "GraphValue" || AttributeSwiftType.convertible.contains(name)
            base = name
            isOptional = name != "GraphValue"
            zero = name == "GraphValue" ? ".null" : nil
            wrapper = isValue ? "Managed" : "Transformable"
        default:
            let form = AttributeSwiftType.forms[attribute.type] ?? ("GraphValue", ".null", false)
            base = form.base
            zero = form.zero
            isOptional = form.zero == nil || !(form.isScalar ? isScalar : !attribute.isOptional)
            wrapper = "Managed"
        }
    }

    /// Type, what it is while it is empty, and whether Core Data calls it a scalar.
    private static let forms: [AttributeType: (base: String, zero: String?, isScalar: Bool)] = [
        .integer16: ("Int16", "0", true),
        .integer32: ("Int32", "0", true),
        .integer64: ("Int64", "0", true),
        .double: ("Double", "0", true),
        .float: ("Float", "0", true),
        .boolean: ("Bool", "false", true),
        .string: ("String", "\"\"", false),
        .date: ("Date", "Date(timeIntervalSinceReferenceDate: 0)", false),
        .binary: ("Data", "Data()", false),
        .uuid: ("UUID", "UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))", false),
        .decimal: ("Decimal", "0", false),
        .uri: ("URL", nil, false),
    ]

    private static let foundation: Set<String> = ["Date", "Data", "UUID", "URL", "Decimal"]

    private static let convertible =
        foundation.union(["String", "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool"])
}
