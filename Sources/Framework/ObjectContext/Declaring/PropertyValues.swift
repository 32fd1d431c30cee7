import FoundationEssentials
import ObjectModel

/// What is known of the type of an attribute's values.
///
/// Made where the type is known when the program is compiled: a look for its conformances at run
/// time would cost more than all else of the reading of a class.
struct PropertyValues {
    let type: Any.Type
    /// Whether a value is a set of instances of the type.
    let isSet: Bool
    /// Whether the type has a value to read as while there is none.
    let canBeEmpty: () -> Bool
    /// Whether the type can hold a value at all.
    let fits: (GraphValue) -> Bool
    let holds: (GraphValue) -> Bool
    /// The value of an instance, or of its optional.
    let value: (Any) -> GraphValue?

    init<T: GraphValueConvertible>(_: T.Type) {
        type = T.self
        isSet = false
        canBeEmpty = { T.canBeEmpty }
        fits = { T(value: $0) != nil }
        holds = { T(value: $0)?.value == $0 }
        value = { ($0 as? T)?.value }
    }

    /// Those of a set of elements of a type.
    init<T: GraphValueConvertible>(setOf element: T.Type) {
        isSet = true
        type = element
        canBeEmpty = { true }
        fits = { value in
            guard case .set(let values) = value else { return false }
            return values.allSatisfy { T(value: $0) != nil }
        }
        holds = fits
        value = { _ in nil }
    }

    /// Whether an attribute may have values that the type cannot hold, such as 300 in a `UInt8` or
    /// the raw value of no case.
    func isNarrower(than attribute: AttributeDescription) -> Bool {
        if let range = attribute.type.integerRange {
            return !fits(.int(range.lowerBound)) || !fits(.int(range.upperBound))
        }
        return isSet || !PropertyValues.whole.contains(ObjectIdentifier(type))
    }

    /// The type of a value, for messages.
    var wholeType: Any.Type {
        func set<T: Hashable>(of _: T.Type) -> Any.Type { Set<T>.self }
        guard isSet, let element = type as? any Hashable.Type else { return type }
        return set(of: element)
    }

    /// The types that hold every value of the attributes that they declare.
    private static let whole = Set(
        [
            Bool.self, Double.self, Float.self, Decimal.self, String.self, Date.self, Data.self,
            UUID.self, URL.self, GraphValue.self,
        ].map { (type: Any.Type) in ObjectIdentifier(type) }
    )
}
