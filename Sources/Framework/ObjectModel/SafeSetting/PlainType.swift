import FoundationEssentials

/// The type that a Swift property of a key table takes, for coercion.
struct PlainType {
    let type: AttributeType
    let isOptional: Bool
    let isOneCharacter: Bool

    /// The type of a property; a property without a matching attribute type takes every value
    /// unchanged.
    init<Property: GraphValueConvertible>(_ property: Property.Type) {
        isOptional = Property(value: .null) != nil
        isOneCharacter = property == Character.self || property == Character?.self
        type =
            if isOneCharacter {
                .string
            } else {
                Self.types[ObjectIdentifier(property)] ?? .undefined
            }
    }

    private static let types: [ObjectIdentifier: AttributeType] = {
        var types: [ObjectIdentifier: AttributeType] = [:]
        func add<T: GraphValueConvertible>(_ type: T.Type, _ attribute: AttributeType) {
            types[ObjectIdentifier(type)] = attribute
            types[ObjectIdentifier(T?.self)] = attribute
        }
        add(Bool.self, .boolean)
        add(Int16.self, .integer16)
        add(Int32.self, .integer32)
        add(Int64.self, .integer64)
        add(Int.self, .integer64)
        add(Double.self, .double)
        add(Float.self, .float)
        add(Decimal.self, .decimal)
        add(String.self, .string)
        add(Date.self, .date)
        add(Data.self, .binary)
        add(UUID.self, .uuid)
        add(URL.self, .uri)
        return types
    }()

    func field(named name: String) -> SafeField {
        SafeField(name: name, type: type, isOptional: isOptional, isOneCharacter: isOneCharacter)
    }
}
