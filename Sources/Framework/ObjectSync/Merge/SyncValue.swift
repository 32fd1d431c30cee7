public import FoundationEssentials

/// A value of a property as remotes know it: without object IDs, which mean nothing outside a store.
public enum SyncValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    /// The name of another object.
    case reference(String)
    /// The elements of an unordered relationship.
    case set(Set<SyncValue>)
    /// The elements of an ordered relationship.
    case list([SyncValue])

    /// The elements of a set or a list; none of anything else.
    public var elements: [SyncValue] {
        switch self {
        case .set(let elements): Array(elements)
        case .list(let elements): elements
        default: []
        }
    }

    /// The names that the value refers to.
    var references: [String] {
        if case .reference(let name) = self { return [name] }
        return elements.compactMap { if case .reference(let name) = $0 { name } else { nil } }
    }

    /// An order of all values that is the same everywhere: that of their bytes.
    static func isOrdered(_ left: SyncValue, _ right: SyncValue) -> Bool {
        var (first, second) = (SyncRecordWriter(), SyncRecordWriter())
        first.append(left)
        second.append(right)
        return first.bytes.lexicographicallyPrecedes(second.bytes)
    }
}

/// A value and the time when somebody gave it.
public struct StampedValue: Hashable, Sendable {
    public var value: SyncValue
    public var stamp: Date

    public init(_ value: SyncValue, _ stamp: Date) {
        self.value = value
        self.stamp = stamp
    }

    /// Whether this one wins against another: the later one, of two at the same time the greater.
    func isLater(than other: StampedValue) -> Bool {
        if stamp != other.stamp { return stamp > other.stamp }
        return SyncValue.isOrdered(other.value, value)
    }
}
