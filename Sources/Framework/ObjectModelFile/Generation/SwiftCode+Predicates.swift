import ObjectModel

extension SwiftCode {
    /// A predicate as the code that builds its tree, so that nothing is parsed at run time.
    ///
    /// - Throws: `ObjectGraphError` for a closure or an object inside.
    static func predicate(_ predicate: FetchPredicate) throws -> SwiftCode {
        switch predicate {
        case .constant(let flag): return .atom(".constant(\(flag))")
        case .and(let parts): return .call(".and", .list(try parts.map(SwiftCode.predicate)))
        case .or(let parts): return .call(".or", .list(try parts.map(SwiftCode.predicate)))
        case .not(let part): return .call(".not", try SwiftCode.predicate(part))
        case .comparison(let comparison): return .call(".comparison", try code(comparison))
        case .block:
            throw ObjectGraphError(
                .unsupported,
                "A closure cannot be written as code.",
                recovery: "Say the condition as a predicate."
            )
        }
    }

    private static func code(_ comparison: FetchComparison) throws -> SwiftCode {
        var arguments: [(label: String, value: SwiftCode)] = [
            ("", try expression(comparison.left)),
            ("", name(of: comparison.operator)),
            ("", try expression(comparison.right)),
        ]
        switch comparison.modifier {
        case .direct: break
        case .any: arguments.append(("modifier: ", .atom(".any")))
        case .all: arguments.append(("modifier: ", .atom(".all")))
        }
        let options = comparison.options
        if !options.isEmpty {
            let names: [(FetchComparison.Options, String)] = [
                (.caseInsensitive, ".caseInsensitive"),
                (.diacriticInsensitive, ".diacriticInsensitive"),
                (.normalized, ".normalized"),
                (.localeSensitive, ".localeSensitive"),
            ]
            let list = names.filter { options.contains($0.0) }.map { SwiftCode.atom($0.1) }
            arguments.append(("options: ", .list(list)))
        }
        return .call(".init", arguments)
    }

    private static func name(of operation: FetchComparison.Operator) -> SwiftCode {
        switch operation {
        case .equal: .atom(".equal")
        case .notEqual: .atom(".notEqual")
        case .less: .atom(".less")
        case .lessOrEqual: .atom(".lessOrEqual")
        case .greater: .atom(".greater")
        case .greaterOrEqual: .atom(".greaterOrEqual")
        case .between: .atom(".between")
        case .in: .atom(".in")
        case .contains: .atom(".contains")
        case .beginsWith: .atom(".beginsWith")
        case .endsWith: .atom(".endsWith")
        case .like: .atom(".like")
        case .matches: .atom(".matches")
        case .custom(let name): .call(".custom", .string(name))
        }
    }

    static func expression(_ expression: FetchExpression) throws -> SwiftCode {
        func list(_ parts: [FetchExpression]) throws -> SwiftCode {
            .list(try parts.map(SwiftCode.expression))
        }
        switch expression {
        case .constant(let value): return .call(".constant", try SwiftCode.value(value))
        case .evaluatedObject: return .atom(".evaluatedObject")
        case .variable(let name): return .call(".variable", .string(name))
        case .keyPath(let path): return .call(".keyPath", .string(path))
        case .keyPathOf(let operand, let path):
            return .call(".keyPathOf", try SwiftCode.expression(operand), .string(path))
        case .subscripted(let operand, let index):
            return .call(".subscripted", try SwiftCode.expression(operand), try code(index))
        case .function(let name, let arguments):
            return .call(".function", .string(name), try list(arguments))
        case .call(let operand, let name, let arguments):
            return .call(
                ".call",
                try SwiftCode.expression(operand),
                .string(name),
                try list(arguments)
            )
        case .aggregate(let parts): return .call(".aggregate", try list(parts))
        case .subquery(let collection, let variable, let predicate):
            return .call(
                ".subquery",
                [
                    ("", try SwiftCode.expression(collection)),
                    ("variable: ", .string(variable)),
                    ("", try SwiftCode.predicate(predicate)),
                ]
            )
        case .union(let left, let right): return try pair(".union", left, right)
        case .intersect(let left, let right): return try pair(".intersect", left, right)
        case .minus(let left, let right): return try pair(".minus", left, right)
        case .conditional(let test, let yes, let no):
            return .call(
                ".conditional",
                try SwiftCode.predicate(test),
                try SwiftCode.expression(yes),
                try SwiftCode.expression(no)
            )
        case .assignment(let name, let value):
            return .call(".assignment", .string(name), try SwiftCode.expression(value))
        case .cast(let value, let type):
            return .call(".cast", try SwiftCode.expression(value), .string(type))
        case .anyKey: return .atom(".anyKey")
        }
    }

    private static func pair(
        _ name: String,
        _ left: FetchExpression,
        _ right: FetchExpression
    ) throws -> SwiftCode {
        .call(name, try expression(left), try expression(right))
    }

    private static func code(_ index: FetchSubscript) throws -> SwiftCode {
        switch index {
        case .index(let operand): .call(".index", try expression(operand))
        case .first: .atom(".first")
        case .last: .atom(".last")
        case .size: .atom(".size")
        }
    }
}
