import Synchronization

/// Custom functions and comparisons, found by name from predicates, mappings and derived
/// attributes.
///
/// Core Data finds them as Objective-C selectors. There is no Objective-C runtime here, so a
/// program registers its functions before it parses a format that uses them:
///
///     FetchFunctions.register("wordCount:") { arguments in
///         guard case .string(let text) = arguments[0] else { return .null }
///         return .int(Int64(text.split(separator: " ").count))
///     }
///     try FetchPredicate(format: "wordCount:(body) > 100")
///
/// Stores evaluate such predicates in memory, after a wider fetch.
public enum FetchFunctions {
    public typealias Function = @Sendable (_ arguments: [GraphValue]) throws -> GraphValue
    public typealias Comparison = @Sendable (_ left: GraphValue, _ right: GraphValue) throws -> Bool

    private struct Registry {
        var functions: [String: Function] = [:]
        var comparisons: [String: Comparison] = [:]
    }

    private static let registry = Mutex(Registry())

    /// Registers a function under its full name, one colon for each argument: `"distance:from:"`.
    ///
    /// In `FUNCTION(operand, 'name:', …)` the operand comes before the arguments. A second
    /// registration replaces the first; the built-in functions cannot be replaced.
    public static func register(_ name: String, _ function: @escaping Function) {
        registry.withLock { $0.functions[name] = function }
    }

    /// Registers a comparison.
    ///
    /// Formats use it as an operator with a colon: `name soundsLike: 'Maier'`.
    public static func registerComparison(_ name: String, _ comparison: @escaping Comparison) {
        registry.withLock { $0.comparisons[name] = comparison }
    }

    package static func function(_ name: String) -> Function? {
        registry.withLock { $0.functions[name] }
    }

    package static func comparison(_ name: String) -> Comparison? {
        registry.withLock { $0.comparisons[name] }
    }

    /// The registered name for a name that may lack its last colon.
    static func fullName(of name: String, count: Int) -> String? {
        let colons = name.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) }
        let full = colons < count && !name.hasSuffix(":") ? name + ":" : name
        return registry.withLock { $0.functions[full] != nil ? full : nil }
    }
}
