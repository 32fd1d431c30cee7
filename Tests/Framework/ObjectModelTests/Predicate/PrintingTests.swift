import FoundationEssentials
import ObjectModel
import SeededRandom
import Testing

/// The canonical form of predicates.
@Suite struct PrintingTests {
    @Test(arguments: [
        ("a=1", "a == 1"), ("a<>1", "a != 1"), ("a =< 1", "a <= 1"), ("a => 1", "a >= 1"),
        ("name like[dc] 'x'", "name LIKE[cd] \"x\""), ("a == NULL", "a == nil"),
        ("a == yes", "a == TRUE"), ("a == no", "a == FALSE"), ("a == 1.0", "a == 1.0"),
        ("a == 1 and (b == 2 or c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
        ("not (a == 1 and b == 2)", "NOT (a == 1 AND b == 2)"), ("!a == 1", "NOT a == 1"),
        ("NONE a.b == 1", "NOT ANY a.b == 1"), ("some a.b == 1", "ANY a.b == 1"),
        ("a == 'say \"so\"\\n'", "a == \"say \\\"so\\\"\\n\""),
        ("self.a == SELF", "a == SELF"), ("#like == 1", "#like == 1"), ("x.#in == 1", "x.in == 1"),
        ("a in {1,'b',{}}", "a IN {1, \"b\", {}}"), ("a between {b, 3}", "a BETWEEN {b, 3}"),
        ("a+b*c == 1", "a + (b * c) == 1"), ("(a+b)*c == 1", "(a + b) * c == 1"),
        ("-a == -1", "-1 * a == -1"), ("sum:(a.b) == 1", "sum(a.b) == 1"),
        ("modulus:by:(a, 2) == 1", "modulus:by:(a, 2) == 1"), ("now() > a", "now() > a"),
        ("SUBQUERY(a,$x,$x.b==1).@count==0", "SUBQUERY(a, $x, $x.b == 1).@count == 0"),
        ("a[FIRST] == a[0]", "a[FIRST] == a[0]"), ("(a + b).c == 1", "(a + b).c == 1"),
        ("CAST(0.5, 'NSDate') < a", "CAST(0.5, \"NSDate\") < a"),
        ("CAST(a,'NSDate') < b", "CAST(a, \"NSDate\") < b"),
        ("TERNARY(a==1,b,c) == 1", "TERNARY(a == 1, b, c) == 1"),
        ("FUNCTION(a,'f:',1) == 1", "FUNCTION(a, \"f:\", 1) == 1"),
        ("a sounds: 'b'", "a sounds: \"b\""), ("truepredicate", "TRUEPREDICATE"),
        ("a UNION b == c MINUS d", "a UNION b == c MINUS d"),
    ])
    func formatIsCanonical(_ format: String, _ canonical: String) throws {
        let predicate = try FetchPredicate(format: format)
        #expect(predicate.format == canonical)
        #expect(try FetchPredicate(format: canonical) == predicate)
    }

    @Test func valuesWithoutALiteralPrintAsCasts() throws {
        let values: [GraphValue] = [
            .date(Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)), .data(Data([0, 255, 7])),
            .uuid(UUID()), .url(try #require(URL(string: "https://a.b/c?d=e"))),
            .decimal(try #require(Decimal(string: "0.1"))), .set([1, "b", nil]),
            .dictionary(["a": 1, "b": [2, 3]]), .double(.infinity), .double(-.infinity),
            .double(-0.0), .double(.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude),
            .int(.min),
            .string("\0\u{1}\u{7f}\u{85}\u{2028}\u{feff}é\u{301}😀\\\"'%@$x#"), .bool(true),
        ]
        for value in values {
            let expression = FetchExpression.constant(value)
            let again = try FetchExpression(format: expression.format)
            #expect(again == expression, "\(expression.format)")
            guard case .constant(let read) = again else { continue }
            #expect(read.kindName == value.kindName, "\(expression.format)")
        }
    }

    @Test func objectIDsOfOpenedStoresAreReadAgain() throws {
        let space = IDSpace.space(for: UUID(), entityNames: ["", "Task"])
        let id = ManagedObjectID(space: space.number, entity: 1, key: 42)
        let predicate = try FetchPredicate(format: "SELF == %@", id)
        #expect(predicate.format.contains(id.uri))
        #expect(try FetchPredicate(format: predicate.format) == predicate)
    }

    @Test func emptyAndSingleCompoundsPrintWhatTheyMean() {
        let part = FetchPredicate.constant(false)
        #expect(FetchPredicate.and([]).format == "TRUEPREDICATE")
        #expect(FetchPredicate.or([]).format == "FALSEPREDICATE")
        #expect(FetchPredicate.not(.and([.or([part])])).format == "NOT FALSEPREDICATE")
    }

    @Test(arguments: SeededRandom.seeds(4))
    func randomTreesAreReadAgainAsTheyWere(_ seed: UInt64) throws {
        var random = RandomPredicates(seed: seed)
        for _ in 0..<500 {
            let predicate = random.predicate()
            let format = predicate.format
            let again = try FetchPredicate(format: format)
            #expect(again == predicate, "seed \(seed): \(format)")
            #expect(again.format == format, "seed \(seed)")
        }
    }
}
