import SeededRandom
import Testing

@testable import SearchLanguage

@Suite struct QueryParserTests {
    static let vocabulary = QueryVocabulary([
        "due": "due", "tag": "tag", "tags": "tag", "is": "is", "priority": "priority",
        "pri": "priority", "list": "list", "title": "title", "created": "created",
    ])

    static func parse(_ text: String, mostTerms: Int = 100) -> ParsedQuery {
        QueryParser.parse(text, vocabulary, mostTerms: mostTerms)
    }

    private func printed(_ text: String) -> String { Self.parse(text).expression.description }

    @Test(arguments: [
        ("milk bread", "milk bread"),
        ("due:<7d tag:home -is:done", "due:<7d tag:home -is:done"),
        (#""exact words" milk"#, #""exact words" milk"#),
        (#""milk""#, "milk"),
        ("a or b c", "a or b c"),
        ("(a or b) c", "(a or b) c"),
        ("a (b c)", "a b c"),
        ("not a", "-a"),
        ("-(a or b)", "-(a or b)"),
        ("-(a b)", "-(a b)"),
        ("--a", "a"),
        ("A AND b OR c", "A b or c"),
        ("PRI>=2", "priority:>=2"),
        ("priority>=medium", "priority:>=medium"),
        ("tags:home,work", "tag:home,work"),
        (#"due:"next friday""#, #"due:"next friday""#),
        (#"title:~^re.*d$"#, "title:~^re.*d$"),
        (#"tag:"a b",c"#, #"tag:"a b",c"#),
        ("list:Work/…", "list:Work/…"),
        ("f(x) (y)", #""f(x)" y"#),
        (
            "https://example.org 12:30 c++ - -> 5\"",
            ##""https://example.org" "12:30" c++ "-" "->" "5\"""##
        ),
        ("", ""),
        ("()", ""),
    ])
    func aSearchIsPrintedInItsUsualForm(_ text: String, _ usual: String) {
        #expect(printed(text) == usual)
        #expect(Self.parse(text).problems.isEmpty)
        #expect(Self.parse(usual).expression == Self.parse(text).expression)
    }

    @Test(arguments: [
        ("milk due:", "milk", "due:", "due: needs a value."),
        ("milk (bread", "milk bread", "(", "This ( has no ) after it."),
        ("milk) bread", "milk bread", ")", "This ) has no ( before it."),
        (
            "milk or", "milk", "or",
            #"There is nothing after "or"; write it in quotes to search for it."#
        ),
        (
            "or milk", "milk", "or",
            #"There is nothing before "or"; write it in quotes to search for it."#
        ),
        (
            "milk and", "milk", "and",
            #"There is nothing after "and"; write it in quotes to search for it."#
        ),
        ("milk not", "milk", "not", "There is nothing after it that it could exclude."),
        (#"milk "bre"#, "milk bre", #""bre"#, #"The quoted text has no end: write " after it."#),
        ("duu:today milk", "milk", "duu:today", #""duu" is not a field: did you mean due?"#),
        (
            "color:red milk", "milk", "color:red",
            #""color" is not a field: write it in quotes to search for the text."#
        ),
    ])
    func whatIsNotUnderstoodIsPointedOutAndTheRestStays(
        _ text: String,
        _ rest: String,
        _ marked: String,
        _ sentence: String
    ) throws {
        let parsed = Self.parse(text)
        #expect(parsed.expression.description == rest)
        let problem = try #require(parsed.problems.first)
        #expect(parsed.problems.count == 1)
        #expect(problem.sentence == sentence)
        #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == marked)
    }

    @Test func partsKnowWhereTheyWereWritten() throws {
        let text = "ä due:<7d,\"eom\" x"
        let term = try #require(Self.parse(text).expression.terms.first)
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes[term.range], as: UTF8.self) == "due:<7d,\"eom\"")
        #expect(
            term.values.map { String(decoding: bytes[$0.range], as: UTF8.self) } == [
                "7d", "\"eom\"",
            ]
        )
    }

    // MARK: Very much

    @Test(arguments: ["(", "-", "(-", "not ", ")", "a or (", "\"", "\\", "due:", "((a) "])
    func tenThousandOfAnythingAreReadWithinTheLimits(_ part: String) {
        let text = String(repeating: part, count: 10_000)
        let parsed = Self.parse(text)
        #expect(parsed.expression.size <= 200)
        #expect(Self.parse(parsed.expression.description).expression == parsed.expression)
    }

    @Test func deepParenthesesAreRefusedWithASentence() throws {
        let text =
            String(repeating: "(", count: 10_000) + "a" + String(repeating: ")", count: 10_000)
        let problem = try #require(Self.parse(text).problems.first)
        #expect(problem.kind == .tooMuch)
        #expect(problem.sentence == "Parentheses may be nested 50 deep, not deeper.")
        let fine = String(repeating: "(", count: 50) + "a" + String(repeating: ")", count: 50)
        #expect(Self.parse(fine).problems.isEmpty)
    }

    @Test func twentyThousandWordsAreRefusedWithASentence() throws {
        let words = (1...20_000).map { "w\($0)" }.joined(separator: " ")
        let parsed = Self.parse(words)
        #expect(
            parsed.problems.map(\.sentence) == [
                "A search takes at most 100 words, not 20000; leave some out."
            ]
        )
        #expect(parsed.expression.description.split(separator: " ").count == 100)
    }

    @Test func tenThousandValuesAreRefusedWithASentence() {
        let few = "tag:" + (1...300).map { "w\($0)" }.joined(separator: ",")
        let many = "tag:" + (1...10_000).map { "w\($0)" }.joined(separator: ",")
        #expect(Self.parse("a \(few)").problems.isEmpty)
        for (text, count) in [("a \(many) b", 10_000), ("a \(few) or \(few)", 600)] {
            let parsed = Self.parse(text)
            #expect(
                parsed.problems.map(\.sentence).contains(
                    "A search takes at most 500 values, not \(count); leave some out."
                )
            )
            #expect(parsed.expression.terms.count < 2)
        }
    }

    /// Time would vary; the steps do not: twice the text has twice the tokens and the same problems.
    @Test func aLongTextIsReadOnce() {
        let once = Self.parse(String(repeating: "(a or -b) due:<7d ", count: 5_000))
        let twice = Self.parse(String(repeating: "(a or -b) due:<7d ", count: 10_000))
        #expect(twice.tokens.count == 2 * once.tokens.count)
        #expect(twice.problems.count == once.problems.count)
    }

    // MARK: Random searches

    @Test(arguments: SeededRandom.seeds(40))
    func aPrintedTreeIsReadAsTheSameTree(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let tree = RandomQuery.tree(&random)
            let parsed = Self.parse("\(tree)", mostTerms: 1000)
            #expect(parsed.expression == tree, "\(tree)")
            #expect(parsed.problems.isEmpty, "\(tree)")
        }
    }

    @Test(arguments: SeededRandom.seeds(40))
    func anyTextIsReadAndItsProblemsAreInside(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let text = RandomQuery.text(&random)
            let parsed = Self.parse(text)
            let count = text.utf8.count
            for problem in parsed.problems {
                #expect(problem.range.lowerBound >= 0 && problem.range.upperBound <= count)
                #expect(!problem.range.isEmpty && !problem.sentence.isEmpty)
            }
            let again = Self.parse("\(parsed.expression)")
            #expect(again.expression == parsed.expression, "\(text)")
            #expect(again.problems.isEmpty, "\(text)")
        }
    }
}

enum RandomQuery {
    private static let words = [
        "milk", "Ämter", "or", "AND", "not", "-", "-x", "a b", "\"", "\\", "f(x)", ")", "(", "due:",
        "x:y", "é ", " ", "a\\\"b", "~", "<", "1..2", ",", "a,b", "=x", "!=", "\u{a0}", "🦊", "--",
    ]

