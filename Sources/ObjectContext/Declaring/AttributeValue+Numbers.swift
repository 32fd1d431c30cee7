public import FoundationEssentials
public import ObjectModel

// Numbers and Booleans: a test of the object's flags and a load.

extension Int64: AttributeValue {
    public static var attributeType: AttributeType { .integer64 }

    @inlinable
    public static func read(_ place: PropertyPlace) -> Int64 {
        place.object.integer(at: place.slot)
    }

    @inlinable
    public static func write(_ value: consuming Int64, _ place: PropertyPlace) {
        place.object.setInteger(value, at: place.slot)
    }

    @inlinable
    public static func readOptional(_ place: PropertyPlace) -> Int64? {
        place.object.optionalInteger(at: place.slot)
    }

    @inlinable
    public static func writeOptional(_ value: consuming Int64?, _ place: PropertyPlace) {
        place.object.setOptionalInteger(value, at: place.slot)
    }
}

extension Int: AttributeValue {
    public static var attributeType: AttributeType { .integer64 }

    @inlinable
    public static func read(_ place: PropertyPlace) -> Int {
        Int(place.object.integer(at: place.slot))
    }

    @inlinable
    public static func write(_ value: consuming Int, _ place: PropertyPlace) {
        place.object.setInteger(Int64(value), at: place.slot)
    }

    @inlinable
    public static func readOptional(_ place: PropertyPlace) -> Int? {
        place.object.optionalInteger(at: place.slot).map { Int($0) }
    }

    @inlinable
    public static func writeOptional(_ value: consuming Int?, _ place: PropertyPlace) {
        place.object.setOptionalInteger(value.map { Int64($0) }, at: place.slot)
    }
}

/// What the narrower integers have in common: a stored value that is too large loses its upper
/// bits.
extension AttributeValue where Self: FixedWidthInteger {
    public static func read(_ place: PropertyPlace) -> Self {
        Self(truncatingIfNeeded: place.object.integer(at: place.slot))
    }

    public static func write(_ value: consuming Self, _ place: PropertyPlace) {
        place.object.write(value.value, place.slot)
    }

    public static func readOptional(_ place: PropertyPlace) -> Self? {
        place.object.optionalInteger(at: place.slot).map { Self(truncatingIfNeeded: $0) }
    }

    public static func writeOptional(_ value: consuming Self?, _ place: PropertyPlace) {
        place.object.write(value?.value ?? .null, place.slot)
    }
}

extension Int8: AttributeValue {
    public static var attributeType: AttributeType { .integer16 }
}

extension Int16: AttributeValue {
    public static var attributeType: AttributeType { .integer16 }
}

extension Int32: AttributeValue {
    public static var attributeType: AttributeType { .integer32 }
}

extension UInt8: AttributeValue {
    public static var attributeType: AttributeType { .integer16 }
}

extension UInt16: AttributeValue {
    public static var attributeType: AttributeType { .integer32 }
}

extension UInt32: AttributeValue {
    public static var attributeType: AttributeType { .integer64 }
}

extension Bool: AttributeValue {
    public static var attributeType: AttributeType { .boolean }

    @inlinable
    public static func read(_ place: PropertyPlace) -> Bool { place.object.bool(at: place.slot) }

    @inlinable
    public static func write(_ value: consuming Bool, _ place: PropertyPlace) {
        place.object.setBool(value, at: place.slot)
    }

    @inlinable
    public static func readOptional(_ place: PropertyPlace) -> Bool? {
        place.object.optionalBool(at: place.slot)
    }

    @inlinable
    public static func writeOptional(_ value: consuming Bool?, _ place: PropertyPlace) {
        place.object.setOptionalBool(value, at: place.slot)
    }
}

extension Double: AttributeValue {
    public static var attributeType: AttributeType { .double }

    @inlinable
    public static func read(_ place: PropertyPlace) -> Double {
        place.object.double(at: place.slot)
    }

    @inlinable
    public static func write(_ value: consuming Double, _ place: PropertyPlace) {
        place.object.setDouble(value, at: place.slot)
    }

    @inlinable
    public static func readOptional(_ place: PropertyPlace) -> Double? {
        place.object.optionalDouble(at: place.slot)
    }

    @inlinable
    public static func writeOptional(_ value: consuming Double?, _ place: PropertyPlace) {
        place.object.setOptionalDouble(value, at: place.slot)
    }
}

extension Float: AttributeValue {
    public static var attributeType: AttributeType { .float }

    @inlinable
    public static func read(_ place: PropertyPlace) -> Float {
        Float(place.object.double(at: place.slot))
    }

    @inlinable
    public static func write(_ value: consuming Float, _ place: PropertyPlace) {
        place.object.setDouble(Double(value), at: place.slot)
    }

    @inlinable
    public static func readOptional(_ place: PropertyPlace) -> Float? {
        place.object.optionalDouble(at: place.slot).map { Float($0) }
    }

    @inlinable
    public static func writeOptional(_ value: consuming Float?, _ place: PropertyPlace) {
        place.object.setOptionalDouble(value.map { Double($0) }, at: place.slot)
    }
}

extension Decimal: AttributeValue {
    public static var attributeType: AttributeType { .decimal }

    public static func read(_ place: PropertyPlace) -> Decimal {
        place.object.decimal(at: place.slot) ?? 0
    }

    public static func write(_ value: consuming Decimal, _ place: PropertyPlace) {
        place.object.setDecimal(value, at: place.slot)
    }

    public static func readOptional(_ place: PropertyPlace) -> Decimal? {
        place.object.decimal(at: place.slot)
    }

    public static func writeOptional(_ value: consuming Decimal?, _ place: PropertyPlace) {
        place.object.setDecimal(value, at: place.slot)
    }
}
