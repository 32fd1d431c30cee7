extension FormatWriter {
    mutating func write(_ expression: FetchExpression) {
        switch expression {
        case .constant(let value): write(value)
        case .evaluatedObject: append("SELF")
        case .variable(let name): append("$" + name)
        case .keyPath(let path): write(path: path, isStart: true)
        case .keyPathOf(let operand, let path):
            write(base: operand)
            append(".")
            write(path: path, isStart: false)
        case .subscripted(let operand, let position):
            write(base: operand)
            append("[")
            write(position)
            append("]")
        case .function(let name, let arguments): write(function: name, arguments)
        case .call(let operand, let selector, let arguments):
            append("FUNCTION(")
            write(list: [operand, .constant(.string(selector))] + arguments)
            append(")")
        case .aggregate(let elements):
            append("{")
            write(list: elements)
            append("}")
        case .subquery(let collection, let variable, let predicate):
            append("SUBQUERY(")
            write(collection)
            append(", $" + variable + ", ")
            write(predicate)
            append(")")
        case .union(let left, let right): write(left, "UNION", right)
        case .intersect(let left, let right): write(left, "INTERSECT", right)
        case .minus(let left, let right): write(left, "MINUS", right)
        case .conditional(let predicate, let first, let second):
            append("TERNARY(")
            write(predicate)
            append(", ")
            write(list: [first, second])
            append(")")
        case .assignment(let name, let operand):
            append("$" + name + " := ")
            write(operand)
        case .cast(let operand, let type): write(cast: operand, type)
        case .anyKey: append("ANYKEY")
        }
    }

    private mutating func write(list: [FetchExpression]) {
        for (index, expression) in list.enumerated() {
            if index > 0 { append(", ") }
            write(expression)
        }
    }

    private mutating func write(_ left: FetchExpression, _ sign: String, _ right: FetchExpression) {
        if left.isLongChain(under: sign) {
            write(left)
        } else {
            writeOperand(left)
        }
        append(" " + sign + " ")
        writeOperand(right)
    }

    /// An expression inside another: in parentheses if it has an operator.
    private mutating func writeOperand(_ expression: FetchExpression) {
        guard expression.needsParentheses else { return write(expression) }
        append("(")
        write(expression)
        append(")")
    }

    /// An expression before a point or a bracket.
    ///
    /// Numbers need parentheses too, or the point would belong to the number.
    private mutating func write(base expression: FetchExpression) {
        guard case .constant(let value) = expression, value.isNumber else {
            return writeOperand(expression)
        }
        append("(")
        write(value)
        append(")")
    }

    private mutating func write(_ position: FetchSubscript) {
        switch position {
        case .index(let index): write(index)
        case .first: append("FIRST")
        case .last: append("LAST")
        case .size: append("SIZE")
        }
    }

    private mutating func write(function name: String, _ arguments: [FetchExpression]) {
        if arguments.count == 2, let sign = FetchExpression.signs[name] {
            return write(arguments[0], sign, arguments[1])
        }
        // The only colon at the end of a built-in function's name may be left out.
        let isShort =
            BuiltInFunction(name: name).map { $0.arity == 1 } ?? false
        append(isShort && name.hasSuffix(":") ? String(name.dropLast()) : name)
        append("(")
        write(list: arguments)
        append(")")
    }

    private mutating func write(cast operand: FetchExpression, _ type: String) {
        append("CAST(")
        write(operand)
        append(", ")
        write(quoted: type)
        append(")")
    }

    // MARK: Key paths

    private mutating func write(path: String, isStart: Bool) {
        var isFirst = isStart
        for (index, key) in path.split(separator: ".", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { append(".") }
            write(key: String(key), isFirst: isFirst)
            isFirst = false
        }
    }

    private mutating func write(key: String, isFirst: Bool) {
        if CollectionOperator(key: key) != nil { return append(key) }
        if !key.isPlainKey {
            append("#")
            return write(quoted: key)
        }
        // After a point every word is a key.
        if isFirst, FormatWord(key) != nil { append("#") }
        append(key)
    }
}

extension FetchExpression {
    /// The functions that are written as operators, with their signs.
    fileprivate static let signs = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
        "raise:toPower:": "**",
    ]

    private var operands: (left: FetchExpression, sign: String)? {
        switch self {
        case .union(let left, _): (left, "UNION")
        case .intersect(let left, _): (left, "INTERSECT")
        case .minus(let left, _): (left, "MINUS")
        case .function(let name, let arguments) where arguments.count == 2:
            FetchExpression.signs[name].map { (arguments[0], $0) }
        default: nil
        }
    }

    private static func strength(_ sign: String) -> Int {
        switch sign {
        case "+", "-": 1
        case "*", "/": 2
        case "**": 3
        default: 0
        }
    }

    /// Whether this left operand is a chain of operators so long that its parentheses would exceed
    /// the parser's nesting limit.
    ///
    /// Without parentheses it means the same, if it binds as tightly.
    fileprivate func isLongChain(under sign: String) -> Bool {
        guard let first = operands, Self.strength(first.sign) >= Self.strength(sign) else {
            return false
        }
        var length = 0
        var expression = self
        while let (left, _) = expression.operands {
            length += 1
            if length > 40 { return true }
            expression = left
        }
        return false
    }

    fileprivate var needsParentheses: Bool {
        switch self {
        case .union, .intersect, .minus, .assignment: true
        case .function(let name, let arguments):
            arguments.count == 2 && FetchExpression.signs[name] != nil
        default: false
        }
    }
}

extension String {
    /// Whether the text needs no quotes as a key: letters, digits, underscores, not a digit first.
    fileprivate var isPlainKey: Bool {
        var lexer = FormatLexer(self)
        guard !isEmpty, !lexer.isDigit(at: 0) else { return false }
        return lexer.takeName().utf8.count == utf8.count
    }
}