    static func tree(_ random: inout SeededRandom, depth: Int = 0) -> QueryExpression {
        switch random.below(depth > 4 ? 3 : 7) {
        case 0, 1: return .text(QueryText(random.pick(words)))
        case 2:
            let values = (0...random.below(3)).map { _ in QueryText(random.pick(words)) }
            return .term(
                QueryTerm(
                    random.pick(["due", "tag", "is", "title"]),
                    random.pick(QueryComparison.allCases),
                    values
                )
            )
        case 3: return tree(&random, depth: depth + 1).negated
        case 4, 5:
            return .all((0...random.below(3)).map { _ in tree(&random, depth: depth + 1) })
        default:
            return .any((0...random.below(3)).map { _ in tree(&random, depth: depth + 1) })
        }
    }

    /// Pieces of searches, in an order that nobody would type.
    static func text(_ random: inout SeededRandom) -> String {
        let pieces =
            words + [
                "due:<", "tag:\"", "is:done", ":", "priority>=2", "-(", " ", " ", "title:~[a", "\n",
                "\u{0}", "\u{301}",
            ]
        return (0..<random.below(20)).map { _ in random.pick(pieces) }.joined()
    }
}

extension QueryExpression {
    /// The number of nodes.
    fileprivate var size: Int {
        switch self {
        case .everything, .text, .term: 1
        case .not(let inner): 1 + inner.size
        case .and(let parts), .or(let parts): 1 + parts.reduce(0) { $0 + $1.size }
        }
    }
}
