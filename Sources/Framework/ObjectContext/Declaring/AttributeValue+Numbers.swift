public import FoundationEssentials
public import ObjectModel

// Numbers and Booleans: a test of the object's flags and a load.

extension Int64: AttributeValue {
    public static var attributeType: AttributeType { .integer64 }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Int64 {
        object.integer(at: slot.index)
    }

    @inlinable
    public static func write(_ value: Int64, _ object: ManagedObject, _ slot: PropertySlot) {
        object.setInteger(value, at: slot.index)
    }

    @inlinable
    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Int64? {
        object.optionalInteger(at: slot.index)
    }

    @inlinable
    public static func writeOptional(
        _ value: consuming Int64?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setOptionalInteger(value, at: slot.index)
    }
}

extension Int: AttributeValue {
    public static var attributeType: AttributeType { .integer64 }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Int {
        Int(object.integer(at: slot.index))
    }

    @inlinable
    public static func write(_ value: Int, _ object: ManagedObject, _ slot: PropertySlot) {
        object.setInteger(Int64(value), at: slot.index)
    }

    @inlinable
    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Int? {
        object.optionalInteger(at: slot.index).map { Int($0) }
    }

    @inlinable
    public static func writeOptional(
        _ value: consuming Int?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setOptionalInteger(value.map { Int64($0) }, at: slot.index)
    }
}

/// What the narrower integers have in common: a value that does not fit reads as if there were none,
/// see ``ManagedObject/requiredValue(_:)``.
extension AttributeValue where Self: FixedWidthInteger {
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Self {
        Self(exactly: object.integer(at: slot.index)) ?? object.requiredValue(slot.index)
    }

    public static func write(_ value: Self, _ object: ManagedObject, _ slot: PropertySlot) {
        object.write(value.value, slot.index)
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Self? {
        guard let number = object.optionalInteger(at: slot.index) else { return nil }
        return Self(exactly: number) ?? object.optionalValue(slot.index)
    }

    public static func writeOptional(
        _ value: consuming Self?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.write(value?.value ?? .null, slot.index)
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

// A save refuses what is above the greatest `Int64`. Until then such a number is kept as a decimal,
// so reading looks at the value itself.

extension UInt: AttributeValue {
    public static var attributeType: AttributeType { .integer64 }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> UInt {
        object.requiredValue(slot.index)
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> UInt? {
        object.optionalValue(slot.index)
    }
}

extension UInt64: AttributeValue {
    public static var attributeType: AttributeType { .integer64 }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> UInt64 {
        object.requiredValue(slot.index)
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> UInt64? {
        object.optionalValue(slot.index)
    }
}

extension Bool: AttributeValue {
    public static var attributeType: AttributeType { .boolean }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Bool {
        object.bool(at: slot.index)
    }

    @inlinable
    public static func write(_ value: Bool, _ object: ManagedObject, _ slot: PropertySlot) {
        object.setBool(value, at: slot.index)
    }

    @inlinable
    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Bool? {
        object.optionalBool(at: slot.index)
    }

    @inlinable
    public static func writeOptional(
        _ value: consuming Bool?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setOptionalBool(value, at: slot.index)
    }
}

extension Double: AttributeValue {
    public static var attributeType: AttributeType { .double }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Double {
        object.double(at: slot.index)
    }

    @inlinable
    public static func write(_ value: Double, _ object: ManagedObject, _ slot: PropertySlot) {
        object.setDouble(value, at: slot.index)
    }

    @inlinable
    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Double? {
        object.optionalDouble(at: slot.index)
    }

    @inlinable
    public static func writeOptional(
        _ value: consuming Double?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setOptionalDouble(value, at: slot.index)
    }
}

extension Float: AttributeValue {
    public static var attributeType: AttributeType { .float }

    @inlinable
    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Float {
        let number = object.double(at: slot.index)
        let rounded = Float(number)
        return rounded.isFinite || !number.isFinite ? rounded : object.requiredValue(slot.index)
    }

    @inlinable
    public static func write(_ value: Float, _ object: ManagedObject, _ slot: PropertySlot) {
        object.setDouble(Double(value), at: slot.index)
    }

    @inlinable
    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Float? {
        guard let number = object.optionalDouble(at: slot.index) else { return nil }
        let rounded = Float(number)
        return rounded.isFinite || !number.isFinite ? rounded : object.optionalValue(slot.index)
    }

    @inlinable
    public static func writeOptional(
        _ value: consuming Float?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setOptionalDouble(value.map { Double($0) }, at: slot.index)
    }
}

extension Decimal: AttributeValue {
    public static var attributeType: AttributeType { .decimal }

    public static func read(_ object: ManagedObject, _ slot: PropertySlot) -> Decimal {
        object.decimal(at: slot.index) ?? 0
    }

    public static func write(_ value: Decimal, _ object: ManagedObject, _ slot: PropertySlot) {
        object.setDecimal(value, at: slot.index)
    }

    public static func readOptional(_ object: ManagedObject, _ slot: PropertySlot) -> Decimal? {
        object.decimal(at: slot.index)
    }

    public static func writeOptional(
        _ value: consuming Decimal?,
        _ object: ManagedObject,
        _ slot: PropertySlot
    ) {
        object.setDecimal(value, at: slot.index)
    }
}
