import FoundationEssentials
import ObjectModel
import Testing

/// The rules of comparison, one test each.
@Suite struct EvaluationTests {
    private func holds(
        _ format: String,
        _ object: GraphValue = nil,
        _ arguments: GraphValue...
    ) throws
        -> Bool
    {
        try FetchPredicate(format: format, argumentArray: arguments).evaluate(with: object)
    }

    private func fails(_ format: String, _ object: GraphValue = nil) -> Bool {
        do {
            _ = try holds(format, object)
            return false
        } catch {
            return (error as? ObjectGraphError)?.code == .cannotEvaluate
        }
    }

    private func expect(_ holding: [String], _ failing: [String], _ object: GraphValue = nil) throws
    {
        for format in holding { #expect(try holds(format, object), "\(format)") }
        for format in failing { #expect(try !holds(format, object), "\(format)") }
    }

    @Test func nilEqualsOnlyNilAndHasNoOrder() throws {
        try expect(
            ["a == nil", "a != 1", "NOT a == 1", "a <= nil", "a >= nil", "nil == a", "a IN {nil}"],
            [
                "a == 1", "a != nil", "a < 1", "a > 1", "a <= 1", "a >= 1", "a < nil", "a > nil",
                "a == ''", "a LIKE '*'", "a CONTAINS 'x'", "a BEGINSWITH 'x'", "a ENDSWITH 'x'",
                "a MATCHES '.*'", "'x' LIKE a", "'x' CONTAINS a", "'x' MATCHES a", "a IN {1, 2}",
                "a IN 'text'", "1 IN a", "a BETWEEN {0, 1}", "a CONTAINS 1", "a == FALSE", "a == 0",
            ],
            ["b": 1]
        )
    }

    @Test func kindsThatDifferAreUnequalAndHaveNoOrder() throws {
        try expect(["a != '42'", "NOT a == '42'"], ["a == '42'", "a IN {'42'}"], ["a": 42])
        #expect(fails("a < '42'", ["a": 42]))
        #expect(fails("a <= 42", ["a": "42"]))
        #expect(fails("a BETWEEN {1, 50}", ["a": "42"]))
        #expect(fails("a > 1", ["a": [1]]))
    }

    @Test func numbersCompareByValue() throws {
        try expect(
            [
                "a == 1", "a == 1.0", "a == TRUE", "a < 1.5", "a IN {1.0, 7}",
                "a == CAST('1', 'NSDecimalNumber')",
            ],
            ["a == FALSE", "a > TRUE"],
            ["a": 1]
        )
        try expect(
            ["a < 9007199254740993", "a != 9007199254740993"],
            [],
            ["a": 9007199254740992.0]
        )
        try expect([], ["a == a", "a < 1", "a > 1", "a >= 1", "a <= 1"], ["a": .double(.nan)])
    }

    @Test func textComparesLiterallyWithoutOptions() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let row: GraphValue = ["a": .string(composed)]
        #expect(try holds("a == %@", row, .string(composed)))
        #expect(try !holds("a == %@", row, .string(decomposed)))
        #expect(try !holds("a IN %@", row, .array([.string(decomposed), "1", "2", "3", "4", "5"])))
        for options in ["[n]", "[c]", "[d]", "[cd]"] {
            #expect(try holds("a ==\(options) %@", row, .string(decomposed)))
            #expect(
                try holds(
                    "a IN\(options) %@",
                    row,
                    .array([.string(decomposed), "1", "2", "3", "4"])
                )
            )
        }
    }

    @Test func optionsIgnoreCaseAndDiacritics() throws {
        try expect(
            [
                "a ==[cd] 'STRASSE cafe'", "a BEGINSWITH[c] 'STRASSE'", "a ENDSWITH[d] 'Cafe'",
                "a CONTAINS[cd] 'SE CA'", "a LIKE[cd] 'str*CAF?'", "a IN[cd] {'x', 'STRASSE CAFE'}",
                "a MATCHES[cd] 'straße cafe'", "'CAFÉ' IN[c] a", "a !=[c] 'other'",
                "a <=[cd] 'straße cafe'", "{'STRASSE CAFÉ'} CONTAINS[c] a",
                "a BETWEEN[c] {'STR', 'STZ'}",
            ],
            [
                "a == 'STRASSE CAFE'", "a ==[c] 'STRASSE CAFE'", "a ==[d] 'STRASSE CAFE'",
                "a CONTAINS 'CAFÉ'", "a <[cd] 'straße cafe'", "a !=[cd] 'STRASSE CAFE'",
                "a ==[c] 5",
            ],
            ["a": "Straße Café"]
        )
    }

