import ObjectModel

/// How generated code reads and writes one attribute.
///
/// A required attribute reads as the type's zero while it holds nothing, as Core Data's scalars
/// do; an optional one reads as `nil`, unless the model asks for a scalar.
struct AttributeAccessor {
    /// The Swift type without `Optional`.
    let base: String
    let isOptional: Bool
    let getter: String
    /// `nil` for an attribute that the store computes.
    let setter: String?
    /// Whether the type comes from Foundation.
    let needsFoundation: Bool

    var type: String { isOptional ? base + "?" : base }

    init(_ attribute: AttributeDescription, slot: Int) {
        let scalar = !attribute.isOptional || attribute.usesScalarType
        var setter: String?
        var needsFoundation = false
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            base = ["Int16", "Int32", "Int64"][attribute.type.rawValue / 100 - 1]
            isOptional = !scalar
            let isWide = base == "Int64"
            if scalar {
                let read = "integer(at: \(slot))"
                getter = isWide ? read : "\(base)(truncatingIfNeeded: \(read))"
                setter = "setInteger(\(isWide ? "newValue" : "Int64(newValue)"), at: \(slot))"
            } else {
                let read = "optionalInteger(at: \(slot))"
                getter = isWide ? read : "\(read).map { \(base)(truncatingIfNeeded: $0) }"
                let value = isWide ? "newValue" : "newValue.map { Int64($0) }"
                setter = "setOptionalInteger(\(value), at: \(slot))"
            }
        case .double, .float:
            base = attribute.type == .double ? "Double" : "Float"
            isOptional = !scalar
            let isWide = base == "Double"
            if scalar {
                let read = "double(at: \(slot))"
                getter = isWide ? read : "Float(\(read))"
                setter = "setDouble(\(isWide ? "newValue" : "Double(newValue)"), at: \(slot))"
            } else {
                let read = "optionalDouble(at: \(slot))"
                getter = isWide ? read : "\(read).map { Float($0) }"
                let value = isWide ? "newValue" : "newValue.map { Double($0) }"
                setter = "setOptionalDouble(\(value), at: \(slot))"
            }
        case .boolean:
            base = "Bool"
            isOptional = !scalar
            getter = scalar ? "bool(at: \(slot))" : "optionalBool(at: \(slot))"
            setter = "set\(scalar ? "" : "Optional")Bool(newValue, at: \(slot))"
        case .string, .date, .binary, .uuid, .decimal, .uri:
            let form = AttributeAccessor.forms[attribute.type] ?? ("Value", "value", "Value", nil)
            base = form.base
            needsFoundation = attribute.type != .string
            let zero = attribute.isOptional ? nil : form.zero
            isOptional = zero == nil
            getter = "\(form.get)(at: \(slot))" + (zero.map { " ?? \($0)" } ?? "")
            setter = "set\(form.set)(newValue, at: \(slot))"
        case .composite:
            base = attribute.compositeName ?? "Value"
            isOptional = attribute.isOptional
            getter = "composite(at: \(slot))" + (isOptional ? "" : " ?? \(base)()")
            setter = "setComposite(newValue, at: \(slot))"
        case .transformable, .undefined, .objectID:
            let name = attribute.valueClassName ?? "Value"
            base = name
            if name == "Value" {
                isOptional = false
                getter = "get(\(slot)) ?? .null"
                setter = "set(newValue, at: \(slot))"
            } else if AttributeAccessor.convertible.contains(name) {
                isOptional = true
                needsFoundation = AttributeAccessor.foundation.contains(name)
                getter = "get(\(slot))"
                setter = "set(newValue, at: \(slot))"
            } else {
                isOptional = true
                getter = "object(at: \(slot), as: \(name).self)"
                setter = "setObject(newValue, at: \(slot))"
            }
        }
        self.setter = attribute.isDerived ? nil : setter
        self.needsFoundation = needsFoundation
    }

    /// Type, names of the accessors, and what a required attribute reads as while it is empty.
    private static let forms:
        [AttributeType: (base: String, get: String, set: String, zero: String?)] = [
            .string: ("String", "string", "String", "\"\""),
            .date: ("Date", "date", "Date", "Date(timeIntervalSinceReferenceDate: 0)"),
            .binary: ("Data", "data", "Data", "Data()"),
            .uuid: (
                "UUID", "uuid", "UUID",
                "UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))"
            ),
            .decimal: ("Decimal", "decimal", "Decimal", "0"),
            .uri: ("URL", "url", "URL", nil),
        ]

    /// What a type reads as while it is empty; `nil` for one that has no such value.
    static func zero(_ type: AttributeType) -> String? {
        switch type {
        case .integer16, .integer32, .integer64, .double, .float: "0"
        case .boolean: "false"
        default: forms[type]?.zero
        }
    }

    private static let foundation: Set<String> = ["Date", "Data", "UUID", "URL", "Decimal"]

    private static let convertible =
        foundation.union(["String", "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool"])
}
