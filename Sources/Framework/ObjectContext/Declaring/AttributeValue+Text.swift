public import FoundationEssentials
public import ObjectModel

// Text, times, data and identifiers. What is not optional reads as empty without a value.

extension String: AttributeValue {
    public static var attributeType: AttributeType { .string }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> String {
        object.string(at: slot.index) ?? ""
    }

    @inlinable
    public static func write(
        _ value: consuming String,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setString(value, at: slot.index)
    }

    @inlinable
    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> String? {
        object.string(at: slot.index)
    }

    @inlinable
    public static func writeOptional(
        _ value: consuming String?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setString(value, at: slot.index)
    }
}

extension Date: AttributeValue {
    public static var attributeType: AttributeType { .date }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Date {
        object.date(at: slot.index) ?? Date(timeIntervalSinceReferenceDate: 0)
    }

    @inlinable
    public static func write(_ value: Date, _ object: ManagedObject, _ slot: PropertySlot) {
        object.setDate(value, at: slot.index)
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Date? {
        object.date(at: slot.index)
    }

    @inlinable
    public static func writeOptional(
        _ value: consuming Date?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setDate(value, at: slot.index)
    }
}

extension Data: AttributeValue {
    public static var attributeType: AttributeType { .binary }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Data {
        object.data(at: slot.index) ?? Data()
    }

    public static func write(
        _ value: consuming Data,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setData(value, at: slot.index)
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Data? {
        object.data(at: slot.index)
    }

    public static func writeOptional(
        _ value: consuming Data?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setData(value, at: slot.index)
    }
}

extension UUID: AttributeValue {
    public static var attributeType: AttributeType { .uuid }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> UUID {
        object.uuid(at: slot.index) ?? .zero
    }

    @inlinable
    public static func write(_ value: UUID, _ object: ManagedObject, _ slot: PropertySlot) {
        object.setUUID(value, at: slot.index)
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> UUID? {
        object.uuid(at: slot.index)
    }

    @inlinable
    public static func writeOptional(
        _ value: consuming UUID?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setUUID(value, at: slot.index)
    }
}

extension URL: AttributeValue {
    public static var attributeType: AttributeType { .uri }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> URL? {
        object.url(at: slot.index)
    }

    public static func writeOptional(
        _ value: consuming URL?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setURL(value, at: slot.index)
    }
}

extension Character: AttributeValue {
    public static var attributeType: AttributeType { .string }
}

/// Any value that the attribute takes.
extension GraphValue: AttributeValue {
    public static var attributeType: AttributeType { .undefined }
}

/// Values of one type in a transformable attribute.
extension Array: PropertyElement, AttributeValue where Element: AttributeValue {}

/// Values of one type in a transformable attribute.
extension Set: PropertyElement, AttributeValue where Element: AttributeValue {}

/// Values by name in a transformable attribute.
extension Dictionary: ManagedProperty, PropertyElement, AttributeValue
where Key == String, Value: AttributeValue {}

extension UUID {
    fileprivate static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
