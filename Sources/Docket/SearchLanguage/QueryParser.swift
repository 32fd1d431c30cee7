/// Reads a search: words, quoted texts and conditions on fields, joined by nothing (all of them),
/// `or`, `-` or `not`, and parentheses.
///
///     due:<7d -is:done (tag:home or tag:work) "exact words"
///
/// From tightest to loosest: `-` and `not`; side by side or `and`; `or`. What is not understood is
/// left out and reported, and the rest is read as if it were not there; so a search can be used at
/// each moment of its being typed.
///
/// - Complexity: O(length), also for texts that nobody would type.
public struct QueryParser {
    /// Deeper parentheses are refused; this bounds the recursion over a tree.
    public static let deepestNesting = 50
    /// More values of conditions are refused: each is a comparison of its own, and a store joins a
    /// thousand at most.
    private static let mostValues = 500

    private var tokens: [QueryToken] = []
    private var problems: [QueryProblem] = []
    private var at = 0

    /// - Parameters:
    ///   - text: the search.
    ///   - vocabulary: the fields that it may name.
    ///   - mostTerms: how many words and conditions it may have.
    /// - Returns: the tree of what is understood, and the problems.
    public static func parse(
        _ text: String,
        _ vocabulary: QueryVocabulary,
        mostTerms: Int
    ) -> ParsedQuery {
        var parser = QueryParser()
        return parser.parse(text, vocabulary, mostTerms)
    }

    private mutating func parse(
        _ text: String,
        _ vocabulary: QueryVocabulary,
        _ mostTerms: Int
    ) -> ParsedQuery {
        var lexer = QueryLexer(text, vocabulary)
        while let token = lexer.next() { tokens.append(token) }
        let all = tokens
        report(vocabulary)
        tokens = kept(mostTerms)
        let expression = disjunction() ?? .everything
        problems.sort { $0.range.lowerBound < $1.range.lowerBound }
        return ParsedQuery(expression: expression, problems: problems, tokens: all)
    }

    // MARK: Tokens that cannot be used

    private mutating func report(_ vocabulary: QueryVocabulary) {
        for token in tokens {
            switch token.kind {
            case .unknownField(let name):
                let advice =
                    vocabulary.nearest(to: name).map { "did you mean \($0)?" }
                    ?? "write it in quotes to search for the text."
                problems.append(
                    QueryProblem(.wrong, token.range, "\"\(name)\" is not a field: \(advice)")
                )
            case .term(let term) where term.values.isEmpty:
                let sentence = "\(term.field): needs a value."
                problems.append(QueryProblem(.incomplete, token.range, sentence))
            default:
                guard token.isUnclosed else { continue }
                let sentence = "The quoted text has no end: write \" after it."
                problems.append(QueryProblem(.incomplete, token.range, sentence))
            }
        }
    }

    /// The tokens without those that cannot be used: terms without a value, parentheses without
    /// their counterpart, and everything beyond the limits.
    private mutating func kept(_ mostTerms: Int) -> [QueryToken] {
        var kept: [QueryToken] = []
        var opened: [Int] = []
        var unopened: Range<Int>?
        var terms = 0
        var values = 0
        for (place, token) in tokens.enumerated() {
            switch token.kind {
            case .open:
                opened.append(place)
                if opened.count > Self.deepestNesting {
                    tooMuch(
                        from: place,
                        "Parentheses may be nested \(Self.deepestNesting) deep, not deeper."
                    )
                    return kept
                }
            case .close:
                if opened.popLast() == nil {
                    unopened = unopened ?? token.range
                    continue
                }
            case .keyword: break
            case .unknownField: continue
            case .text, .term:
                if case .term(let term) = token.kind {
                    if term.values.isEmpty { continue }
                    values += term.values.count
                }
                if case .text("") = token.kind { continue }
                if values > Self.mostValues {
                    let count = tokens.reduce(0) { $0 + $1.valueCount }
                    tooMuch(
                        from: place,
                        "A search takes at most \(Self.mostValues) values, not \(count); leave some"
                            + " out."
                    )
                    return kept
                }
                terms += 1
                if terms > mostTerms {
                    let count = tokens.count { $0.isOperand }
                    tooMuch(
                        from: place,
                        "A search takes at most \(mostTerms) words, not \(count); leave some out."
                    )
                    return kept
                }
            }
            kept.append(token)
        }
        if let unopened {
            problems.append(QueryProblem(.wrong, unopened, "This ) has no ( before it."))
        }
        if let last = opened.last {
            let sentence = "This ( has no ) after it."
            problems.append(QueryProblem(.incomplete, tokens[last].range, sentence))
        }
        return kept
    }

