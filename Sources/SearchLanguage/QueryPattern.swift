import ObjectModel

/// A regular expression for the texts of a search, which is found in linear time.
///
/// Letter case and accents do not matter, and it is found anywhere in a text unless `^` or `$` say
/// otherwise. It has `.`, `[a-z]`, `[^…]`, `(…)`, `|`, `*`, `+`, `?`, `\d`, `\w`, `\s` and their
/// opposites, and `\` before a sign. Backtracking takes exponential time for some patterns, so that a
/// pattern typed letter by letter could stop the program; this one follows all its states at once.
///
/// - Complexity: to find it in a text: O(length of the text × length of the pattern).
package struct QueryPattern: Hashable, Sendable {
    /// A longer pattern is refused.
    package static let longest = 200

    /// Why a text is not a pattern, one sentence.
    package struct Failure: Error {
        package let sentence: String
    }

    let program: [Instruction]

    package init(_ text: String) throws(Failure) {
        guard text.utf8.count <= Self.longest else {
            throw Failure(sentence: "A pattern has at most \(Self.longest) characters.")
        }
        var parser = PatternParser(text)
        program = try parser.read()
    }

    /// Whether it is found in a text.
    package func isFound(in text: String) -> Bool {
        let folded = TextFolding.foldedBytes(text, options: QueryPattern.folding)
        return isFound(inFolded: String(decoding: folded, as: UTF8.self).unicodeScalars)
    }

    /// Whether it is found in a text that is folded without letter case and accents.
    package func isFound(inFolded bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        isFound(inFolded: String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    static let folding: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]

    private func isFound(inFolded text: String.UnicodeScalarView) -> Bool {
        var threads = PatternThreads(program.count)
        var next = PatternThreads(program.count)
        var place = text.startIndex
        var isFirst = true
        while true {
            let isLast = place == text.endIndex
            if add(0, to: &threads, isFirst, isLast) { return true }
            if isLast { return false }
            let scalar = text[place]
            next.removeAll()
            place = text.index(after: place)
            isFirst = false
            let ends = place == text.endIndex
            for thread in threads.list {
                guard case .scalar(let set) = program[thread], set.contains(scalar) else {
                    continue
                }
                if add(thread + 1, to: &next, false, ends) { return true }
            }
            swap(&threads, &next)
        }
    }

    /// Adds a state and those that it leads to without a character; returns whether one is the end.
    private func add(
        _ first: Int,
        to threads: inout PatternThreads,
        _ isFirst: Bool,
        _ isLast: Bool
    ) -> Bool {
        var open = [first]
        while let state = open.popLast() {
            guard threads.insert(state) else { continue }
            switch program[state] {
            case .scalar: break
            case .first: if isFirst { open.append(state + 1) }
            case .last: if isLast { open.append(state + 1) }
            case .jump(let target): open.append(target)
            case .split(let one, let other):
                open.append(other)
                open.append(one)
            case .found: return true
            }
        }
        return false
    }

    enum Instruction: Hashable, Sendable {
        case scalar(ScalarSet)
        case first
        case last
        case jump(Int)
        case split(Int, Int)
        case found
    }

    struct ScalarSet: Hashable, Sendable {
        enum Part: Hashable, Sendable {
            case range(ClosedRange<UInt32>)
            case digit(Bool)
            case word(Bool)
            case space(Bool)
        }

        var parts: [Part] = []
        var isNegated = false

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            let properties = scalar.properties
            let isIn = parts.contains { part in
                switch part {
                case .range(let range): range.contains(scalar.value)
                case .digit(let wanted): (properties.numericType == .decimal) == wanted
                case .space(let wanted): properties.isWhitespace == wanted
                case .word(let wanted):
                    (properties.isAlphabetic || properties.numericType != nil || scalar == "_")
                        == wanted
                }
            }
            return isIn != isNegated
        }
    }
}

/// The states of a pattern that are alive, each once.
private struct PatternThreads {
    private(set) var list: [Int] = []
    private var isIn: [Bool]

    init(_ count: Int) { isIn = Array(repeating: false, count: count) }

    mutating func insert(_ state: Int) -> Bool {
        if isIn[state] { return false }
        isIn[state] = true
        list.append(state)
        return true
    }

    mutating func removeAll() {
        for state in list { isIn[state] = false }
        list.removeAll(keepingCapacity: true)
    }
}

