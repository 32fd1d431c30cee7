import FoundationEssentials
import ObjectModel
import Testing

/// Formats that are refused, and what the error says.
@Suite struct ParserErrorTests {
    private func failure(
        _ format: String,
        _ arguments: [GraphValue] = []
    ) -> ObjectGraphError? {
        do {
            _ = try FetchPredicate(format: format, argumentArray: arguments)
            return nil
        } catch {
            return error as? ObjectGraphError
        }
    }

    @Test(arguments: [
        "", " ", "age", "age * 25", "age === 25", ",", "()", "? = 'x'", "a == ", "== a",
        "a == 1 AND", "a == 1 OR OR b == 2", "AND", "NOT", "(a == 1", "a == 1)", "a == b == c",
        "a == 'x", "a == \"x", "a == {1, 2", "a == {1 2}", "a IN [1]", "a ==[x] 1", "a ==[] 1",
        "a ==[c 1", "a.", ".a == 1", "a..b == 1", "a == $", "a == #", "a == @foo", "a == %y",
        "a == %", "a & b", "a | b", "a := 1", "like like 'x'", "in == 1", "first == 1",
        "ANY a", "ANY (a == 1)", "SUBQUERY(a, x, x == 1).@count > 0", "SUBQUERY(a, $x).@count > 0",
        "SUBQUERY(a, $x, $x).@count > 0", "SUBQUERY(a, $x, $x.b == 1).@sum > 0", "@sum > 1",
        "CAST(a) == 1", "CAST(a, 'NSNothing') == 1", "CAST('x', 'NSUUID') == a",
        "TERNARY(a, 1, 2) == 1", "TERNARY(a == 1, 1) == 1", "FUNCTION(a) == 1", "FETCH(a, 1) == 1",
        "nosuch(a) == 1", "sqrt(1, 2) == 1", "now(1) == 1", "a == 1 // note", "a == '\\u12'",
        "a == '\\ud800'", "TRUEPREDICATE == 1", "a == TRUEPREDICATE", "a[1 == 1",
        "1..0 = 1", "0x == 1", "a == 1 b == 2", "\0 == 1",
    ])
    func refusedWithAnErrorThatNamesFormatAndPlace(_ format: String) throws {
        let error = try #require(failure(format), "accepted: \(format)")
        #expect(error.code == .invalidFormat)
        #expect(error.message.hasPrefix("Unable to parse the format string"))
        #expect(error.message.contains("at character "))
    }

    @Test(arguments: [
        ("age", "at character 4, expected a comparison operator, found the end."),
        ("äöü ==", "at character 7, expected an operand, found the end."),
        ("a == 1 b", "at character 8, expected AND, OR or the end, found \"b\"."),
        ("like = 1", "at character 1, expected an operand; \"like\" is a reserved word"),
        ("a = %@", "at character 5, there is no argument left for the placeholder."),
        (
            "nosuch(1) = 1",
            "at character 1, the function \"nosuch\" with 1 argument does not exist"
        ),
    ])
    func messageSaysWhereAndWhat(_ format: String, _ part: String) throws {
        let error = try #require(failure(format))
        #expect(error.message.contains(part), "\(error.message)")
    }

    @Test func argumentsOfTheWrongKindAreRefused() {
        #expect(failure("%K == 1", [1]) != nil)
        #expect(failure("a == %d", ["x"]) != nil)
        #expect(failure("a == %s", [1]) != nil)
        #expect(failure("a == %d", [FetchPredicate.constant(true).operandValue]) != nil)
        #expect(failure("a == %@", [FetchPredicate.constant(true).operandValue]) != nil)
        #expect(failure("%@", [true]) != nil)
    }

    @Test func longFormatsAreCutInTheMessage() throws {
        let error = try #require(failure(String(repeating: "a", count: 100_000)))
        #expect(error.message.utf8.count < 400)
    }

    @Test(arguments: [
        ("(", ")"), ("{", "}"), ("NOT ", ""), ("!", ""), ("-", ""), ("a[", "]"), ("sum(", ")"),
        ("TERNARY(a == 1, ", ", 1)"), ("CAST(", ", 'NSDate')"), ("$x := ", ""), ("ANY ", ""),
        ("SUBQUERY(", ", $x, $x == 1)"),
    ])
    func deepNestingIsAnErrorNotAnOverflow(_ open: String, _ close: String) throws {
        let depth = 10_000
        let format =
            String(repeating: open, count: depth) + "a" + String(repeating: close, count: depth)
            + " == 1"
        try onSmallStack {
            let error = try #require(failure(format))
            #expect(error.code == .invalidFormat)
        }
    }

    @Test(arguments: ["-", "NOT ", "!", "- ", "1 - -"], [" == 1", ""])
    func deepestFormatIsPrintedAsOneThatCanBeRead(_ open: String, _ close: String) throws {
        for depth in 1...101 {
            let format = String(repeating: open, count: depth) + "a" + close
            if let predicate = try? FetchPredicate(format: format) {
                #expect(try FetchPredicate(format: predicate.format) == predicate, "\(depth)")
            }
            if let expression = try? FetchExpression(format: format) {
                #expect(try FetchExpression(format: expression.format) == expression, "\(depth)")
            }
        }
    }

    @Test(arguments: [" + 1", " - a", " ** 2", "[0]", " UNION b", "[0].x"])
    func longChainsAreAnErrorNotAnOverflow(_ link: String) throws {
        let format = "a" + String(repeating: link, count: 50_000) + " == 1"
        try onSmallStack {
            let error = try #require(failure(format))
            #expect(error.code == .invalidFormat)
        }
    }

    /// What the limits allow has to work on the stack that threads get.
    @Test func greatestTreesWorkOnASmallStack() throws {
        let nested =
            String(repeating: "(", count: 97) + "a == 1" + String(repeating: ")", count: 97)
        let high = "a" + String(repeating: " + a", count: 490) + " == 491"
        try onSmallStack {
            for format in [nested, high] {
                let predicate = try FetchPredicate(format: format)
                #expect(try predicate.evaluate(with: ["a": 1]))
                let again = try FetchPredicate(format: predicate.format)
                #expect(again == predicate)
                #expect(again.hashValue == predicate.hashValue)
            }
        }
    }

    /// It takes minutes if each key copies the path before it.
    @Test func veryLongKeyPathIsReadAndPrinted() throws {
        let path = String(repeating: "a.", count: 500_000) + "a"
        let predicate = try FetchPredicate(format: path + " == 1")
        #expect(predicate.format == path + " == 1")
    }

    @Test func longListsAreNoDeepTrees() throws {
        let parts = (0..<20_000).map { "a == \($0)" }
        let predicate = try FetchPredicate(format: parts.joined(separator: " OR "))
        #expect(try predicate.evaluate(with: ["a": 19_999]))
        #expect(try !predicate.evaluate(with: ["a": 20_000]))
    }
}
