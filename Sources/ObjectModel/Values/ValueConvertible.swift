public import FoundationEssentials

/// A Swift type that a property can hold.
///
/// Typed accessors, key-value coding and predicate arguments convert through it.
public protocol ValueConvertible: FetchOperand {
    /// The value that stands for this instance.
    var value: Value { get }

    /// The instance for a value, or `nil` if the value is of another kind.
    init?(value: Value)
}

extension Value: ValueConvertible {
    public var value: Value { self }

    public init?(value: Value) { self = value }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
    public var value: Value { self?.value ?? .null }

    public init?(value: Value) {
        if value.isNull {
            self = .none
        } else if let wrapped = Wrapped(value: value) {
            self = wrapped
        } else {
            return nil
        }
    }
}

extension Bool: ValueConvertible {
    public var value: Value { .bool(self) }

    public init?(value: Value) {
        switch value {
        case .bool(let flag): self = flag
        case .int(let number): self = number != 0
        default: return nil
        }
    }
}

/// A number above the greatest `Int64` becomes a decimal.
extension ValueConvertible where Self: FixedWidthInteger {
    public var value: Value {
        if let number = Int64(exactly: self) { return .int(number) }
        return .decimal(Decimal(UInt64(self)))
    }

    public init?(value: Value) {
        if let number = value.integerValue {
            self.init(exactly: number)
        } else if case .decimal(let number) = value, let large = UInt64("\(number)") {
            self.init(exactly: large)
        } else {
            return nil
        }
    }
}

extension Int: ValueConvertible {}
extension Int16: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension Int8: ValueConvertible {}
extension UInt8: ValueConvertible {}
extension UInt16: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Double: ValueConvertible {
    public var value: Value { .double(self) }

    public init?(value: Value) {
        guard let number = value.doubleValue else { return nil }
        self = number
    }
}

extension Float: ValueConvertible {
    public var value: Value { .double(Double(self)) }

    public init?(value: Value) {
        guard let number = value.doubleValue else { return nil }
        self = Float(number)
    }
}

extension Decimal: ValueConvertible {
    public var value: Value { .decimal(self) }

    public init?(value: Value) {
        guard let number = value.decimalValue else { return nil }
        self = number
    }
}

extension String: ValueConvertible {
    public var value: Value { .string(self) }

    public init?(value: Value) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}

/// A property of one character; text of another length is refused.
extension Character: ValueConvertible {
    public var value: Value { .string(String(self)) }

    public init?(value: Value) {
        guard case .string(let text) = value, text.count == 1, let first = text.first else {
            return nil
        }
        self = first
    }
}

extension Date: ValueConvertible {
    public var value: Value { .date(self) }

    public init?(value: Value) {
        guard case .date(let date) = value else { return nil }
        self = date
    }
}

extension Data: ValueConvertible {
    public var value: Value { .data(self) }

    public init?(value: Value) {
        guard case .data(let data) = value else { return nil }
        self = data
    }
}

extension UUID: ValueConvertible {
    public var value: Value { .uuid(self) }

    public init?(value: Value) {
        guard case .uuid(let uuid) = value else { return nil }
        self = uuid
    }
}

extension URL: ValueConvertible {
    public var value: Value { .url(self) }

    public init?(value: Value) {
        guard case .url(let url) = value else { return nil }
        self = url
    }
}

extension Array: ValueConvertible where Element: ValueConvertible {
    public var value: Value { .array(map(\.value)) }

    public init?(value: Value) {
        guard case .array(let values) = value else { return nil }
        var result: [Element] = []
        result.reserveCapacity(values.count)
        for value in values {
            guard let element = Element(value: value) else { return nil }
            result.append(element)
        }
        self = result
    }
}

extension Set: ValueConvertible where Element: ValueConvertible {
    public var value: Value { .set(Set<Value>(map(\.value))) }

    public init?(value: Value) {
        guard case .set(let values) = value else { return nil }
        var result: Set<Element> = []
        for value in values {
            guard let element = Element(value: value) else { return nil }
            result.insert(element)
        }
        self = result
    }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
    public var value: ObjectModel.Value { .dictionary(mapValues(\.value)) }

    public init?(value: ObjectModel.Value) {
        guard case .dictionary(let values) = value else { return nil }
        var result: [String: Value] = [:]
        for (key, value) in values {
            guard let element = Value(value: value) else { return nil }
            result[key] = element
        }
        self = result
    }
}

extension ManagedObjectID: ValueConvertible {
    public var value: Value { .objectID(self) }

    public init?(value: Value) {
        switch value {
        case .objectID(let id): self = id
        case .object(let object):
            guard let id = object.managedObjectID else { return nil }
            self = id
        default: return nil
        }
    }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}
