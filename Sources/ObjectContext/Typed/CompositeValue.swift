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
/// Each element is stored, undone and searched on its own: `{ $0.size.width > 10 }`.
public protocol CompositeValue: AttributeValue {
    /// The elements by the names that they have in the model.
    static var elements: [CompositeElement<Self>] { get }

    /// A value without any element.
    init()
}

/// One element of a composite attribute.
public struct CompositeElement<Root>: @unchecked Sendable {
    /// The name in the model.
    public let name: String
    let keyPath: PartialKeyPath<Root>
    let get: (Root) -> GraphValue
    let set: (inout Root, GraphValue) -> Void

    public init<Element: GraphValueConvertible>(
        _ name: String,
        _ keyPath: WritableKeyPath<Root, Element>
    ) {
        self.name = name
        self.keyPath = keyPath
        get = { $0[keyPath: keyPath].value }
        // What does not fit leaves the element as it is without a value.
        set = { root, value in
            if let element = Element(value: value) { root[keyPath: keyPath] = element }
        }
    }
}

extension CompositeValue {
    public static var attributeType: AttributeType { .composite }

    public var value: GraphValue {
        var result: [String: GraphValue] = [:]
        for element in Self.elements { result[element.name] = element.get(self) }
        return .dictionary(result)
    }

    public init?(value: GraphValue) {
        guard case .dictionary(let values) = value else { return nil }
        self.init()
        for element in Self.elements { element.set(&self, values[element.name] ?? .null) }
    }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Self {
        readOptional(object, slot) ?? Self()
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Self? {
        object.composite(at: slot.index)
    }
}
