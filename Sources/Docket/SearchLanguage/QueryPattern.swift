import ObjectModel

/// A regular expression for the texts of a search, which is found in linear time.
///
/// Letter case and accents do not matter, and it is found anywhere in a text unless `^` or `$` say
/// otherwise. It has `.`, `[a-z]`, `[^…]`, `(…)`, `|`, `*`, `+`, `?`, `\d`, `\w`, `\s` and their
/// opposites, and `\` before a sign. Backtracking takes exponential time for some patterns, so that a
/// pattern typed letter by letter could stop the program; a ``Matcher`` follows all states at once.
public struct QueryPattern: Hashable, Sendable {
    /// A longer pattern is refused, in bytes of UTF-8.
    public static let longest = 200

    /// Why a text is not a pattern, one sentence.
    public struct Failure: Error {
        public let sentence: String
    }

    private let program: [Instruction]

    public init(_ text: String) throws(Failure) {
        guard text.utf8.count <= Self.longest else {
            throw Failure(sentence: "A pattern has at most \(Self.longest) characters.")
        }
        var parser = PatternParser(text)
        program = try parser.read()
    }

    fileprivate static let folding: FetchComparison.Options = [
        .caseInsensitive, .diacriticInsensitive,
    ]

    fileprivate enum Instruction: Hashable, Sendable {
        case scalar(ScalarSet)
        case first
        case last
        case jump(Int)
        case split(Int, Int)
        case found
    }

