/// A condition on an object: built in code, parsed from a format string, or from typed Swift
/// expressions.
///
/// It is a plain tree, so that a store can translate it and a test can compare it: equality and
/// hashing are structural. The same predicate selects the same objects in memory and in every
/// store.
public indirect enum FetchPredicate: Hashable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    case and([FetchPredicate])
    case or([FetchPredicate])
    case not(FetchPredicate)
    case comparison(FetchComparison)
    /// A Swift closure. It is never translated to SQL: the store fetches more rows, and the closure
    /// is evaluated on them.
    case block(FetchBlock)
}

/// `[ANY|ALL] left operator[options] right`.
public struct FetchComparison: Hashable {
    /// How a to-many left side is quantified: `NONE` is `NOT ANY`, `SOME` is `ANY`.
    public enum Modifier: Hashable, Sendable {
        case direct
        case any
        case all
    }

    public enum Operator: Hashable, Sendable {
        case equal
        case notEqual
        case less
        case lessOrEqual
        case greater
        case greaterOrEqual
        case between
        case `in`
        case contains
        case beginsWith
        case endsWith
        case like
        case matches
        /// A comparison registered by name.
        case custom(String)
    }

    /// `[cdnl]`.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let caseInsensitive = Options(rawValue: 1)
        public static let diacriticInsensitive = Options(rawValue: 2)
        public static let normalized = Options(rawValue: 4)
        public static let localeSensitive = Options(rawValue: 8)
    }

    public var left: FetchExpression
    public var `operator`: Operator
    public var right: FetchExpression
    public var modifier: Modifier
    public var options: Options

    public init(
        _ left: FetchExpression,
        _ operator: Operator,
        _ right: FetchExpression,
        modifier: Modifier = .direct,
        options: Options = []
    ) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.modifier = modifier
        self.options = options
    }
}

/// A closure as a predicate; two are equal only if they are the same instance.
public final class FetchBlock: Hashable {
    package let body: (_ object: GraphValue, _ bindings: [String: GraphValue]) -> Bool

    public init(_ body: @escaping (_ object: GraphValue, _ bindings: [String: GraphValue]) -> Bool)
    {
        self.body = body
    }

    public static func == (left: FetchBlock, right: FetchBlock) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
