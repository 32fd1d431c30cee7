public import FoundationEssentials
import ObjectModel

// `#Predicate { $0.mood == calm }`: Foundation compares values that are `Codable`. An enumeration that
// an attribute holds has its raw value, so it need not be. The macro calls these functions by name.

extension PredicateExpressions {
    /// A property compared with a case of an enumeration in a `#Predicate`.
    public struct EnumerationComparison<
        Left: StandardPredicateExpression,
        Case: AttributeValue & RawRepresentable & Equatable & Sendable
    >: StandardPredicateExpression where Case.RawValue: Codable {
        let left: Left
        let right: Case?
        let isEqual: Bool

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            (try left.evaluate(bindings) as? Case == right) == isEqual
        }
    }

    /// `==` with a case.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_Equal<Left: StandardPredicateExpression, Case>(
        lhs: Left,
        rhs: Value<Case>
    ) -> EnumerationComparison<Left, Case> where Left.Output == Case {
        EnumerationComparison(left: lhs, right: rhs.value, isEqual: true)
    }

    /// `==` with a case or `nil`.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_Equal<Left: StandardPredicateExpression, Case>(
        lhs: Left,
        rhs: Value<Case?>
    ) -> EnumerationComparison<Left, Case> where Left.Output == Case? {
        EnumerationComparison(left: lhs, right: rhs.value, isEqual: true)
    }

    /// `!=` with a case.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_NotEqual<Left: StandardPredicateExpression, Case>(
        lhs: Left,
        rhs: Value<Case>
    ) -> EnumerationComparison<Left, Case> where Left.Output == Case {
        EnumerationComparison(left: lhs, right: rhs.value, isEqual: false)
    }

    /// `!=` with a case or `nil`.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_NotEqual<Left: StandardPredicateExpression, Case>(
        lhs: Left,
        rhs: Value<Case?>
    ) -> EnumerationComparison<Left, Case> where Left.Output == Case? {
        EnumerationComparison(left: lhs, right: rhs.value, isEqual: false)
    }
}

extension PredicateExpressions.EnumerationComparison: Codable {
    private enum Key: CodingKey { case left, right, isEqual }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        left = try container.decode(Left.self, forKey: .left)
        isEqual = try container.decode(Bool.self, forKey: .isEqual)
        let raw = try container.decode(Case.RawValue?.self, forKey: .right)
        right = raw.flatMap { Case(rawValue: $0) }
        if raw != nil, right == nil {
            throw DecodingError.dataCorruptedError(
                forKey: .right,
                in: container,
                debugDescription: "\(Case.self) has no case of this raw value."
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(left, forKey: .left)
        try container.encode(right?.rawValue, forKey: .right)
        try container.encode(isEqual, forKey: .isEqual)
    }
}

extension PredicateExpressions.EnumerationComparison: TranslatablePart {
    package func translate(
        _ translation: PredicateTranslation
    ) throws -> PredicateTranslation.Part {
        .condition(
            .comparison(
                FetchComparison(
                    try translation.value(left),
                    isEqual ? .equal : .notEqual,
                    .constant(right?.value ?? .null)
                )
            )
        )
    }
}