    fileprivate struct ScalarSet: Hashable, Sendable {
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

extension QueryPattern {
    /// Looks for a pattern in many texts, one character after the other.
    ///
    /// The places of the pattern that are alive at once are one state here, and the transitions
    /// between states are kept as they are found. So a byte costs one look into a table after the
    /// first texts. What is kept is bounded. A pattern whose states do not repeat is followed without
    /// keeping them: keeping costs more than it saves.
    ///
    /// It is used by one thread at a time.
    ///
    /// - Complexity: O(bytes), with a factor of the pattern's length at worst. Memory: at most 256 KB,
    ///   and what 65,536 transitions of characters beyond ASCII take.
    public final class Matcher {
        private let program: [Instruction]
        /// The next state by state and byte, for characters of one byte.
        ///
        /// Safety: freed with this object.
        private let table: UnsafeMutablePointer<Int32>
        /// The same for other characters.
        private var others: [Step: Int32] = [:]
        /// The places of each state.
        private var states: [[Int]] = []
        private var numbers: [[Int]: Int32] = [:]
        /// Whether the pattern is found if the text ends in a state.
        private var isFoundAtEnd: [Bool] = []
        private var start: Int32 = 0
        /// The places after a step, while it is computed.
        private var next: [Int] = []
        /// Which places are in `next`, and those from which others are reached.
        private var isReached: [Bool]
        private var open: [Int] = []
        /// How many bytes were followed since the states were forgotten.
        private var followed = 0

        private struct Step: Hashable {
            let state: Int32
            let scalar: Unicode.Scalar
        }

        // Numbers below 0 are no states.
        private static let unknown: Int32 = -1
        private static let found: Int32 = -2
        private static let full: Int32 = -3
        private static let mostStates = 512
        /// With fewer bytes for each state, they are not worth being kept.
        private static let leastBytesPerState = 10

        public init(_ pattern: QueryPattern) {
            program = pattern.program
            isReached = Array(repeating: false, count: program.count)
            table = .allocate(capacity: Self.mostStates << 7)
            forget()
        }

        deinit { table.deallocate() }

        /// Whether the pattern is found in a text.
        public func isFound(in text: String) -> Bool {
            TextFolding.foldedBytes(text, options: QueryPattern.folding).withUnsafeBufferPointer {
                isFound(inFolded: $0)
            }
        }

        /// Whether the pattern is found in a text that is folded without letter case and accents.
        ///
        /// - Parameter bytes: UTF-8; what is no character counts as U+FFFD.
        /// - Returns: whether it is found.
        public func isFound(inFolded bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            if start == Self.found { return true }
            guard let first = bytes.baseAddress else { return isFoundAtEnd[Int(start)] }
            let end = first + bytes.count
            let table = table
            var at = first
            var state = start
            defer { followed += at - first }
            while at < end {
                var next: Int32
                if at.pointee < 0x80 {
                    next = table[Int(state) << 7 | Int(at.pointee)]
                    if next == Self.unknown {
                        next = step(from: state, Unicode.Scalar(at.pointee), at - first)
                    }
                    at += 1
                } else {
                    let (scalar, length) = Self.scalar(at, end)
                    next =
                        others[Step(state: state, scalar: scalar)]
                        ?? step(from: state, scalar, at - first)
                    at += length
                }
                if next == Self.full { return isFound(from: self.next, &at, end) }
                if next < 0 { return true }
                state = next
            }
            return isFoundAtEnd[Int(state)]
        }

        /// Follows the rest of a text without keeping anything.
        private func isFound(
            from places: [Int],
            _ at: inout UnsafePointer<UInt8>,
            _ end: UnsafePointer<UInt8>
        ) -> Bool {
            var places = places
            while at < end {
                let (scalar, length) = Self.scalar(at, end)
                at += length
                if follow(places, scalar) { return true }
                swap(&places, &next)
            }
            return endsFound(places, isFirst: false)
        }

        /// The character at a place, and its length in bytes.
        private static func scalar(
            _ at: UnsafePointer<UInt8>,
            _ end: UnsafePointer<UInt8>
        ) -> (Unicode.Scalar, Int) {
            let lead = at.pointee
            if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
            let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
            guard lead >= 0xC2, at + length <= end else { return ("\u{FFFD}", 1) }
            var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
            for place in 1..<length {
                guard at[place] & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
                value = value << 6 | UInt32(at[place] & 0x3F)
            }
            return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
        }

        // MARK: States

        private func forget() {
            (others, states, numbers, isFoundAtEnd) = ([:], [], [:], [])
            beginStep()
            // At the beginning of a text other things hold, so no step leads to its state.
            if reach(0, isFirst: true) {
                start = Self.found
            } else {
                let places = next
                start = number(of: places, isFoundAtEnd: endsFound(places, isFirst: true))
            }
        }

        /// The state after a character, which is kept for the next time.
        ///
        /// - Parameters:
        ///   - state: the state before it.
        ///   - scalar: the character.
        ///   - place: how many bytes of the text are before the character.
        /// - Returns: `full` if there is no room; then `next` has the places.
        private func step(from state: Int32, _ scalar: Unicode.Scalar, _ place: Int) -> Int32 {
            if follow(states[Int(state)], scalar) {
                keep(Self.found, from: state, scalar)
                return Self.found
            }
            next.sort()
            if let known = numbers[next] {
                keep(known, from: state, scalar)
                return known
            }
            let isFull = states.count >= Self.mostStates
            if isFull {
                let bytes = followed + place
                if bytes < Self.mostStates * Self.leastBytesPerState { return Self.full }
                let places = next
                forget()
                next = places
                followed = -place
            }
            let places = next
            let new = number(of: places, isFoundAtEnd: endsFound(places, isFirst: false))
            numbers[places] = new
            if !isFull { keep(new, from: state, scalar) }
            return new
        }

        private func keep(_ next: Int32, from state: Int32, _ scalar: Unicode.Scalar) {
            if scalar.value < 0x80 {
                table[Int(state) << 7 | Int(scalar.value)] = next
            } else {
                if others.count >= Self.mostStates * 128 { others = [:] }
                others[Step(state: state, scalar: scalar)] = next
            }
        }

        private func number(of places: [Int], isFoundAtEnd isFound: Bool) -> Int32 {
            let number = Int32(states.count)
            states.append(places)
            isFoundAtEnd.append(isFound)
            (table + (Int(number) << 7)).initialize(repeating: Self.unknown, count: 128)
            return number
        }

        // MARK: Places

        private func beginStep() {
            for place in isReached.indices { isReached[place] = false }
            next.removeAll(keepingCapacity: true)
        }

        /// Puts the places after a character into `next`.
        ///
        /// - Returns: whether one is the end of the pattern.
        private func follow(_ places: [Int], _ scalar: Unicode.Scalar) -> Bool {
            beginStep()
            for place in places {
                guard case .scalar(let set) = program[place], set.contains(scalar) else { continue }
                if reach(place + 1) { return true }
            }
            // The pattern may begin after each character.
            return reach(0)
        }

        /// Adds a place to `next`, and those that it leads to without a character.
        ///
        /// - Returns: whether one is the end of the pattern.
        private func reach(_ first: Int, isFirst: Bool = false, isLast: Bool = false) -> Bool {
            open.append(first)
            defer { open.removeAll(keepingCapacity: true) }
            while let place = open.popLast() {
                if isReached[place] { continue }
                isReached[place] = true
                next.append(place)
                switch program[place] {
                case .scalar: break
                case .first: if isFirst { open.append(place + 1) }
                case .last: if isLast { open.append(place + 1) }
                case .jump(let target): open.append(target)
                case .split(let one, let other):
                    open.append(other)
                    open.append(one)
                case .found: return true
                }
            }
            return false
        }

        /// Whether the end of the text leads from some places to the end of the pattern.
        private func endsFound(_ places: [Int], isFirst: Bool) -> Bool {
            beginStep()
            for place in places where program[place] == .last {
                if reach(place, isFirst: isFirst, isLast: true) { return true }
            }
            return false
        }
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
