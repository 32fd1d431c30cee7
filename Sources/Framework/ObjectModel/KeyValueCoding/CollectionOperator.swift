/// An operator in a key path: `items.@sum.price`.
///
/// The list and the rules are Core Data's.
package enum CollectionOperator: String, CaseIterable, Sendable {
    case count = "@count"
    case sum = "@sum"
    case average = "@avg"
    case minimum = "@min"
    case maximum = "@max"
    case unionOfObjects = "@unionOfObjects"
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    case unionOfArrays = "@unionOfArrays"
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    case unionOfSets = "@unionOfSets"
    case distinctUnionOfSets = "@distinctUnionOfSets"
    /// The keys of a dictionary.
    case allKeys = "@allKeys"
    /// The values of a dictionary.
    case allValues = "@allValues"

    /// The operator that a component of a key path names; `nil` for a key.
    package init?(key: some StringProtocol) {
        guard key.utf8.first == UInt8(ascii: "@") else { return nil }
        self.init(rawValue: String(key))
    }

    /// Whether the operator needs a key path after it that says what to combine.
    package var needsKeyPath: Bool {
        switch self {
        case .count, .allKeys, .allValues: false
        default: true
        }
    }
}
