extension FormatParser {
    /// The prefix of an operand (NOT, a quantifier, a sign) with the operand, or the operand alone.
    mutating func prefix() throws(FormatFailure) -> Parsed {
        let start = token.start
        if isSymbol(.minus) { return try negation() }
        if isSymbol(.not) || word == .not {
            try advance()
            let operand = try parseNested(.comparison)
            let predicate = try predicate(of: operand)
            return try node(.predicate(.not(predicate)), operand.height + 1, start)
        }
        switch word {
        case .anyOf, .someOf, .allOf, .noneOf: return try quantified()
        default: return try postfix(primary())
        }
    }

    /// `ANY left op right`; NONE is NOT ANY.
    private mutating func quantified() throws(FormatFailure) -> Parsed {
        let start = token.start
        let quantifier = word
        // NONE is printed as NOT (ANY …).
        if quantifier == .noneOf { nesting += 1 }
        defer { if quantifier == .noneOf { nesting -= 1 } }
        try advance()
        let operand = try parse(.set)
        if case .predicate = operand.content {
            throw FormatFailure(
                operand.start,
                because: "ANY, ALL and NONE take a collection and one comparison; "
                    + "for several conditions use SUBQUERY"
            )
        }
        let parsed = try comparison(operand)
        guard case .predicate(.comparison(var comparison)) = parsed.content else { return parsed }
        comparison.modifier = quantifier == .allOf ? .all : .any
        if quantifier == .noneOf {
            return try node(
                .predicate(.not(.comparison(comparison))),
                parsed.height + 1,
                start
            )
        }
        return try node(.predicate(.comparison(comparison)), parsed.height, start)
    }

    /// `left op[options] right`, where left has been read already.
    mutating func comparison(_ first: Parsed) throws(FormatFailure) -> Parsed {
        guard case .expression(let left) = first.content else {
            throw FormatFailure(token.start, expected: "AND, OR or the end")
        }
        let comparisonOperator = try comparisonOperator()
        let options = try options()
        let second = try parse(.set)
        let right = try expression(of: second)
        let comparison = FetchComparison(left, comparisonOperator, right, options: options)
        return try node(
            .predicate(.comparison(comparison)),
            max(first.height, second.height) + 1,
            first.start
        )
    }

    private mutating func comparisonOperator() throws(FormatFailure) -> FetchComparison.Operator {
        let found: FetchComparison.Operator? =
            switch token.kind {
            case .symbol(.equal): .equal
            case .symbol(.notEqual): .notEqual
            case .symbol(.less): .less
            case .symbol(.lessOrEqual): .lessOrEqual
            case .symbol(.greater): .greater
            case .symbol(.greaterOrEqual): .greaterOrEqual
            case .selector(let name): .custom(name)
            default:
                switch word {
                case .in: .in
                case .between: .between
                case .contains: .contains
                case .beginsWith: .beginsWith
                case .endsWith: .endsWith
                case .like: .like
                case .matches: .matches
                default: nil
                }
            }
        guard let found else {
            throw FormatFailure(token.start, expected: "a comparison operator")
        }
        try advance()
        return found
    }

    /// `[cdnl]` after an operator.
    private mutating func options() throws(FormatFailure) -> FetchComparison.Options {
        guard try take(.openBracket) else { return [] }
        guard case .word(let letters) = token.kind else {
            throw FormatFailure(token.start, expected: "the options c, d, n or l")
        }
        var options: FetchComparison.Options = []
        for letter in letters {
            switch letter {
            case "c", "C": options.insert(.caseInsensitive)
            case "d", "D": options.insert(.diacriticInsensitive)
            case "n", "N": options.insert(.normalized)
            case "l", "L": options.insert(.localeSensitive)
            default: throw FormatFailure(token.start, expected: "the options c, d, n or l")
            }
        }
        try advance()
        try expect(.closeBracket)
        return options
    }

    /// `-1` is a constant; before anything else the sign multiplies by -1.
    private mutating func negation() throws(FormatFailure) -> Parsed {
        let start = token.start
        try advance()
        if case .number(let number) = token.kind {
            let value = value(of: number, isNegative: true)
            try advance()
            return try postfix(node(.expression(.constant(value)), 1, start))
        }
        let operand = try parseNested(.unary)
        let expression = try expression(of: operand)
        return try node(
            .expression(.function("multiply:by:", [.constant(.int(-1)), expression])),
            operand.height + 1,
            start
        )
    }
}
