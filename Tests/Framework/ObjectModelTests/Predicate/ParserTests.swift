import FoundationEssentials
import ObjectModel
import Testing

/// What each construct of the grammar becomes.
@Suite struct ParserTests {
    private func tree(
        _ format: String,
        _ arguments: (any FetchOperand)?...
    ) throws
        -> FetchPredicate
    {
        try FetchPredicate(
            format: format,
            argumentArray: arguments.map { $0?.operandValue ?? .null }
        )
    }

    private func expression(_ format: String) throws -> FetchExpression {
        try FetchExpression(format: format)
    }

    private static func compare(
        _ key: String,
        _ comparison: FetchComparison.Operator,
        _ value: GraphValue,
        _ modifier: FetchComparison.Modifier = .direct,
        _ options: FetchComparison.Options = []
    ) -> FetchPredicate {
        .comparison(
            FetchComparison(
                .keyPath(key),
                comparison,
                .constant(value),
                modifier: modifier,
                options: options
            )
        )
    }

    @Test func chainsBecomeOneCompoundAndParenthesesStay() throws {
        let a = Self.compare("a", .equal, 1)
        let b = Self.compare("b", .equal, 2)
        let c = Self.compare("c", .equal, 3)
        #expect(try tree("a = 1 AND b == 2 && c = 3") == .and([a, b, c]))
        #expect(try tree("(a = 1 AND b = 2) AND c = 3") == .and([.and([a, b]), c]))
        #expect(try tree("a = 1 OR b = 2 AND c = 3") == .or([a, .and([b, c])]))
        #expect(try tree("NOT a = 1 AND b = 2") == .and([.not(a), b]))
        #expect(try tree("not(a = 1 and b = 2)") == .not(.and([a, b])))
        #expect(try tree("!!a = 1") == .not(.not(a)))
    }

    @Test func quantifiersBecomeModifiers() throws {
        #expect(try tree("ANY a.b > 1") == Self.compare("a.b", .greater, 1, .any))
        #expect(try tree("some a.b > 1") == Self.compare("a.b", .greater, 1, .any))
        #expect(try tree("ALL a.b > 1") == Self.compare("a.b", .greater, 1, .all))
        #expect(try tree("NONE a.b > 1") == .not(Self.compare("a.b", .greater, 1, .any)))
    }