    @Test func emptyTextIsContainedInNothing() throws {
        try expect(
            ["a LIKE '*'", "b LIKE '*'", "b LIKE ''", "b == ''", "b MATCHES ''"],
            [
                "a CONTAINS ''", "a BEGINSWITH ''", "a ENDSWITH ''", "a CONTAINS[cd] ''",
                "'' IN a", "b CONTAINS ''", "a LIKE ''", "b LIKE '?'",
            ],
            ["a": "x", "b": ""]
        )
    }

    @Test func likeIsForTheWholeText() throws {
        try expect(
            [
                "a LIKE 'a?c*'", "a LIKE '*e'", "a LIKE 'abcde'", "a LIKE '*b*d*'",
                "b LIKE 'a\\*b\\?'",
            ],
            ["a LIKE 'bcd'", "a LIKE 'ab'", "a LIKE '?'", "a LIKE 'A*'", "b LIKE 'a\\?b\\*'"],
            ["a": "abcde", "b": "a*b?"]
        )
    }

    @Test func matchesIsARegularExpressionForTheWholeText() throws {
        try expect(
            [
                "a MATCHES '[a-z]+-\\d{3}'", "a MATCHES '(?=.*7).*'", "a MATCHES[c] 'ABC-.*'",
                "a MATCHES 'abc-(\\d)(?!8).*'", "a MATCHES '\\p{L}+-\\p{N}+'",
            ],
            ["a MATCHES 'abc'", "a MATCHES 'ABC-.*'", "a MATCHES '.*(?!7)x'"],
            ["a": "abc-127"]
        )
        #expect(fails("a MATCHES '('", ["a": "x"]))
        #expect(try !holds("a == 'y' AND a MATCHES '('", ["a": "x"]))
    }

