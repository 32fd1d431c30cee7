import FoundationEssentials
import ObjectModel
import SeededRandom

/// Random predicates in the form that the parser produces.
struct RandomPredicates {
    private var generator: SeededRandom

    init(seed: UInt64) { generator = SeededRandom(seed: seed) }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    mutating func predicate(_ depth: Int = 3) -> FetchPredicate {
        switch below(depth > 0 ? 8 : 5) {
        case 0: return .constant(below(2) == 0)
        case 5: return .and((0...1 + below(3)).map { _ in predicate(depth - 1) })
        case 6: return .or((0...1 + below(3)).map { _ in predicate(depth - 1) })
        case 7: return .not(predicate(depth - 1))
        default:
            return .comparison(
                FetchComparison(
                    expression(depth - 1),
                    pick([
                        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
                        .between, .in, .contains, .beginsWith, .endsWith, .like, .matches,
                        .custom("sounds:like:"),
                    ]),
                    expression(depth - 1),
                    modifier: pick([.direct, .direct, .any, .all]),
                    options: FetchComparison.Options(rawValue: UInt8(below(16)))
                )
            )
        }
    }

    mutating func expression(_ depth: Int) -> FetchExpression {
        switch below(depth > 0 ? 18 : 4) {
        case 0, 1: return .constant(value(2))
        case 2: return pick([.evaluatedObject, .anyKey, .variable("x"), .variable("Ünï_1")])
        case 4:
            return pick([expression(depth - 1), .variable("v")]).appending(keyPath: path())
        case 5:
            return .subscripted(
                expression(depth - 1),
                pick([.first, .last, .size, .index(expression(depth - 1))])
            )
        case 6, 7, 8:
            let names = [
                "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:",
                "modulus:by:", "bitwiseAnd:with:",
            ]
            return .function(pick(names), [expression(depth - 1), expression(depth - 1)])
        case 9: return .function(pick(["sum:", "uppercase:", "abs:"]), [expression(depth - 1)])
        case 10: return .function(pick(["now", "random"]), [])
        case 11: return .call(expression(depth - 1), "f:g:", [expression(depth - 1)])
        case 12: return .list((0..<below(4)).map { _ in expression(depth - 1) })
        case 13:
            return .subquery(expression(depth - 1), variable: "x", predicate(depth - 1))
        case 14:
            let (left, right) = (expression(depth - 1), expression(depth - 1))
            return pick([.union(left, right), .intersect(left, right), .minus(left, right)])
        case 15:
            return .conditional(
                predicate(depth - 1),
                expression(depth - 1),
                expression(depth - 1)
            )
        case 16: return .assignment("v", expression(depth - 1))
        case 17: return .cast(.keyPath(path()), "NSNumber")
        default: return .keyPath(path())
        }
    }

    private mutating func path() -> String {
        let keys = [
            "a", "name", "größe", "_x9", "in", "LIKE", "self", "first", "odd key", "9lives", "",
            "quo\"te", "#", "$x", "@foo", "a-b",
        ]
        var path = (0...below(3)).map { _ in pick(keys) }.joined(separator: ".")
        if below(5) == 0 { path += pick([".@count", ".@sum.a", ".@distinctUnionOfObjects.b.c"]) }
        return path
    }

    mutating func value(_ depth: Int) -> GraphValue {
        switch below(depth > 0 ? 14 : 10) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2: return .int(Int64(below(2_000)) - 1_000)
        case 3: return .int(pick([.min, .max, 0, -1]))
        case 4: return .double(Double(below(1_000_000)) / 997 - 500)
        case 5: return .string(pick(["", "x", "it's", "\"", "\\", "\n\t", "%@", "é", "😀\u{200d}"]))
        case 6: return .date(Date(timeIntervalSinceReferenceDate: Double(below(1 << 40)) / 7))
        case 7: return .decimal(Decimal(below(1_000_000)) / 1_000)
        case 8: return .data(Data((0..<below(9)).map { UInt8($0) }))
        case 9: return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6)))
        case 10, 11: return .array((0..<below(4)).map { _ in value(depth - 1) })
        case 12: return .set(Set((0..<below(4)).map { _ in value(depth - 1) }))
        default:
            return .dictionary(["a": value(depth - 1), "b\"c": value(depth - 1)])
        }
    }
}
