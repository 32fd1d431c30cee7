extension FetchPredicate {
    /// The predicate in canonical form.
    ///
    /// Parsing it gives an equal predicate, for every tree that a format or the typed builders can
    /// produce. Blocks, plain objects, and object IDs of stores that have not been opened have no
    /// text form. A compound of one part prints as that part, an empty one as `TRUEPREDICATE` (AND)
    /// or `FALSEPREDICATE` (OR).
    ///
    /// The form is Core Data's: `==`, upper-case operators, text in double quotes, `nil`, dates
    /// as `CAST(seconds, "NSDate")`. Booleans print as `TRUE` and `FALSE`; other values without a
    /// literal of their own print as casts too.
    public var format: String {
        var writer = FormatWriter()
        writer.write(self)
        return writer.text
    }
}

extension FetchPredicate {
    /// The predicate with question marks for its constants.
    ///
    /// Logs use it, because they must not hold private values.
    package var formatWithoutValues: String {
        var writer = FormatWriter()
        writer.hidesValues = true
        writer.write(self)
        return writer.text
    }
}

extension FetchPredicate: CustomStringConvertible {
    public var description: String { format }
}

extension FetchExpression {
    /// The expression in canonical form; see ``FetchPredicate/format``.
    public var format: String {
        var writer = FormatWriter()
        writer.write(self)
        return writer.text
    }
}

extension FetchExpression: CustomStringConvertible {
    public var description: String { format }
}

struct FormatWriter {
    private(set) var text = ""
    /// Whether constants are written as question marks.
    var hidesValues = false

    mutating func write(_ predicate: FetchPredicate) {
        switch predicate {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let parts): write(parts, " AND ", ifEmpty: true)
        case .or(let parts): write(parts, " OR ", ifEmpty: false)
        case .not(let part):
            text += "NOT "
            writePart(part)
        case .comparison(let comparison): write(comparison)
        case .block: text += "BLOCKPREDICATE"
        }
    }

    private mutating func write(
        _ parts: [FetchPredicate],
        _ conjunction: String,
        ifEmpty value: Bool
    ) {
        if parts.isEmpty { return write(.constant(value)) }
        if parts.count == 1 { return write(parts[0]) }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += conjunction }
            writePart(part)
        }
    }

    /// A predicate inside another: compounds in parentheses.
    private mutating func writePart(_ part: FetchPredicate) {
        switch part {
        case .and(let parts), .or(let parts):
            if parts.count == 1 { return writePart(parts[0]) }
            let isCompound = parts.count > 1
            if isCompound { text += "(" }
            write(part)
            if isCompound { text += ")" }
        default: write(part)
        }
    }

    private mutating func write(_ comparison: FetchComparison) {
        switch comparison.modifier {
        case .direct: break
        case .any: text += "ANY "
        case .all: text += "ALL "
        }
        write(comparison.left)
        text += " " + comparison.operator.format
        if !comparison.options.isEmpty {
            text += "["
            if comparison.options.contains(.caseInsensitive) { text += "c" }
            if comparison.options.contains(.diacriticInsensitive) { text += "d" }
            if comparison.options.contains(.normalized) { text += "n" }
            if comparison.options.contains(.localeSensitive) { text += "l" }
            text += "]"
        }
        text += " "
        write(comparison.right)
    }

    mutating func append(_ more: String) {
        text += more
    }
}

extension FetchComparison.Operator {
    /// How the operator is written; a custom one as its name, which ends in a colon.
    var format: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .between: "BETWEEN"
        case .in: "IN"
        case .contains: "CONTAINS"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        case .matches: "MATCHES"
        case .custom(let name): name.hasSuffix(":") ? name : name + ":"
        }
    }
}