    @Test(arguments: [
        ("=", FetchComparison.Operator.equal), ("==", .equal), ("!=", .notEqual),
        ("<>", .notEqual), ("<", .less), ("<=", .lessOrEqual), ("=<", .lessOrEqual),
        (">", .greater), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
        ("BETWEEN", .between), ("in", .in), ("Contains", .contains),
        ("BEGINSWITH", .beginsWith), ("ENDSWITH", .endsWith), ("LIKE", .like),
        ("MATCHES", .matches), ("sounds:like:", .custom("sounds:like:")),
    ])
    func everyOperatorIsRead(_ text: String, _ comparison: FetchComparison.Operator) throws {
        #expect(try tree("a \(text) 1") == Self.compare("a", comparison, 1))
        #expect(
            try tree("a \(text)[cDnL] 1")
                == Self.compare(
                    "a",
                    comparison,
                    1,
                    .direct,
                    [.caseInsensitive, .diacriticInsensitive, .normalized, .localeSensitive]
                )
        )
    }

    @Test func operatorsBindAsTheGrammarSays() throws {
        #expect(try expression("1 + 2 * 3") == expression("1 + (2 * 3)"))
        #expect(try expression("2 * a ** 2") == expression("2 * (a ** 2)"))
        #expect(try expression("a - b - c") == expression("(a - b) - c"))
        #expect(try expression("-a ** 2") == expression("(-1 * a) ** 2"))
        #expect(try expression("a UNION b + c") == expression("a UNION (b + c)"))
        #expect(try expression("-5") == .constant(-5))
        #expect(
            try expression("-a") == .function("multiply:by:", [.constant(-1), .keyPath("a")])
        )
        #expect(
            try expression("$x := 1 + 2")
                == .assignment("x", .function("add:to:", [.constant(1), .constant(2)]))
        )
    }

    @Test func numbersAreRead() throws {
        let numbers: [(String, GraphValue)] = [
            ("10", 10), ("007", 7), ("10.", 10.0), (".5", 0.5), ("1.5e3", 1500.0),
            ("2e-2", 0.02), ("0xFf", 255), ("0X10", 16), ("0o17", 15), ("0b101", 5),
            ("-9223372036854775808", .int(.min)), ("9223372036854775807", .int(.max)),
        ]
        for (text, value) in numbers {
            guard case .constant(let read) = try expression(text) else {
                Issue.record("\(text) is not a constant")
                continue
            }
            #expect(read == value, "\(text)")
            #expect(read.kindName == value.kindName, "\(text)")
        }
    }

    @Test func numbersBeyond64BitsAreDecimals() throws {
        let huge = try #require(Decimal(string: "9223372036854775808"))
        #expect(try expression("9223372036854775808") == .constant(.decimal(huge)))
        #expect(try expression("-9223372036854775809") == .constant(.decimal(-huge - 1)))
    }

    @Test(arguments: [
        (#"'it\'s'"#, "it's"), (#""say \"so\"""#, "say \"so\""), (#"'a\\b'"#, #"a\b"#),
        (#"'\n\t\r\b\f\/'"#, "\n\t\r\u{8}\u{c}/"), (#"'\u00e9'"#, "é"),
        (#"'\ud83d\ude00'"#, "😀"), (#"'\*\?\d'"#, #"\*\?\d"#), (#"'%@ $x'"#, "%@ $x"),
        ("\"\"", ""),
    ])
    func textIsReadWithItsEscapes(_ format: String, _ text: String) throws {
        #expect(try expression(format) == .constant(.string(text)))
    }

    @Test func keyPathsAreOneString() throws {
        #expect(try expression("a.b.c") == .keyPath("a.b.c"))
        #expect(try expression("SELF.a.b") == .keyPath("a.b"))
        #expect(try expression("self") == .evaluatedObject)
        #expect(try expression("a . b") == .keyPath("a.b"))
        #expect(try expression("#in.first") == .keyPath("in.first"))
        #expect(try expression("items.@sum.price") == .keyPath("items.@sum.price"))
        #expect(try expression("@count") == .keyPath("@count"))
        #expect(try expression("$x.name.first") == .keyPathOf(.variable("x"), "name.first"))
        #expect(try expression("größe.ñ") == .keyPath("größe.ñ"))
        #expect(try expression("articles.words.@sum") == .keyPath("articles.words.@sum"))
        #expect(try expression(##"#"odd key".#'2'"##) == .keyPath("odd key.2"))
    }

    @Test func constantListsAreConstants() throws {
        #expect(try expression("{1, 'a', nil}") == .constant([1, "a", nil]))
        #expect(try expression("{}") == .constant([]))
        #expect(try expression("{1, a}") == .aggregate([.constant(1), .keyPath("a")]))
        #expect(
            try tree("a IN {1, 2}")
                == FetchPredicate(format: "a IN %@", argumentArray: [[1, 2]])
        )
    }

    @Test func elementsAreSubscripts() throws {
        #expect(try expression("a[0]") == .subscripted(.keyPath("a"), .index(.constant(0))))
        #expect(try expression("a[first]") == .subscripted(.keyPath("a"), .first))
        #expect(try expression("a[LAST]") == .subscripted(.keyPath("a"), .last))
        #expect(try expression("a[SIZE].x") == .keyPathOf(.subscripted(.keyPath("a"), .size), "x"))
        #expect(
            try expression("objectFrom:withIndex:(a, SIZE)")
                == .subscripted(.keyPath("a"), .size)
        )
    }

    @Test func functionsAreFoundWithAndWithoutTheLastColon() throws {
        let sum = FetchExpression.function("sum:", [.keyPath("a")])
        #expect(try expression("sum(a)") == sum)
        #expect(try expression("sum:(a)") == sum)
        #expect(
            try expression("modulus:by(7, 2)")
                == .function("modulus:by:", [.constant(7), .constant(2)])
        )
        #expect(try expression("now()") == .function("now", []))
        #expect(
            try expression("FUNCTION(a, 'x:y:', 1)")
                == .call(.keyPath("a"), "x:y:", [.constant(1)])
        )
    }

    @Test func specialFormsAreRead() throws {
        let inner = Self.compare("a", .equal, 1)
        #expect(
            try expression("SUBQUERY(items, $x, $x.n > 1).@count")
                == .keyPathOf(
                    .subquery(
                        .keyPath("items"),
                        variable: "x",
                        .comparison(
                            FetchComparison(
                                .keyPathOf(.variable("x"), "n"),
                                .greater,
                                .constant(1)
                            )
                        )
                    ),
                    "@count"
                )
        )
        #expect(
            try expression("TERNARY(a == 1, b, 2)")
                == .conditional(inner, .keyPath("b"), .constant(2))
        )
        #expect(try expression("CAST(a, 'NSDate')") == .cast(.keyPath("a"), "NSDate"))
        #expect(
            try expression("CAST(60.5, 'NSDate')")
                == .constant(.date(Date(timeIntervalSinceReferenceDate: 60.5)))
        )
        #expect(try tree("truePredicate") == .constant(true))
        #expect(try tree("FALSEPREDICATE") == .constant(false))
    }

    @Test func placeholdersTakeTheirArguments() throws {
        #expect(try tree("%K == %@", "a.b", "x") == Self.compare("a.b", .equal, "x"))
        #expect(try tree("a == %@", nil) == Self.compare("a", .equal, .null))
        #expect(try tree("a == %d", 3.9) == Self.compare("a", .equal, 3))
        #expect(try tree("a == %ld", 3) == Self.compare("a", .equal, 3))
        #expect(try tree("a == %f", 3) == Self.compare("a", .equal, 3.0))
        #expect(try tree("a == %s", "x") == Self.compare("a", .equal, "x"))
        #expect(try tree("x.%K > 1", "a.b") == Self.compare("x.a.b", .greater, 1))
        #expect(try tree("a == %@", "x", "left over") == Self.compare("a", .equal, "x"))
        #expect(
            try tree("%@ AND b = 2", Self.compare("a", .equal, 1))
                == .and([Self.compare("a", .equal, 1), Self.compare("b", .equal, 2)])
        )
        #expect(
            try tree("%@ = 1", FetchExpression.keyPath("a")) == Self.compare("a", .equal, 1)
        )
        #expect(try FetchExpression(format: "%K", "self") == .evaluatedObject)
        #expect(
            try FetchExpression(format: "%K", "$x.y") == .keyPathOf(.variable("x"), "y")
        )
    }

    @Test func anyWhiteSpaceSeparates() throws {
        let plain = try tree("a == 1 AND b == 2")
        #expect(try tree("\n\ta\u{b}==\u{c}1\r\nAND\u{a0}b\u{2003}==\u{3000}2\u{2028}") == plain)
        #expect(try tree("a==1&&b==2") == plain)
    }
}
