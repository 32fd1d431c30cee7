import FoundationEssentials

/// A predicate made ready to be evaluated many times.
///
/// Key paths are split, constants folded, patterns compiled and lists hashed once, here; each
/// evaluation does only what depends on the object. To filter with a predicate is to compile it
/// and evaluate it for each element.
///
/// Not thread-safe: compile one for each thread.
///
/// - Complexity: O(size of the predicate) to make.
public final class CompiledPredicate {
    private let condition: Condition
    private let bindings: [String: Value]

    /// Prepares a predicate; `bindings` are the values of its variables.
    ///
    /// Mistakes such as a bad pattern are reported when an evaluation comes upon them, so that a
    /// predicate behaves the same in either form.
    public init(_ predicate: FetchPredicate, bindings: [String: Value] = [:]) {
        let predicate =
            bindings.isEmpty ? predicate : predicate.withSubstitutionVariables(bindings)
        condition = Condition.make(predicate)
        self.bindings = bindings
    }

    /// Whether the predicate holds for a value or an object.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotEvaluate`` where the
    ///   predicate makes no sense for the object: an unbound variable, text ordered against a
    ///   number, BETWEEN without two bounds; or the error of an unknown key.
    public func evaluate(with object: Value) throws -> Bool {
        var context = EvaluationContext(object: object, bindings: bindings)
        return try condition.holds(&context)
    }
}

/// What an evaluation knows besides the predicate.
struct EvaluationContext {
    /// `SELF`.
    var object: Value
    /// `$name`.
    var bindings: [String: Value]
    /// The time of the evaluation, the same wherever the predicate asks for it.
    private(set) lazy var now = Date()

    init(object: Value, bindings: [String: Value]) {
        self.object = object
        self.bindings = bindings
    }
}

extension FetchPredicate {
    /// Whether the predicate holds for a value or an object.
    ///
    /// Compiles the predicate each time; for many objects make a ``CompiledPredicate``.
    ///
    /// Rules (contract 1.13): `nil == nil` holds and `nil != x` holds; an order with `nil` fails,
    /// except `<=` and `>=` of two `nil`; text operators fail with `nil`; `CONTAINS ''` fails;
    /// values of different kinds are not equal, and ordering them is an error; integers divide as
    /// integers, and a division by zero is `nil`; text compares literally unless `[cdn]` is given.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    public func evaluate(with object: Value, bindings: [String: Value] = [:]) throws -> Bool {
        try CompiledPredicate(self, bindings: bindings).evaluate(with: object)
    }

    /// Whether the predicate holds for an object.
    public func evaluate(
        with object: any KeyValueCoding,
        bindings: [String: Value] = [:]
    ) throws -> Bool {
        try evaluate(with: .object(object), bindings: bindings)
    }
}

extension FetchExpression {
    /// The value of the expression for a value or an object.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    public func value(with object: Value, bindings: [String: Value] = [:]) throws -> Value {
        try CompiledExpression(self, bindings: bindings).value(with: object)
    }

    /// The value of the expression for an object.
    public func value(
        with object: any KeyValueCoding,
        bindings: [String: Value] = [:]
    ) throws -> Value {
        try value(with: .object(object), bindings: bindings)
    }
}

/// An expression made ready to be evaluated many times, as ``CompiledPredicate``.
public final class CompiledExpression {
    private let operand: Operand
    private let bindings: [String: Value]

    public init(_ expression: FetchExpression, bindings: [String: Value] = [:]) {
        let expression =
            bindings.isEmpty ? expression : expression.withSubstitutionVariables(bindings)
        operand = Operand.make(expression)
        self.bindings = bindings
    }

    /// The value for a value or an object.
    public func value(with object: Value) throws -> Value {
        var context = EvaluationContext(object: object, bindings: bindings)
        return try operand.value(&context)
    }
}