    private mutating func tooMuch(from place: Int, _ sentence: String) {
        let end = tokens[tokens.count - 1].range.upperBound
        let range = tokens[place].range.lowerBound..<end
        problems.append(QueryProblem(.tooMuch, range, sentence))
    }

    // MARK: The tree

    private var token: QueryToken? { at < tokens.count ? tokens[at] : nil }

    private func isAt(_ keyword: QueryKeyword) -> Bool { token?.kind == .keyword(keyword) }

    /// What is between here and the end, or a `)`; `nil` if nothing of it can be used.
    private mutating func disjunction() -> QueryExpression? {
        var parts: [QueryExpression] = []
        var sign: Range<Int>?
        while true {
            let part = conjunction()
            if let part { parts.append(part) }
            if let used = sign, part == nil || parts.count < 2 {
                reportAlone("or", used, hasNext: part != nil)
            }
            guard let token, isAt(.or) else { break }
            sign = token.range
            at += 1
        }
        return parts.isEmpty ? nil : .any(parts)
    }

    private mutating func conjunction() -> QueryExpression? {
        var parts: [QueryExpression] = []
        while let token, token.kind != .close, token.kind != .keyword(.or) {
            if token.kind == .keyword(.and) {
                at += 1
                let isLast = self.token.map { $0.kind == .close || isAt(.or) } ?? true
                if parts.isEmpty || isLast { reportAlone("and", token.range, hasNext: !isLast) }
                continue
            }
            if let part = negation() { parts.append(part) }
        }
        return parts.isEmpty ? nil : .all(parts)
    }

    private mutating func negation() -> QueryExpression? {
        var isNegated = false
        var sign: Range<Int>?
        while let token, isAt(.not) {
            sign = token.range
            isNegated.toggle()
            at += 1
        }
        guard let operand = operand() else {
            if let sign {
                let sentence = "There is nothing after it that it could exclude."
                problems.append(QueryProblem(.incomplete, sign, sentence))
            }
            return nil
        }
        return isNegated ? operand.negated : operand
    }

    private mutating func operand() -> QueryExpression? {
        guard let token else { return nil }
        switch token.kind {
        case .text(let text):
            at += 1
            return .text(QueryText(text, range: token.range))
        case .term(let term):
            at += 1
            return .term(QueryTerm(term.field, term.comparison, term.values, range: token.range))
        case .open:
            at += 1
            let inner = disjunction()
            if self.token?.kind == .close { at += 1 }
            return inner
        case .close, .keyword, .unknownField: return nil
        }
    }

    private mutating func reportAlone(_ word: String, _ range: Range<Int>, hasNext: Bool) {
        let side = hasNext ? "before" : "after"
        let sentence = "There is nothing \(side) \"\(word)\"; write it in quotes to search for it."
        problems.append(QueryProblem(.incomplete, range, sentence))
    }
}

extension QueryToken {
    /// Whether it counts as a word of the search.
    fileprivate var isOperand: Bool {
        switch kind {
        case .text, .term, .unknownField: true
        case .keyword, .open, .close: false
        }
    }

    fileprivate var valueCount: Int {
        if case .term(let term) = kind { term.values.count } else { 0 }
    }
}
