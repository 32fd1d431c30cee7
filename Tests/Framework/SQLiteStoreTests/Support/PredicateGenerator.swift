import Foundation
import ObjectModel
import SeededRandom

/// Random predicates on items and values, mostly sensible, sometimes of mixed types.
struct PredicateGenerator {
    enum Kind: CaseIterable {
        case number
        case decimal
        case text
        case date
        case uuid
        case data
        case uri
        case object
    }

    var random: SeededRandom
    let isItem: Bool
    /// Objects to compare with, by what they are.
    let lists: [ManagedObjectID]
    let tags: [ManagedObjectID]
    let items: [ManagedObjectID]

    mutating func predicate(_ depth: Int = 3) -> FetchPredicate {
        if depth > 0 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return .and((0..<2).map { _ in predicate(depth - 1) })
            case 1: return .or((0..<2).map { _ in predicate(depth - 1) })
            case 2: return .not(predicate(depth - 1))
            default: break
            }
        }
        if isItem {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return quantified()
            case 1: return collection()
            default: break
            }
        }
        return single()
    }

    // MARK: Single values

    private mutating func single() -> FetchPredicate {
        let kinds: [Kind] =
            isItem ? [.number, .text, .text, .date, .object] : Kind.allCases.dropLast()
        let kind = random.pick(kinds)
        let left = random.chance(10) ? constant(kind) : operand(kind)
        let other = random.chance(12) ? random.pick(kinds) : kind
        return .comparison(comparison(left, kind, other))
    }

    private mutating func comparison(
        _ left: FetchExpression,
        _ kind: Kind,
        _ other: Kind,
        modifier: FetchComparison.Modifier = .direct
    ) -> FetchComparison {
        var operators: [FetchComparison.Operator] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between,
        ]
        if kind == .text {
            operators += [.contains, .beginsWith, .endsWith, .like, .contains, .in, .matches]
        }
        if kind == .object { operators = [.equal, .notEqual, .in] }
        let chosen = random.pick(operators)
        let options = FetchComparison.Options(
            rawValue: kind == .text ? random.pick([0, 0, 1, 2, 3, 4, 8, 11]) : 0
        )
        let right: FetchExpression
        switch chosen {
        case .in:
            if kind == .text, random.chance(4) {
                right = random.chance(2) ? operand(.text) : constant(.text)
            } else if random.chance(6) {
                right = .aggregate([operand(other), constant(other)])
            } else {
                let count = Int.random(in: 0..<6, using: &random)
                right = .constant(.array((0..<count).map { _ in value(other) }))
            }
        case .between:
            right =
                random.chance(4)
                ? .aggregate([operand(other), constant(other)])
                : .constant(.array([value(other), value(other)]))
        case .like:
            right = .constant(.string(random.pick(["*", "a*", "?", "*b*", "\\*", "x\\*y\\?", ""])))
        case .matches:
            right = .constant(
                .string(random.pick([".*", "a.*", "[0-9]+", ".", "", "(?i)STRA.*", "[^a]*"]))
            )
        default: right = random.chance(3) ? operand(other) : constant(other)
        }
        return FetchComparison(left, chosen, right, modifier: modifier, options: options)
    }

    mutating func operand(_ kind: Kind) -> FetchExpression {
        if kind == .number, random.chance(4) {
            let names = [
                "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:",
                "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
            ]
            return .function(random.pick(names), [operand(.number), constant(.number)])
        }
        if kind == .number, random.chance(8) {
            return .conditional(single(), operand(.number), constant(.number))
        }
        if kind == .date, random.chance(6) {
            return .function("add:to:", [path(.date), .constant(.int(43200))])
        }
        if kind == .number, random.chance(8) {
            return .function("from:subtract:", [path(.date), path(.date)])
        }
        if kind == .number, random.chance(8) {
            let names = ["abs:", "sqrt:", "ceiling:", "floor:", "trunc:", "onesComplement:"]
            return .function(random.pick(names), [path(.number)])
        }
        if kind == .text, random.chance(6) {
            let names = ["uppercase:", "lowercase:", "canonical:", "noindex:"]
            return .function(random.pick(names), [path(.text)])
        }
        if kind == .decimal, random.chance(5) {
            let names = ["add:to:", "multiply:by:", "from:subtract:"]
            return .function(random.pick(names), [path(.decimal), constant(.decimal)])
        }
        return path(kind)
    }

    private mutating func path(_ kind: Kind) -> FetchExpression {
        let paths: [String]
        if isItem {
            switch kind {
            case .number:
                paths = [
                    "rank", "done", "size", "parent.rank", "parent.parent.size", "tags.@count",
                    "list.items.@count", "list.items.@sum.rank", "title.length", "notes.length",
                    "list.items.@max.rank", "backlinks.@min.rank", "list.cover.rank",
                    "parent.steps.@count", "steps.@count", "steps.@sum.rank",
                ]
            case .text:
                paths = [
                    "title", "notes", "body", "list.name", "parent.title", "parent.list.name",
                    "entity", "list.entity", "backlinks.@min.title",
                ]
            case .date: paths = ["created", "parent.created", "backlinks.@max.created"]
            default: paths = ["list", "parent", "parent.list", "self", "objectID", "list.cover"]
            }
        } else {
            switch kind {
            case .number: paths = ["short", "medium", "long", "double", "float", "flag"]
            case .decimal: paths = ["decimal"]
            case .text: paths = ["string"]
            case .date: paths = ["date"]
            case .uuid: paths = ["uuid"]
            case .data: paths = ["data"]
            default: paths = ["uri"]
            }
        }
        let chosen = random.pick(paths)
        return chosen == "self" ? .evaluatedObject : .keyPath(chosen)
    }

    private mutating func constant(_ kind: Kind) -> FetchExpression { .constant(value(kind)) }

    private mutating func value(_ kind: Kind) -> GraphValue {
        if random.chance(8) { return .null }
        switch kind {
        case .number:
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return .double(random.pick([0, 0.5, 1, 2.5, -2.25, 0.1]))
            case 1: return .bool(random.chance(2))
            case 2: return .decimal(Decimal(string: random.pick(["0.1", "1", "2.5"])) ?? 0)
            default: return .int(random.pick(SampleData.numbers))
            }
        case .decimal:
            if random.chance(3) { return .int(random.pick(SampleData.numbers)) }
            return .decimal(Decimal(string: random.pick(SampleData.decimals)) ?? 0)
        case .text: return .string(random.pick(SampleData.texts + ["Task", "Note", "List"]))
        case .date: return .date(SampleData.dates(Int.random(in: 0..<6, using: &random)))
        case .uuid: return .uuid(random.pick(SampleData.uuids))
        case .data: return .data(Data(random.pick([[], [0], [1, 2], [7]])))
        case .uri: return URL(string: random.pick(["a:b", "c:d"])).map { .url($0) } ?? .null
        case .object: return .objectID(random.pick(lists + tags + items))
        }
    }

    // MARK: Collections

    private mutating func quantified() -> FetchPredicate {
        let (path, kind) = member()
        let predicate = FetchPredicate.comparison(
            comparison(.keyPath(path), kind, kind, modifier: random.pick([.any, .any, .all]))
        )
        // NONE is the opposite of ANY.
        return random.chance(5) ? .not(predicate) : predicate
    }

    private mutating func member() -> (String, Kind) {
        random.pick([
            ("steps", .object), ("list.pinned", .object), ("list.pinned.title", .text),
            ("tags.shelves", .object), ("parent.backlinks.title", .text), ("tags.name", .text),
            ("tags", .object), ("backlinks.rank", .number),
            ("links.list.name", .text), ("list.items.title", .text), ("steps.rank", .number),
            ("tags.friends.name", .text), ("parent.steps.done", .number),
            ("list.pinned.created", .date), ("tags.items.list", .object),
            ("backlinks.size", .number),
        ])
    }

    private mutating func collection() -> FetchPredicate {
        switch Int.random(in: 0..<6, using: &random) {
        case 4:
            // Ordered: the first, the last, one by its place.
            let position = random.pick([
                FetchSubscript.first, .last, .size, .index(.constant(.int(1))),
            ])
            let steps = FetchExpression.subscripted(.keyPath("steps"), position)
            if case .size = position {
                return .comparison(comparison(steps, .number, .number))
            }
            return .comparison(comparison(.keyPathOf(steps, "title"), .text, .text))
        case 5:
            let sets = [FetchExpression.keyPath("tags"), .keyPath("parent.tags")]
            let both: FetchExpression =
                switch random.below(3) {
                case 0: .union(sets[0], sets[1])
                case 1: .intersect(sets[0], sets[1])
                default: .minus(sets[0], sets[1])
                }
            return .comparison(comparison(.keyPathOf(both, "@count"), .number, .number))
        case 0:
            let (path, kind) = member()
            return .comparison(
                FetchComparison(.keyPath(path), .contains, constant(kind), options: options(kind))
            )
        case 1:
            let (path, kind) = member()
            return .comparison(
                FetchComparison(operand(kind), .in, .keyPath(path), options: options(kind))
            )
        case 2:
            let inner = FetchPredicate.comparison(
                comparison(.keyPathOf(.variable("x"), "name"), .text, .text)
            )
            return .comparison(
                FetchComparison(
                    .keyPathOf(.subquery(.keyPath("tags"), variable: "x", inner), "@count"),
                    random.pick([.greater, .equal, .lessOrEqual]),
                    .constant(.int(Int64.random(in: 0..<3, using: &random)))
                )
            )
        default:
            let name = random.pick(["sum:", "count:", "max:", "min:", "average:"])
            let path = random.pick(["backlinks.rank", "list.items.rank", "tags.items.rank"])
            return .comparison(
                comparison(.function(name, [.keyPath(path)]), .number, .number)
            )
        }
    }

    private mutating func options(_ kind: Kind) -> FetchComparison.Options {
        FetchComparison.Options(rawValue: kind == .text ? random.pick([0, 1, 3]) : 0)
    }
}