/// Reads a pattern and makes its states.
private struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var at = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func read() throws(QueryPattern.Failure) -> [QueryPattern.Instruction] {
        if scalars.isEmpty { throw failure("A pattern has at least one character.") }
        let program = try alternatives()
        if at < scalars.count { throw failure("The pattern has a ) without a ( before it.") }
        return program + [.found]
    }

    private func failure(_ sentence: String) -> QueryPattern.Failure { .init(sentence: sentence) }

    private mutating func alternatives() throws(QueryPattern.Failure) -> [QueryPattern.Instruction]
    {
        depth += 1
        defer { depth -= 1 }
        if depth > QueryParser.deepestNesting {
            throw failure("The pattern is nested too deeply.")
        }
        var left = try sequence()
        while at < scalars.count, scalars[at] == "|" {
            at += 1
            let right = try sequence()
            left =
                [.split(1, left.count + 2)] + left.moved(by: 1) + [
                    .jump(left.count + right.count + 2)
                ]
                + right.moved(by: left.count + 2)
        }
        return left
    }

    private mutating func sequence() throws(QueryPattern.Failure) -> [QueryPattern.Instruction] {
        var all: [QueryPattern.Instruction] = []
        while at < scalars.count, scalars[at] != "|", scalars[at] != ")" {
            all += try repeated().moved(by: all.count)
        }
        return all
    }

    private mutating func repeated() throws(QueryPattern.Failure) -> [QueryPattern.Instruction] {
        var part = try atom()
        while at < scalars.count {
            switch scalars[at] {
            case "*": part = [.split(1, part.count + 2)] + part.moved(by: 1) + [.jump(0)]
            case "+": part += [.split(0, part.count + 1)]
            case "?": part = [.split(1, part.count + 1)] + part.moved(by: 1)
            default: return part
            }
            at += 1
        }
        return part
    }

    private mutating func atom() throws(QueryPattern.Failure) -> [QueryPattern.Instruction] {
        let scalar = scalars[at]
        at += 1
        switch scalar {
        case "(":
            let inner = try alternatives()
            guard at < scalars.count else { throw failure("The pattern has a ( without a ).") }
            at += 1
            return inner
        case "[": return [.scalar(try set())]
        case ".": return [.scalar(.init(parts: [], isNegated: true))]
        case "^": return [.first]
        case "$": return [.last]
        case "*", "+", "?":
            throw failure("There is nothing before \(scalar) in the pattern that it could repeat.")
        case "\\": return try [.scalar(.init(parts: [escaped()]))]
        default: return literal(scalar)
        }
    }

    /// The folded form of a character, which may have several.
    private func literal(_ scalar: Unicode.Scalar) -> [QueryPattern.Instruction] {
        folded(scalar).map { .scalar(.init(parts: [.range($0...$0)])) }
    }

    private func folded(_ scalar: Unicode.Scalar) -> [UInt32] {
        let bytes = TextFolding.foldedBytes(
            String(Character(scalar)),
            options: QueryPattern.folding
        )
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
    }

    private mutating func escaped() throws(QueryPattern.Failure) -> QueryPattern.ScalarSet.Part {
        guard at < scalars.count else { throw failure("The pattern ends with a backslash.") }
        let scalar = scalars[at]
        at += 1
        switch scalar {
        case "d": return .digit(true)
        case "D": return .digit(false)
        case "w": return .word(true)
        case "W": return .word(false)
        case "s": return .space(true)
        case "S": return .space(false)
        default:
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                throw failure("The pattern has \\\(scalar), which has no meaning here.")
            }
            return .range(scalar.value...scalar.value)
        }
    }

    private mutating func set() throws(QueryPattern.Failure) -> QueryPattern.ScalarSet {
        var set = QueryPattern.ScalarSet()
        if at < scalars.count, scalars[at] == "^" {
            set.isNegated = true
            at += 1
        }
        var isFirst = true
        while at < scalars.count, scalars[at] != "]" || isFirst {
            isFirst = false
            let scalar = scalars[at]
            at += 1
            if scalar == "\\" {
                set.parts.append(try escaped())
            } else if at + 1 < scalars.count, scalars[at] == "-", scalars[at + 1] != "]" {
                guard let low = folded(scalar).first, let high = folded(scalars[at + 1]).first,
                    low <= high
                else { throw failure("The pattern has a range that goes backwards.") }
                set.parts.append(.range(low...high))
                at += 2
            } else {
                for value in folded(scalar) { set.parts.append(.range(value...value)) }
            }
        }
        guard at < scalars.count else { throw failure("The pattern has a [ without a ].") }
        at += 1
        return set
    }
}

extension [QueryPattern.Instruction] {
    /// The states at a later place.
    fileprivate func moved(by count: Int) -> Self {
        map { instruction in
            switch instruction {
            case .jump(let target): .jump(target + count)
            case .split(let one, let other): .split(one + count, other + count)
            case .scalar, .first, .last, .found: instruction
            }
        }
    }
}
