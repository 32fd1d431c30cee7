/// A built-in function of its arguments' values.
final class FunctionOperand: Operand {
    private let function: BuiltInFunction
    private let arguments: [Operand]

    init(_ function: BuiltInFunction, _ arguments: [Operand]) {
        self.function = function
        self.arguments = arguments
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        switch arguments.count {
        case 0: return try function.result()
        case 1: return try function.result(arguments[0].value(&context))
        default:
            let first = try arguments[0].value(&context)
            return try function.result(first, arguments[1].value(&context))
        }
    }
}

/// A built-in function of a collection's members, or of several arguments.
final class StatisticOperand: Operand {
    private let function: BuiltInFunction
    private let arguments: [Operand]

    init(_ function: BuiltInFunction, _ arguments: [Operand]) {
        self.function = function
        self.arguments = arguments
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        var values: [GraphValue] = []
        if arguments.count == 1 {
            values = try arguments[0].members(&context)
        } else {
            for argument in arguments { values.append(try argument.value(&context)) }
        }
        switch function {
        case .sum: return try Statistics.sum(values)
        case .count: return .int(Int64(values.count))
        case .min: return try Statistics.minimum(values)
        case .max: return try Statistics.maximum(values)
        case .average: return try Statistics.average(values)
        case .median: return try Statistics.median(values)
        case .mode: return .array(Statistics.mode(values))
        default: return try Statistics.standardDeviation(values)
        }
    }
}

/// A function registered by name.
final class RegisteredOperand: Operand {
    private let name: String
    private let arguments: [Operand]
    private let function: FetchFunctions.Function?

    init(_ name: String, _ arguments: [Operand]) {
        self.name = name
        self.arguments = arguments
        function = FetchFunctions.function(name)
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        guard let function else { throw RegisteredOperand.unknown(name) }
        var values: [GraphValue] = []
        for argument in arguments { values.append(try argument.value(&context)) }
        return try function(values)
    }

    static func unknown(_ name: String) -> ObjectGraphError {
        ObjectGraphError(
            .cannotEvaluate,
            "The function \"\(name)\" does not exist.",
            recovery: "Register it with FetchFunctions."
        )
    }
}

/// FUNCTION(operand, 'selector', …): a registered function, a built-in one, or a key.
final class CallOperand: Operand {
    private let operand: Operand
    private let selector: String
    private let arguments: [Operand]

    init(_ operand: Operand, _ selector: String, _ arguments: [Operand]) {
        self.operand = operand
        self.selector = selector
        self.arguments = arguments
    }

    override func value(_ context: inout EvaluationContext) throws -> GraphValue {
        let target = try operand.value(&context)
        var values: [GraphValue] = []
        for argument in arguments { values.append(try argument.value(&context)) }
        if let function = FetchFunctions.function(selector) {
            return try function([target] + values)
        }
        switch (selector, values.count) {
        case ("valueForKey:", 1), ("valueForKeyPath:", 1), ("objectForKey:", 1):
            if case .string(let path) = values[0] { return try target.value(forKeyPath: path) }
        case (_, 0):
            // A method without arguments is a key.
            if !selector.hasSuffix(":") { return try target.value(forKey: selector) }
        default: break
        }
        throw RegisteredOperand.unknown(selector)
    }
}
