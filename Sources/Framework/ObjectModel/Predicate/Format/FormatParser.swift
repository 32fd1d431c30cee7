/// Reads a predicate or an expression from a format string.
///
/// One precedence climber reads both, because `(` may open either: it parses an operand first, and
/// the operator after it decides what the operand must be. Nothing is read twice, so the time is
/// linear. From loosest to tightest:
///
///     OR · AND · NOT · comparison · UNION INTERSECT MINUS · + - · * / · ** · unary - · . []
struct FormatParser {
    /// A parsed expression or predicate, and the height of its tree.
    struct Parsed {
        enum Content {
            case expression(FetchExpression)
            case predicate(FetchPredicate)
        }

        var content: Content
        var height: Int
        /// Where it starts, for messages.
        var start: Int
    }

    enum Level: Int {
        case or
        case and
        case not
        case comparison
        case set
        case sum
        case product
        case power
        case unary

        var tighter: Level { Level(rawValue: rawValue + 1) ?? .unary }
    }

    /// The deepest nesting of parentheses and calls; it keeps the parser's recursion within 100 KB
    /// of stack (1.3 MB without optimisation).
    static let deepestNesting = 100

    /// The greatest height of a tree; it keeps the recursion of evaluation, printing and release
    /// within the same bounds.
    static let greatestHeight = 500

    private var lexer: FormatLexer
    private(set) var token: FormatToken
    private var arguments: ArraySlice<GraphValue>
    var nesting = 0

    init(_ format: String, _ arguments: [GraphValue]) throws(FormatFailure) {
        lexer = FormatLexer(format)
        token = try lexer.next()
        self.arguments = arguments[...]
    }

    // MARK: Results

    mutating func predicate() throws(FormatFailure) -> FetchPredicate {
        let parsed = try parse(.or)
        let predicate = try self.predicate(of: parsed)
        try expectEnd("AND, OR or the end")
        return predicate
    }

    mutating func expression() throws(FormatFailure) -> FetchExpression {
        let parsed = try parse(.set)
        let expression = try self.expression(of: parsed)
        try expectEnd("an operator or the end")
        return expression
    }

    private func expectEnd(_ expected: String) throws(FormatFailure) {
        if token.kind != .end { throw FormatFailure(token.start, expected: expected) }
    }

    func predicate(of parsed: Parsed) throws(FormatFailure) -> FetchPredicate {
        if case .predicate(let predicate) = parsed.content { return predicate }
        throw FormatFailure(token.start, expected: "a comparison operator")
    }

    func expression(of parsed: Parsed) throws(FormatFailure) -> FetchExpression {
        if case .expression(let expression) = parsed.content { return expression }
        throw FormatFailure(parsed.start, because: "expected an expression, not a predicate")
    }

    // MARK: Tokens

    mutating func advance() throws(FormatFailure) {
        token = try lexer.next()
    }

    func isSymbol(_ symbol: FormatSymbol) -> Bool {
        token.kind == .symbol(symbol)
    }

    var word: FormatWord? {
        if case .word(let text) = token.kind { FormatWord(text) } else { nil }
    }

    mutating func take(_ symbol: FormatSymbol) throws(FormatFailure) -> Bool {
        guard isSymbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: FormatSymbol, _ expected: String? = nil) throws(FormatFailure) {
        guard try take(symbol) else {
            throw FormatFailure(token.start, expected: expected ?? "\"\(symbol.rawValue)\"")
        }
    }

    /// The argument of the placeholder that was just read.
    mutating func nextArgument(_ start: Int) throws(FormatFailure) -> GraphValue {
        guard let argument = arguments.popFirst() else {
            throw FormatFailure(start, because: "there is no argument left for the placeholder")
        }
        return argument
    }

    // MARK: Climbing

    mutating func parse(_ level: Level) throws(FormatFailure) -> Parsed {
        nesting += 1
        defer { nesting -= 1 }
        if nesting > Self.deepestNesting {
            throw FormatFailure(
                token.start,
                because: "the format is nested more than \(Self.deepestNesting) levels deep"
            )
        }
        var left = try prefix()
        while let binding = infixLevel, binding.rawValue >= level.rawValue {
            switch binding {
            case .or, .and: left = try compound(left, binding)
            case .comparison: left = try comparison(left)
            default: left = try operation(left, binding)
            }
        }
        return left
    }

    /// Parses an operand that is printed in parentheses: what can be read must be printed as something
    /// that can be read.
    mutating func parseNested(_ level: Level) throws(FormatFailure) -> Parsed {
        nesting += 1
        defer { nesting -= 1 }
        return try parse(level)
    }

    /// How tightly the next operator binds; `nil` if there is none.
    private var infixLevel: Level? {
        switch token.kind {
        case .symbol(let symbol):
            switch symbol {
            case .or: .or
            case .and: .and
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .comparison
            case .plus, .minus: .sum
            case .times, .divide: .product
            case .power: .power
            default: nil
            }
        case .word(let text):
            switch FormatWord(text) {
            case .or: .or
            case .and: .and
            case .in, .between, .contains, .beginsWith, .endsWith, .like, .matches: .comparison
            case .union, .intersect, .minus: .set
            default: nil
            }
        case .selector: .comparison
        default: nil
        }
    }

    /// `a AND b AND c` is one compound of three; parentheses keep their own.
    private mutating func compound(
        _ first: Parsed,
        _ level: Level
    ) throws(FormatFailure) -> Parsed {
        var parts = [try predicate(of: first)]
        var height = first.height
        repeat {
            try advance()
            let part = try parse(level.tighter)
            parts.append(try predicate(of: part))
            height = max(height, part.height)
        } while infixLevel == level
        return try node(
            .predicate(level == .or ? .or(parts) : .and(parts)),
            height + 1,
            first.start
        )
    }

    private mutating func operation(
        _ first: Parsed,
        _ level: Level
    ) throws(FormatFailure) -> Parsed {
        let left = try expression(of: first)
        let kind = token.kind
        let word = word
        try advance()
        let second = try parse(level.tighter)
        let right = try expression(of: second)
        let expression: FetchExpression =
            switch kind {
            case .symbol(.plus): .function("add:to:", [left, right])
            case .symbol(.minus): .function("from:subtract:", [left, right])
            case .symbol(.times): .function("multiply:by:", [left, right])
            case .symbol(.divide): .function("divide:by:", [left, right])
            case .symbol(.power): .function("raise:toPower:", [left, right])
            default:
                switch word {
                case .union: .union(left, right)
                case .intersect: .intersect(left, right)
                default: .minus(left, right)
                }
            }
        return try node(
            .expression(expression),
            max(first.height, second.height) + 1,
            first.start
        )
    }

    func node(
        _ content: Parsed.Content,
        _ height: Int,
        _ start: Int
    ) throws(FormatFailure) -> Parsed {
        if height > Self.greatestHeight {
            throw FormatFailure(
                start,
                because: "the format is a tree more than \(Self.greatestHeight) levels high"
            )
        }
        return Parsed(content: content, height: height, start: start)
    }
}
