extension FormatParser {
    /// A reserved word at the place of an operand.
    mutating func reserved(_ word: FormatWord, _ text: String) throws(FormatFailure) -> Parsed {
        let start = token.start
        let content: Parsed.Content
        switch word {
        case .null, .nil: content = .expression(.constant(.null))
        case .true, .yes: content = .expression(.constant(.bool(true)))
        case .false, .no: content = .expression(.constant(.bool(false)))
        case .self: content = .expression(.evaluatedObject)
        case .anyKey: content = .expression(.anyKey)
        case .truePredicate: content = .predicate(.constant(true))
        case .falsePredicate: content = .predicate(.constant(false))
        case .function, .cast, .subquery, .ternary:
            try advance()
            try expect(.openParenthesis)
            switch word {
            case .function: return try functionCall(start)
            case .cast: return try cast(start)
            case .subquery: return try subquery(start)
            default: return try conditional(start)
            }
        case .fetch:
            throw FormatFailure(start, because: "FETCH is not supported; run a request instead")
        default:
            throw FormatFailure(
                start,
                because: "expected an operand; \"\(text)\" is a reserved word, "
                    + "write #\(text) to use it as a key"
            )
        }
        try advance()
        return try node(content, 1, start)
    }

    /// `name(arguments)`; the name may leave out its last colon.
    mutating func call(_ name: String, _ start: Int) throws(FormatFailure) -> Parsed {
        try expect(.openParenthesis, "\"(\" after the function's name")
        let function = BuiltInFunction(name: name)
        if function == .objectFrom { return try objectFrom(start) }
        let (arguments, height) = try list(until: .closeParenthesis)
        let fullName: String
        if let function {
            guard function.accepts(arguments.count) else {
                throw FormatFailure(
                    start,
                    because:
                        "\(function.rawValue) takes \(function.arity) argument\(function.arity == 1 ? "" : "s"), "
                        + "not \(arguments.count)"
                )
            }
            fullName = function.rawValue
        } else if let registered = FetchFunctions.fullName(of: name, count: arguments.count) {
            fullName = registered
        } else {
            throw FormatFailure(
                start,
                because:
                    "the function \"\(name)\" with \(arguments.count) argument\(arguments.count == 1 ? "" : "s") does not exist; "
                    + "register it with FetchFunctions before it is used"
            )
        }
        if function == .castObject, case .constant(.string(let type)) = arguments[1] {
            return try node(
                .expression(casting(arguments[0], type, start)),
                height + 1,
                start
            )
        }
        return try node(.expression(.function(fullName, arguments)), height + 1, start)
    }

    /// `objectFrom:withIndex:(collection, index)`, the long form of `collection[index]`.
    private mutating func objectFrom(_ start: Int) throws(FormatFailure) -> Parsed {
        let collection = try parse(.set)
        try expect(.comma)
        let (position, height) = try position(until: .closeParenthesis)
        return try node(
            .expression(.subscripted(expression(of: collection), position)),
            max(collection.height, height) + 1,
            start
        )
    }

    /// `FUNCTION(operand, 'selector:', arguments)`.
    private mutating func functionCall(_ start: Int) throws(FormatFailure) -> Parsed {
        let (elements, height) = try list(until: .closeParenthesis)
        guard elements.count >= 2, case .constant(.string(let selector)) = elements[1] else {
            throw FormatFailure(
                start,
                because: "FUNCTION takes an operand, a selector as text, and arguments"
            )
        }
        return try node(
            .expression(.call(elements[0], selector, Array(elements[2...]))),
            height + 1,
            start
        )
    }

    /// `CAST(expression, 'type')`.
    private mutating func cast(_ start: Int) throws(FormatFailure) -> Parsed {
        let (elements, height) = try list(until: .closeParenthesis)
        guard elements.count == 2, case .constant(.string(let type)) = elements[1] else {
            throw FormatFailure(start, because: "CAST takes an expression and a type as text")
        }
        return try node(.expression(casting(elements[0], type, start)), height + 1, start)
    }

    /// A cast of a constant becomes a constant.
    ///
    /// So dates and similar values are written as casts and read as values.
    private func casting(
        _ operand: FetchExpression,
        _ type: String,
        _ start: Int
    ) throws(FormatFailure) -> FetchExpression {
        guard let target = CastType(name: type) else {
            throw FormatFailure(start, because: "\"\(type)\" is not a type that CAST knows")
        }
        guard case .constant(let value) = operand, !value.isNull else {
            return .cast(operand, type)
        }
        guard let result = target.cast(value), !result.isNull else {
            throw FormatFailure(start, because: "this \(value.kindName) cannot be cast to \(type)")
        }
        return .constant(result)
    }

    /// `SUBQUERY(collection, $variable, predicate)`.
    private mutating func subquery(_ start: Int) throws(FormatFailure) -> Parsed {
        let collection = try parse(.set)
        try expect(.comma)
        guard case .variable(let name) = token.kind else {
            throw FormatFailure(token.start, expected: "a variable such as $x")
        }
        try advance()
        try expect(.comma)
        let condition = try parse(.or)
        let predicate = try predicate(of: condition)
        try expect(.closeParenthesis)
        return try node(
            .expression(
                .subquery(expression(of: collection), variable: name, predicate)
            ),
            max(collection.height, condition.height) + 1,
            start
        )
    }

    /// `TERNARY(predicate, a, b)`.
    private mutating func conditional(_ start: Int) throws(FormatFailure) -> Parsed {
        let condition = try parse(.or)
        let predicate = try predicate(of: condition)
        try expect(.comma)
        let first = try parse(.set)
        try expect(.comma)
        let second = try parse(.set)
        try expect(.closeParenthesis)
        return try node(
            .expression(
                .conditional(predicate, expression(of: first), expression(of: second))
            ),
            max(condition.height, first.height, second.height) + 1,
            start
        )
    }
}
