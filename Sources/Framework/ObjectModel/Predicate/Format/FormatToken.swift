/// One piece of a format string.
struct FormatToken {
    enum Kind: Equatable {
        case end
        /// A word that may be a keyword or a key.
        case word(String)
        /// `#word`: a key, even if the word is reserved.
        case escapedKey(String)
        /// Parts with colons: `add:to:`.
        case selector(String)
        /// `$name`.
        case variable(String)
        /// `@count`, without the sign.
        case collectionOperator(String)
        case number(FormatNumber)
        case text(String)
        case placeholder(FormatPlaceholder)
        case symbol(FormatSymbol)
    }

    let kind: Kind
    /// Where it starts and ends, in bytes of the format's UTF-8.
    let start: Int
    let end: Int
}

/// A number without its sign, as written.
enum FormatNumber: Equatable {
    case whole(UInt64)
    /// A whole number of more than 64 bits.
    case large(String)
    case fraction(Double)
}

/// What a placeholder takes.
enum FormatPlaceholder: Equatable {
    /// `%@`: anything.
    case any
    /// `%K`: a key path.
    case key
    /// `%d`, `%ld`, `%u`, `%c` …: a whole number.
    case whole
    /// `%f`, `%g`, `%e`: a floating point number.
    case floating
    /// `%s`: text.
    case text
}

enum FormatSymbol: String {
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."
    case plus = "+"
    case minus = "-"
    case times = "*"
    case power = "**"
    case divide = "/"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case assign = ":="
}

/// The reserved words of the format language; case is ignored.
///
/// Write `#` before a reserved word to use it as a key.
enum FormatWord: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case anyOf = "ANY"
    case someOf = "SOME"
    case allOf = "ALL"
    case noneOf = "NONE"
    case `in` = "IN"
    case between = "BETWEEN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
    case null = "NULL"
    case `nil` = "NIL"
    case `true` = "TRUE"
    case yes = "YES"
    case `false` = "FALSE"
    case no = "NO"
    case `self` = "SELF"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
    case anyKey = "ANYKEY"
    case function = "FUNCTION"
    case cast = "CAST"
    case subquery = "SUBQUERY"
    case ternary = "TERNARY"
    case fetch = "FETCH"
    case caseInsensitive = "CASEINSENSITIVE"
    case ci = "CI"

    private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The longest reserved word; longer text is not a keyword.
    private static let longest = 15

    init?(_ text: String) {
        guard text.utf8.count <= FormatWord.longest, let word = FormatWord.table[text.uppercased()]
        else { return nil }
        self = word
    }
}
