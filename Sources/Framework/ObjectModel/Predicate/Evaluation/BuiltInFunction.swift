/// The functions that every predicate knows; the raw value is the full name.
///
/// The list is Core Data's.
package enum BuiltInFunction: String, CaseIterable, Sendable {
    case sum = "sum:"
    case count = "count:"
    case min = "min:"
    case max = "max:"
    case average = "average:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case squareRoot = "sqrt:"
    case logarithm = "log:"
    case naturalLogarithm = "ln:"
    case power = "raise:toPower:"
    case exponential = "exp:"
    case ceiling = "ceiling:"
    case absolute = "abs:"
    case truncate = "trunc:"
    case floor = "floor:"
    case random = "random"
    case randomBelow = "randomn:"
    case now = "now"
    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case leftShift = "leftshift:by:"
    case rightShift = "rightshift:by:"
    case onesComplement = "onesComplement:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case noIndex = "noindex:"
    case distance = "distance:to:"
    case length = "length:"
    case canonical = "canonical:"
    case objectFrom = "objectFrom:withIndex:"
    case castObject = "castObject:toType:"

    /// By name without the last colon.
    private static let table: [Substring: BuiltInFunction] = Dictionary(
        uniqueKeysWithValues: allCases.map { (withoutLastColon($0.rawValue), $0) }
    )

    private static func withoutLastColon(_ name: String) -> Substring {
        name.hasSuffix(":") ? name.dropLast() : name[...]
    }

    /// Finds a function by its name, with or without the last colon.
    package init?(name: String) {
        guard let function = BuiltInFunction.table[BuiltInFunction.withoutLastColon(name)] else {
            return nil
        }
        self = function
    }

    /// How many arguments the name asks for.
    package var arity: Int {
        rawValue.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) }
    }

    /// Whether the function takes a collection, and so also takes its members as several arguments.
    package var isStatistic: Bool {
        switch self {
        case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: true
        default: false
        }
    }

    package func accepts(_ count: Int) -> Bool {
        count == arity || isStatistic && count > 1
    }

    /// Whether equal arguments may give different results.
    package var isVolatile: Bool {
        switch self {
        case .random, .randomBelow, .now: true
        default: false
        }
    }
}
