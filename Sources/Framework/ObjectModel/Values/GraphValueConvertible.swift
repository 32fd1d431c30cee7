public import FoundationEssentials

/// A Swift type that a property can hold.
///
/// Typed accessors, key-value coding and predicate arguments convert through it.
public protocol GraphValueConvertible: FetchOperand, SendableMetatype {
    /// The value that stands for this instance.
    var value: GraphValue { get }

    /// The instance for a value, or `nil` if the value is of another kind.
    init?(value: GraphValue)
}

extension GraphValue: GraphValueConvertible {
    public var value: GraphValue { self }

    public init?(value: GraphValue) { self = value }
}

extension Optional: GraphValueConvertible where Wrapped: GraphValueConvertible {
    public var value: GraphValue { self?.value ?? .null }

    public init?(value: GraphValue) {
        if value.isNull {
            self = .none
        } else if let wrapped = Wrapped(value: value) {
            self = wrapped
        } else {
            return nil
        }
    }
}

extension Bool: GraphValueConvertible {
    public var value: GraphValue { .bool(self) }

    public init?(value: GraphValue) {
        switch value {
        case .bool(let flag): self = flag
        case .int(let number): self = number != 0
        default: return nil
        }
    }
}

/// A number above the greatest `Int64` becomes a decimal.
extension GraphValueConvertible where Self: FixedWidthInteger {
    public var value: GraphValue {
        if let number = Int64(exactly: self) { return .int(number) }
        return .decimal(Decimal(UInt64(self)))
    }

    public init?(value: GraphValue) {
        if let number = value.integerValue {
            self.init(exactly: number)
        } else if case .decimal(let number) = value, let large = UInt64("\(number)") {
            self.init(exactly: large)
        } else {
            return nil
        }
    }
}

extension Int: GraphValueConvertible {}
extension Int16: GraphValueConvertible {}
extension Int32: GraphValueConvertible {}
extension Int64: GraphValueConvertible {}
extension Int8: GraphValueConvertible {}
extension UInt8: GraphValueConvertible {}
extension UInt16: GraphValueConvertible {}
extension UInt32: GraphValueConvertible {}
extension UInt: GraphValueConvertible {}
extension UInt64: GraphValueConvertible {}

extension Double: GraphValueConvertible {
    public var value: GraphValue { .double(self) }

    public init?(value: GraphValue) {
        guard let number = value.doubleValue else { return nil }
        self = number
    }
}

extension Float: GraphValueConvertible {
    public var value: GraphValue { .double(Double(self)) }

    public init?(value: GraphValue) {
        guard let number = value.doubleValue else { return nil }
        self = Float(number)
        if isInfinite, number.isFinite { return nil }
    }
}

extension Decimal: GraphValueConvertible {
    public var value: GraphValue { .decimal(self) }

    public init?(value: GraphValue) {
        guard let number = value.decimalValue else { return nil }
        self = number
    }
}

extension String: GraphValueConvertible {
    public var value: GraphValue { .string(self) }

    public init?(value: GraphValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}

/// A property of one character; text of another length is refused.
extension Character: GraphValueConvertible {
    public var value: GraphValue { .string(String(self)) }

    public init?(value: GraphValue) {
        guard case .string(let text) = value, text.count == 1, let first = text.first else {
            return nil
        }
        self = first
    }
}

extension Date: GraphValueConvertible {
    public var value: GraphValue { .date(self) }

    public init?(value: GraphValue) {
        guard case .date(let date) = value else { return nil }
        self = date
    }
}

extension Data: GraphValueConvertible {
    public var value: GraphValue { .data(self) }

    public init?(value: GraphValue) {
        guard case .data(let data) = value else { return nil }
        self = data
    }
}

extension UUID: GraphValueConvertible {
    public var value: GraphValue { .uuid(self) }

    public init?(value: GraphValue) {
        guard case .uuid(let uuid) = value else { return nil }
        self = uuid
    }
}

extension URL: GraphValueConvertible {
    public var value: GraphValue { .url(self) }

    public init?(value: GraphValue) {
        guard case .url(let url) = value else { return nil }
        self = url
    }
}

extension Array: GraphValueConvertible where Element: GraphValueConvertible {
    public var value: GraphValue { .array(map(\.value)) }

    public init?(value: GraphValue) {
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

extension Set: GraphValueConvertible where Element: GraphValueConvertible {
    public var value: GraphValue { .set(Set<GraphValue>(map(\.value))) }

    public init?(value: GraphValue) {
        guard case .set(let values) = value else { return nil }
        var result: Set<Element> = []
        for value in values {
            guard let element = Element(value: value) else { return nil }
            result.insert(element)
        }
        self = result
    }
}

extension Dictionary: GraphValueConvertible where Key == String, Value: GraphValueConvertible {
    public var value: GraphValue { .dictionary(mapValues(\.value)) }

    public init?(value: GraphValue) {
        guard case .dictionary(let values) = value else { return nil }
        var result: [String: Value] = [:]
        for (key, value) in values {
            guard let element = Value(value: value) else { return nil }
            result[key] = element
        }
        self = result
    }
}

extension ManagedObjectID: GraphValueConvertible {
    public var value: GraphValue { .objectID(self) }

    public init?(value: GraphValue) {
        switch value {
        case .objectID(let id): self = id
        case .object(let object):
            guard let id = object.managedObjectID else { return nil }
            self = id
        default: return nil
        }
    }
}

extension GraphValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: GraphValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, GraphValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}
