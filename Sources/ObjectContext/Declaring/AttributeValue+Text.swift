public import FoundationEssentials
public import ObjectModel

// Text, times, data and identifiers. What is not optional reads as empty without a value.

extension String: AttributeValue {
    public static var attributeType: AttributeType { .string }

    @inlinable
    public static func read(_ place: PropertyPlace) -> String {
        place.object.string(at: place.slot) ?? ""
    }

    @inlinable
    public static func write(_ value: consuming String, _ place: PropertyPlace) {
        place.object.setString(value, at: place.slot)
    }

    @inlinable
    public static func readOptional(_ place: PropertyPlace) -> String? {
        place.object.string(at: place.slot)
    }

    @inlinable
    public static func writeOptional(_ value: consuming String?, _ place: PropertyPlace) {
        place.object.setString(value, at: place.slot)
    }
}

extension Date: AttributeValue {
    public static var attributeType: AttributeType { .date }

    public static func read(_ place: PropertyPlace) -> Date {
        place.object.date(at: place.slot) ?? Date(timeIntervalSinceReferenceDate: 0)
    }

    public static func write(_ value: consuming Date, _ place: PropertyPlace) {
        place.object.setDate(value, at: place.slot)
    }

    public static func readOptional(_ place: PropertyPlace) -> Date? {
        place.object.date(at: place.slot)
    }

    public static func writeOptional(_ value: consuming Date?, _ place: PropertyPlace) {
        place.object.setDate(value, at: place.slot)
    }
}

extension Data: AttributeValue {
    public static var attributeType: AttributeType { .binary }

    public static func read(_ place: PropertyPlace) -> Data {
        place.object.data(at: place.slot) ?? Data()
    }

    public static func write(_ value: consuming Data, _ place: PropertyPlace) {
        place.object.setData(value, at: place.slot)
    }

    public static func readOptional(_ place: PropertyPlace) -> Data? {
        place.object.data(at: place.slot)
    }

    public static func writeOptional(_ value: consuming Data?, _ place: PropertyPlace) {
        place.object.setData(value, at: place.slot)
    }
}

extension UUID: AttributeValue {
    public static var attributeType: AttributeType { .uuid }

    public static func read(_ place: PropertyPlace) -> UUID {
        place.object.uuid(at: place.slot) ?? .zero
    }

    public static func write(_ value: consuming UUID, _ place: PropertyPlace) {
        place.object.setUUID(value, at: place.slot)
    }

    public static func readOptional(_ place: PropertyPlace) -> UUID? {
        place.object.uuid(at: place.slot)
    }

    public static func writeOptional(_ value: consuming UUID?, _ place: PropertyPlace) {
        place.object.setUUID(value, at: place.slot)
    }
}

extension URL: AttributeValue {
    public static var attributeType: AttributeType { .uri }

    public static func readOptional(_ place: PropertyPlace) -> URL? {
        place.object.url(at: place.slot)
    }

    public static func writeOptional(_ value: consuming URL?, _ place: PropertyPlace) {
        place.object.setURL(value, at: place.slot)
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
