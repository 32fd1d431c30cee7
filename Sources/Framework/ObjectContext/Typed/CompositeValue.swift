public import ObjectModel

/// A structure that a composite attribute holds.
///
///     struct Size: CompositeValue {
///         var width: Double?
///         var height: Double?
///
///         static let elements: [CompositeElement<Size>] = [
///             .init("width", \.width), .init("height", \.height),
///         ]
///     }
///
/// An attribute of a class is declared as any other: `@Managed var size: Size?`. Each element is
/// stored, undone and searched on its own: `{ $0.size.width > 10 }`.
public protocol CompositeValue: AttributeValue {
    /// The elements by the names that they have in the model.
    static var elements: [CompositeElement<Self>] { get }

    /// A value without any element.
    init()
}

/// One element of a composite attribute.
public struct CompositeElement<Root>: @unchecked Sendable {
    // Safety: a key path, and functions that capture that alone.

    /// The name in the model.
    public let name: String
    let keyPath: PartialKeyPath<Root>
    let type: () -> PropertyType
    let rules: [ValidationRule]
    let get: (Root) -> GraphValue
    /// Whether the element can have a value; no value leaves it as it is without one.
    let set: (inout Root, GraphValue) -> Bool

    /// - Parameters:
    ///   - name: the name in the model.
    ///   - keyPath: where the structure has it; an optional one may be `nil`.
    ///   - rules: what a value has to follow beyond its type; a save checks them.
    public init<Element: GraphValueConvertible & ManagedProperty>(
        _ name: String,
        _ keyPath: WritableKeyPath<Root, Element>,
        rules: [ValidationRule] = []
    ) {
        self.name = name
        self.rules = rules
        type = { Element.propertyType }
        self.keyPath = keyPath
        get = { $0[keyPath: keyPath].value }
        set = { root, value in
            guard let element = Element(value: value) else { return value.isNull }
            root[keyPath: keyPath] = element
            return true
        }
    }
}

extension CompositeValue {
    public static var attributeType: AttributeType { .composite }

    public var value: GraphValue { composed }
    public init?(value: GraphValue) { self.init(composed: value) }

    private var composed: GraphValue {
        var result: [String: GraphValue] = [:]
        for element in Self.elements { result[element.name] = element.get(self) }
        return .dictionary(result)
    }

    private init?(composed value: GraphValue) {
        guard case .dictionary(let values) = value else { return nil }
        self.init()
        for element in Self.elements {
            guard element.set(&self, values[element.name] ?? .null) else { return nil }
        }
    }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Self {
        readOptional(object, slot) ?? Self()
    }
}

extension CompositeValue {
    /// The name of the type in a model.
    static var compositeName: String { "\(Self.self)" }

    /// Adds the type, and those of its elements, to the composite types of a model.
    static func describe(in types: inout [String: [PropertyDescription]]) {
        if types[compositeName] != nil { return }
        // Found by one of its elements, the type contains itself, which the check of the model says.
        types[compositeName] = []
        types[compositeName] = elements.map { element in
            let type = element.type()
            var attributeType = AttributeType.transformable
            if case .attribute(let kind) = type.kind, kind != .undefined { attributeType = kind }
            let attribute = AttributeDescription(
                element.name,
                attributeType,
                optional: type.isOptional
            )
            attribute.rules = element.rules
            if attributeType == .composite, let inner = type.values?.composite {
                inner.describe(in: &types)
                attribute.compositeName = inner.compositeName
            }
            return attribute
        }
    }

    /// The first element whose type cannot hold its value.
    static func unfitElement(
        of value: GraphValue
    ) -> (name: String, value: GraphValue, type: Any.Type)? {
        guard case .dictionary(let values) = value else { return nil }
        var room = Self()
        for element in elements {
            let value = values[element.name] ?? .null
            if !element.set(&room, value), let type = element.type().values?.type {
                return (element.name, value, type)
            }
        }
        return nil
    }

    /// The names of the elements of an attribute at every depth, as the model has them.
    static func leaves(of name: String) -> [String] {
        elements.flatMap { element in
            let path = "\(name).\(element.name)"
            return element.type().values?.composite?.leaves(of: path) ?? [path]
        }
    }
}

// A structure may be coded in other ways too; its attribute is the composite one.
extension CompositeValue where Self: Codable {
    public static var attributeType: AttributeType { .composite }
    public var value: GraphValue { composed }
    public init?(value: GraphValue) { self.init(composed: value) }
}

extension PropertyType {
    /// The type of a composite attribute; `nil` for another property.
    var composite: (any CompositeValue.Type)? {
        guard case .attribute(.composite) = kind else { return nil }
        return values?.composite
    }
}

extension PropertyValues {
    var composite: (any CompositeValue.Type)? {
        isSet ? nil : type as? any CompositeValue.Type
    }
}
