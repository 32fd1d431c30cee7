import FoundationEssentials

extension GraphValue: Hashable {
    /// Equality of content.
    ///
    /// Numbers are equal by numeric value whatever their type, managed objects by their ID. The
    /// value of a transformable attribute is equal by its class if that is `Hashable`, other
    /// objects by identity.
    public static func == (left: GraphValue, right: GraphValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        // Stores keep no base, so it makes no difference.
        case (.url(let a), .url(let b)): a == b || a.absoluteString == b.absoluteString
        case (.objectID(let a), .objectID(let b)): a == b
        case (.object(let a), .object(let b)):
            a === b || (a.managedObjectID.map { $0 == b.managedObjectID } ?? false)
        case (.object(let a), .objectID(let b)), (.objectID(let b), .object(let a)):
            a.managedObjectID == b
        case (.array(let a), .array(let b)): a == b
        case (.set(let a), .set(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        case (.opaque(let a), .opaque(let b)): a === b || GraphValue.areEqual(a, b)
        default: left.isNumber && right.isNumber && left.numericOrder(to: right) == .same
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        // Equal numbers of different types must hash alike.
        case .bool(let value): hasher.combine(value ? 1.0 : 0.0)
        case .int(let value): hasher.combine(Double(value))
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value.doubleValue)
        case .string(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value.absoluteString)
        case .objectID(let value): hasher.combine(value)
        case .object(let value):
            // An object and its ID are equal, so they hash alike.
            if let id = value.managedObjectID {
                hasher.combine(id)
            } else {
                hasher.combine(ObjectIdentifier(value))
            }
        case .array(let values): hasher.combine(values)
        case .set(let values): hasher.combine(values)
        case .dictionary(let values): hasher.combine(values)
        case .opaque(let value):
            if let content = value as? any Hashable {
                hasher.combine(content)
            } else {
                hasher.combine(ObjectIdentifier(value))
            }
        }
    }

    private static func areEqual(_ a: AnyObject, _ b: AnyObject) -> Bool {
        guard let a = a as? any Hashable, let b = b as? any Hashable else { return false }
        return AnyHashable(a) == AnyHashable(b)
    }
}

/// The outcome of comparing two values that have an order.
public enum Order: Sendable {
    case before
    case same
    case after

    package var reversed: Order {
        switch self {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }

    package init<T: Comparable>(_ left: T, _ right: T) {
        self = left < right ? .before : left == right ? .same : .after
    }
}

extension GraphValue {
    /// The order of two numbers, exact between integers and decimals; `nil` if one is not a number
    /// (also NaN).
    package func numericOrder(to other: GraphValue) -> Order? {
        switch (self, other) {
        case (.int(let a), .int(let b)): return Order(a, b)
        case (.decimal, _), (_, .decimal):
            if let a = decimalValue, let b = other.decimalValue, !a.isNaN, !b.isNaN {
                return Order(a, b)
            }
            // A floating point number may be beyond what a decimal can hold.
            guard let a = doubleValue, let b = other.doubleValue, !a.isNaN, !b.isNaN else {
                return nil
            }
            return Order(a, b)
        case (.double(let a), .int(let b)): return GraphValue.order(b, a)?.reversed
        case (.int(let a), .double(let b)): return GraphValue.order(a, b)
        default:
            guard let a = doubleValue, let b = other.doubleValue, !a.isNaN, !b.isNaN else {
                return nil
            }
            return Order(a, b)
        }
    }

    /// Compares without rounding the integer to a floating point number.
    private static func order(_ a: Int64, _ b: Double) -> Order? {
        if b.isNaN { return nil }
        if b >= 0x1p63 { return .before }
        if b < -0x1p63 { return .after }
        let whole = b.rounded(.towardZero)
        let first = Order(a, Int64(whole))
        return first == .same ? Order(whole, b) : first
    }
}