    @Test func textOperatorsRefuseOtherKinds() {
        for comparison in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"] {
            #expect(fails("a \(comparison) 'x'", ["a": 5]))
            #expect(fails("a \(comparison) 5", ["a": "x"]))
        }
        #expect(fails("a IN 5", ["a": 5]))
        #expect(fails("5 IN a", ["a": "x5"]))
    }

    @Test func betweenIncludesItsTwoBounds() throws {
        try expect(
            ["a BETWEEN {1, 5}", "a BETWEEN {5, 9}", "a BETWEEN {b, 9}", "a BETWEEN $r"],
            ["a BETWEEN {6, 9}", "a BETWEEN {9, 1}"],
            ["a": 5, "b": 5],
            bindings: ["r": [5, 5]]
        )
        for right in ["{}", "{1}", "{1, 2, 3}", "5"] {
            #expect(fails("a BETWEEN \(right)", ["a": 2]))
        }
    }

    private func expect(
        _ holding: [String],
        _ failing: [String],
        _ object: GraphValue,
        bindings: [String: GraphValue]
    ) throws {
        for (formats, expected) in [(holding, true), (failing, false)] {
            for format in formats {
                let predicate = try FetchPredicate(format: format)
                #expect(
                    try predicate.evaluate(with: object, bindings: bindings) == expected,
                    "\(format)"
                )
            }
        }
    }

    @Test func membershipIsTheSameInAllCollections() throws {
        let members: [GraphValue] = [1, "a", nil, 2.5, ["x"], .bool(false)]
        for collection in [
            GraphValue.array(members), .set(Set(members)),
            .dictionary(["p": 1, "q": "a", "r": nil, "s": 2.5, "t": ["x"], "u": false]),
        ] {
            for member in [1, 1.0, "a", nil, 2.5, ["x"], 0] as [GraphValue] {
                #expect(try holds("a IN %@", ["a": member], collection))
                #expect(try holds("%@ CONTAINS a", ["a": member], collection))
            }
            for other in ["A", 3, ["y"], ""] as [GraphValue] {
                #expect(try !holds("a IN %@", ["a": other], collection))
                #expect(try !holds("%@ CONTAINS a", ["a": other], collection))
            }
        }
        #expect(try !holds("1 IN a", ["a": nil]))
        #expect(try holds("'b' IN 'abc'"))
    }

    @Test func quantifiersOverNothing() throws {
        for nothing in [GraphValue.array([]), .set([]), .null] {
            try expect(
                ["ALL a.x == 1", "NONE a.x == 1"],
                ["ANY a.x == 1", "SOME a.x != 1"],
                ["a": nothing]
            )
        }
    }

    @Test func quantifiersOverMembers() throws {
        let rows: GraphValue = ["a": [["x": 1], ["x": 2], ["x": nil]], "n": 2, "s": 5]
        try expect(
            [
                "ANY a.x == 1", "ANY a.x == nil", "ANY a.x == n", "ALL a.x != 3", "NONE a.x > 2",
                "ANY a.x IN {2, 9}", "ANY a.x BETWEEN {2, 3}", "ANY {1, 2} == 2", "ALL {1, 2} > 0",
            ],
            ["ANY a.x == 3", "ALL a.x == 1", "NONE a.x == 1", "ALL a.x > 0"],
            rows
        )
        #expect(fails("ANY s == 5", rows))
        #expect(fails("ALL s == 5", rows))
    }

    @Test func quantifiersFlattenWhatLiesBehindSeveralCollections() throws {
        let rows: GraphValue = [
            "a": [["b": [["x": 1], ["x": 2]]], ["b": []], ["b": .set([["x": 3]])]]
        ]
        try expect(
            [
                "ANY a.b.x == 3", "ALL a.b.x > 0", "NONE a.b.x == 4", "sum(a.b.x) == 6",
                "count(a.b) == 3", "SUBQUERY(a.b, $i, $i.x > 1).@count == 2",
            ],
            ["ANY a.b.x == 4"],
            rows
        )
    }

    @Test func unboundVariablesAreAnError() throws {
        #expect(fails("a == $x", ["a": 1]))
        let template = try FetchPredicate(format: "a == $x AND b == $y")
        let half = template.withSubstitutionVariables(["x": 1])
        #expect(half.format == "a == 1 AND b == $y")
        #expect(try half.evaluate(with: ["a": 1, "b": 2], bindings: ["y": 2]))
        let other = template.withSubstitutionVariables(["x": .keyPath("c")])
        #expect(other.format == "a == c AND b == $y")
    }

    @Test func subqueryHasItsOwnVariableAndSeesTheObjectOutside() throws {
        let row: GraphValue = ["items": [["n": 1], ["n": 5], ["n": 9]], "limit": 4]
        try expect(
            [
                "SUBQUERY(items, $x, $x.n > limit).@count == 2",
                "SUBQUERY(items, $x, $x.n > 1 AND $x.n < 9).n == {5}",
                "SUBQUERY(items, $x, $x.n > SELF.limit)[FIRST].n == 5",
                "SUBQUERY(missing, $x, $x.n > 1).@count == 0",
            ],
            [],
            row
        )
        let predicate = try FetchPredicate(format: "SUBQUERY(items, $x, $x.n == $y).@count == $x")
        #expect(
            try predicate.withSubstitutionVariables(["x": 1, "y": 5]).evaluate(with: row)
        )
        #expect(try predicate.evaluate(with: row, bindings: ["x": 1, "y": 5]))
        #expect(fails("SUBQUERY(limit, $x, $x == 1).@count == 1", row))
    }

    @Test func compoundsStopEarly() throws {
        try expect(["b == 1 OR a < 'x'"], ["b == 2 AND a < 'x'"], ["a": 1, "b": 1])
        #expect(FetchPredicate.and([]).format == "TRUEPREDICATE")
        #expect(try FetchPredicate.and([]).evaluate(with: GraphValue.null))
        #expect(try !FetchPredicate.or([]).evaluate(with: GraphValue.null))
    }

    @Test func blocksAndRegisteredComparisonsAreCalled() throws {
        let block = FetchPredicate.block(FetchBlock { object, bindings in object == bindings["x"] })
        #expect(try block.evaluate(with: 5, bindings: ["x": 5]))
        #expect(try !block.evaluate(with: 6, bindings: ["x": 5]))
        FetchFunctions.registerComparison("hasLength:") { left, right in
            guard case .string(let text) = left else { return false }
            return .int(Int64(text.count)) == right
        }
        try expect(["a hasLength: 3"], ["a hasLength: 4"], ["a": "abc"])
        #expect(fails("a noSuchComparison: 3", ["a": "abc"]))
    }

    @Test func datesCompareAndCalculate() throws {
        let day = Date(timeIntervalSinceReferenceDate: 86_400)
        let row: GraphValue = ["d": .date(day)]
        try expect(
            [
                "d == CAST(86400, 'NSDate')", "d < CAST('2001-01-02T00:00:01Z', 'NSDate')",
                "d == CAST('2001-01-02', 'NSDate')", "d + 60 > d", "60 + d > d", "d - 60 < d",
                "d - CAST(0, 'NSDate') == 86400", "CAST(d, 'NSNumber') == 86400", "d < now()",
                "d BETWEEN {CAST(0, 'NSDate'), CAST(1e9, 'NSDate')}",
            ],
            ["d > now()"],
            row
        )
        #expect(fails("d < 5", row))
        #expect(fails("d * 2 == 1", row))
    }
}
