/// BEGINSWITH, ENDSWITH and LIKE.
final class TextMatcher: Matcher {
    private let comparison: FetchComparison.Operator
    /// `nil` if the right side is `nil` or, for BEGINSWITH and ENDSWITH, empty: then nothing
    /// matches.
    private let pattern: FoldedPattern?
    private let rightKind: String?

    init(
        _ comparison: FetchComparison.Operator,
        _ right: GraphValue,
        _ options: FetchComparison.Options
    ) {
        self.comparison = comparison
        switch right {
        case .string(let text):
            let matchesNothing = text.isEmpty && comparison != .like
            pattern = matchesNothing ? nil : FoldedPattern(text, options: options)
            rightKind = nil
        case .null:
            pattern = nil
            rightKind = nil
        default:
            pattern = nil
            rightKind = right.kindName
        }
    }

    override func matches(_ left: GraphValue) throws -> Bool {
        if let rightKind { throw TextMatcher.notText(rightKind) }
        switch left {
        case .string(let text):
            guard let pattern else { return false }
            return switch comparison {
            case .beginsWith: pattern.isPrefix(of: text)
            case .endsWith: pattern.isSuffix(of: text)
            default: pattern.isLike(text)
            }
        case .null: return false
        default: throw TextMatcher.notText(left.kindName)
        }
    }

    static func notText(_ kind: String) -> ObjectGraphError {
        ObjectGraphError(.cannotEvaluate, "A text comparison needs text, not a \(kind).")
    }
}

/// CONTAINS: text in text, or a member in a collection.
final class ContainsMatcher: Matcher {
    private let right: GraphValue
    private let options: FetchComparison.Options
    private let pattern: FoldedPattern?

    init(_ right: GraphValue, _ options: FetchComparison.Options) {
        self.right = right
        self.options = options
        if case .string(let text) = right, !text.isEmpty {
            pattern = FoldedPattern(text, options: options)
        } else {
            pattern = nil
        }
    }

    override func matches(_ left: GraphValue) throws -> Bool {
        switch left {
        case .null: return false
        case .string(let text):
            switch right {
            case .string: return pattern?.isContained(in: text) ?? false
            case .null: return false
            default: throw TextMatcher.notText(right.kindName)
            }
        case .array(let members): return members.contains(where: isRight)
        case .set(let members):
            if options.isEmpty, !right.isText { return members.contains(right) }
            return members.contains(where: isRight)
        case .dictionary(let members): return members.values.contains(where: isRight)
        default:
            throw ObjectGraphError(
                .cannotEvaluate,
                "CONTAINS needs a collection or text on its left side, not \(left.kindWithArticle)."
            )
        }
    }

    private func isRight(_ member: GraphValue) -> Bool {
        if !options.isEmpty, case .string(let text) = member, case .string = right {
            return pattern?.isEqual(to: text) ?? text.isEmpty
        }
        return Comparing.areEqual(member, right)
    }
}

/// IN with text on the right: whether the left side is part of it.
final class SubstringMatcher: Matcher {
    private let text: String
    private let options: FetchComparison.Options

    init(of text: String, _ options: FetchComparison.Options) {
        self.text = text
        self.options = options
    }

    override func matches(_ left: GraphValue) throws -> Bool {
        switch left {
        case .null: return false
        case .string(let part):
            if part.isEmpty { return false }
            return FoldedPattern(part, options: options).isContained(in: text)
        default: throw TextMatcher.notText(left.kindName)
        }
    }
}

/// IN with a collection on the right; `nil` can be one of its members.
final class MembershipMatcher: Matcher {
    private let members: [GraphValue]
    private let options: FetchComparison.Options
    /// Everything but text.
    private var values: Set<GraphValue> = []
    /// The texts, folded if options ask for it.
    private var texts: Set<String> = []
    private let isPrepared: Bool

    /// Up to this number of members a linear search is as fast as hashing.
    private static let fewMembers = 4

    init(_ members: [GraphValue], _ options: FetchComparison.Options, _ isReused: Bool) {
        self.members = members
        self.options = options
        isPrepared = isReused && (members.count > Self.fewMembers || !options.isEmpty)
        super.init()
        if isPrepared { prepare() }
    }

    private func prepare() {
        for member in members {
            if case .string(let text) = member {
                texts.insert(options.isEmpty ? text : TextFolding.fold(text, options: options))
            } else {
                values.insert(member)
            }
        }
    }

    override func matches(_ left: GraphValue) -> Bool {
        guard case .string(let text) = left else {
            return isPrepared ? values.contains(left) : members.contains(left)
        }
        if !options.isEmpty {
            let folded = TextFolding.fold(text, options: options)
            if isPrepared { return texts.contains(folded) }
            return members.contains { member in
                guard case .string(let other) = member else { return false }
                return TextFolding.fold(other, options: options) == folded
            }
        }
        if isPrepared {
            // Hashing also finds canonically equivalent text; the comparison itself is literal.
            guard let index = texts.firstIndex(of: text) else { return false }
            if texts[index].isIdentical(to: text) { return true }
        }
        return members.contains { Comparing.areEqual($0, left) }
    }
}

/// MATCHES: a regular expression for the whole text.
///
/// Patterns are Swift's own `Regex`, matched by Unicode scalar. The syntax is nearly ICU's, with
/// look-around, classes and properties. `[d]` ignores diacritics in text and pattern.
final class PatternMatcher: Matcher {
    private let regex: Result<Regex<AnyRegexOutput>, ObjectGraphError>?
    private let options: FetchComparison.Options

    init(_ right: GraphValue, _ options: FetchComparison.Options) {
        self.options = options.subtracting(.caseInsensitive)
        switch right {
        case .null: regex = nil
        case .string(let pattern):
            do {
                let folded =
                    self.options.isEmpty
                    ? pattern : TextFolding.fold(pattern, options: self.options)
                regex = .success(
                    try Regex(folded)
                        .matchingSemantics(.unicodeScalar)
                        .wordBoundaryKind(.simple)
                        .ignoresCase(options.contains(.caseInsensitive))
                )
            } catch {
                regex = .failure(
                    ObjectGraphError(
                        .cannotEvaluate,
                        "The pattern of MATCHES is not a regular expression.",
                        underlying: [error]
                    )
                )
            }
        default: regex = .failure(TextMatcher.notText(right.kindName))
        }
    }

    override func matches(_ left: GraphValue) throws -> Bool {
        guard let regex = try regex?.get() else { return false }
        switch left {
        case .null: return false
        case .string(let text):
            let text = options.isEmpty ? text : TextFolding.fold(text, options: options)
            return try regex.wholeMatch(in: text) != nil
        default: throw TextMatcher.notText(left.kindName)
        }
    }
}

extension GraphValue {
    fileprivate var isText: Bool {
        if case .string = self { true } else { false }
    }
}
