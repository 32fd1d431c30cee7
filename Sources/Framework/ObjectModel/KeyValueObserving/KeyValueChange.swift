/// What an observer learns about a change of a key path.
public struct KeyValueChange {
    /// What happened; Foundation's numbers.
    public enum Kind: Int, Sendable {
        /// The value was replaced.
        case setting = 1
        /// Members joined a to-many relationship.
        case insertion = 2
        /// Members left it.
        case removal = 3
        /// Members took the places of others.
        case replacement = 4
    }

    public var kind: Kind
    /// The key path as it was given to `observe`.
    public let keyPath: String
    /// The value after the change; for an insertion or replacement the new members.
    ///
    /// `nil` unless ``KeyValueObservingOptions/new`` is set.
    public var newValue: GraphValue?
    /// The value before the change; for a removal or replacement the removed members.
    ///
    /// `nil` unless ``KeyValueObservingOptions/old`` is set.
    public var oldValue: GraphValue?
    /// The indexes of the members: after an insertion, before a removal.
    ///
    /// `nil` for a setting and for unordered members.
    public var indexes: RangeSet<Int>?
    /// Whether the change has not happened yet.
    public var isPrior = false
    /// The context that was given to `observe`.
    public let context: (any Sendable)?

    init(_ kind: Kind, _ keyPath: String, context: (any Sendable)?) {
        self.kind = kind
        self.keyPath = keyPath
        self.context = context
    }
}

/// What an observer receives, and when.
public struct KeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The value after the change.
    public static let new = KeyValueObservingOptions(rawValue: 1)
    /// The value before the change.
    public static let old = KeyValueObservingOptions(rawValue: 2)
    /// A first notification immediately, without a change.
    public static let initial = KeyValueObservingOptions(rawValue: 4)
    /// A second notification, before each change.
    public static let prior = KeyValueObservingOptions(rawValue: 8)
}

/// How the members of a relationship differ before and after a change.
struct MemberDifference {
    var kind = KeyValueChange.Kind.setting
    var indexes: RangeSet<Int>?
    /// The added members, as a value; the whole value for a setting.
    var new: GraphValue
    /// The removed members, as a value; the whole value for a setting.
    var old: GraphValue

    /// Compares two values; unless both are collections of one kind, the change is a setting.
    ///
    /// - Complexity: O(members).
    init(from old: GraphValue, to new: GraphValue) {
        self.old = old
        self.new = new
        switch (old, new) {
        case (.set(let before), .set(let after)): compare(before, after)
        case (.array(let before), .array(let after)): compare(before, after)
        default: break
        }
    }

    private mutating func compare(_ before: Set<GraphValue>, _ after: Set<GraphValue>) {
        let added = after.subtracting(before)
        let removed = before.subtracting(after)
        if added.isEmpty == removed.isEmpty { return }
        kind = removed.isEmpty ? .insertion : .removal
        new = .set(added)
        old = .set(removed)
    }

    private mutating func compare(_ before: [GraphValue], _ after: [GraphValue]) {
        if before.count < after.count {
            guard let joined = after.places(without: before) else { return }
            take(.insertion, joined, [], joined.map { after[$0] })
        } else if before.count > after.count {
            guard let left = before.places(without: after) else { return }
            take(.removal, left, left.map { before[$0] }, [])
        } else {
            let places = before.indices.filter { before[$0] != after[$0] }
            let (left, joined) = (places.map { before[$0] }, places.map { after[$0] })
            // Members that only moved were not replaced.
            if places.isEmpty || !Set(left).isDisjoint(with: joined) { return }
            take(.replacement, places, left, joined)
        }
    }

    private mutating func take(
        _ kind: KeyValueChange.Kind,
        _ places: [Int],
        _ old: [GraphValue],
        _ new: [GraphValue]
    ) {
        self.kind = kind
        indexes = RangeSet(places.map { $0..<($0 + 1) })
        self.old = .array(old)
        self.new = .array(new)
    }
}

extension [GraphValue] {
    /// The indexes of the elements that another array does not have; `nil` if the other array is
    /// not this one with some elements removed.
    ///
    /// Among equal neighbours, the last ones count as removed.
    fileprivate func places(without other: [GraphValue]) -> [Int]? {
        var places: [Int] = []
        var rest = other[...]
        for index in indices {
            if self[index] == rest.first { rest = rest.dropFirst() } else { places.append(index) }
        }
        return rest.isEmpty ? places : nil
    }
}
