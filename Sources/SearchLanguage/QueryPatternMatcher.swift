/// Looks for a pattern in many texts, one byte after the other.
///
/// A set of the pattern's states that are alive at once is one state here, and the transitions
/// between these are kept as they are found. So a byte costs one look into a table after the first
/// texts. What is kept is bounded: it is forgotten when there is too much of it.
///
/// It is used by one thread at a time.
///
/// - Complexity: O(bytes), with a factor of the pattern's length at worst.
package final class QueryPatternMatcher {
    private let program: [QueryPattern.Instruction]
    /// The next state by state and byte, for characters of one byte.
    private let table: UnsafeMutablePointer<Int32>
    /// The same for other characters.
    private var others: [Step: Int32] = [:]
    private var sets: [[Int]] = []
    private var numbers: [[Int]: Int32] = [:]
    /// Whether the pattern is found if the text ends in a state.
    private var isFoundAtEnd: [Bool] = []
    private var start: Int32 = 0

    private struct Step: Hashable {
        let state: Int32
        let scalar: Unicode.Scalar
    }

    private static let unknown: Int32 = -1
    /// The only other number below 0.
    private static let found: Int32 = -2
    /// 256 KB of transitions.
    private static let mostStates = 512

    package init(_ pattern: QueryPattern) {
        program = pattern.program
        table = .allocate(capacity: Self.mostStates << 7)
        reset()
    }

    deinit { table.deallocate() }

    /// Whether the pattern is found in a text that is folded without letter case and accents.
    package func isFound(inFolded bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if start == Self.found { return true }
        guard var at = bytes.baseAddress else { return isFoundAtEnd[Int(start)] }
        let end = at + bytes.count
        let table = table
        var state = start
        while at < end {
            var next: Int32
            if at.pointee < 0x80 {
                next = table[Int(state) << 7 | Int(at.pointee)]
                if next == Self.unknown {
                    next = step(from: state, Unicode.Scalar(at.pointee))
                }
                at += 1
            } else {
                let (scalar, length) = Self.scalar(at, end)
                at += length
                next = others[Step(state: state, scalar: scalar)] ?? step(from: state, scalar)
            }
            if next < 0 { return true }
            state = next
        }
        return isFoundAtEnd[Int(state)]
    }

    /// The character at a place; what is no character counts as U+FFFD.
    private static func scalar(
        _ at: UnsafePointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) -> (Unicode.Scalar, Int) {
        let lead = at.pointee
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

    private func reset() {
        (others, sets, numbers, isFoundAtEnd) = ([:], [], [:], [])
        var first: [Int] = []
        start =
            close(&first, from: 0, isFirst: true)
            ? Self.found
            : number(of: first, isFoundAtEnd: endsFound(first, isFirst: true), key: nil)
    }

    /// The state after a character, which is kept for the next time.
    private func step(from state: Int32, _ scalar: Unicode.Scalar) -> Int32 {
        var next: [Int] = []
        var isFound = false
        for place in sets[Int(state)] where !isFound {
            guard case .scalar(let set) = program[place], set.contains(scalar) else { continue }
            isFound = close(&next, from: place + 1, isFirst: false)
        }
        // The pattern may begin after each character.
        if !isFound { isFound = close(&next, from: 0, isFirst: false) }
        if isFound {
            keep(Self.found, from: state, scalar)
            return Self.found
        }
        next.sort()
        if numbers[next] == nil, sets.count >= Self.mostStates {
            reset()
            return number(of: next, isFoundAtEnd: endsFound(next, isFirst: false), key: next)
        }
        let number =
            numbers[next]
            ?? number(of: next, isFoundAtEnd: endsFound(next, isFirst: false), key: next)
        keep(number, from: state, scalar)
        return number
    }

    private func keep(_ next: Int32, from state: Int32, _ scalar: Unicode.Scalar) {
        if scalar.value < 0x80 {
            table[Int(state) << 7 | Int(scalar.value)] = next
        } else {
            if others.count >= Self.mostStates * 128 { others = [:] }
            others[Step(state: state, scalar: scalar)] = next
        }
    }

    /// Keeps a new state, the first one without a key: at the beginning of a text, other things hold.
    private func number(of set: [Int], isFoundAtEnd isFound: Bool, key: [Int]?) -> Int32 {
        let number = Int32(sets.count)
        sets.append(set)
        isFoundAtEnd.append(isFound)
        (table + (Int(number) << 7)).initialize(repeating: Self.unknown, count: 128)
        if let key { numbers[key] = number }
        return number
    }

    /// Adds a place of the program and those that it leads to without a character.
    ///
    /// - Returns: whether one is the end of the pattern.
    private func close(
        _ set: inout [Int],
        from first: Int,
        isFirst: Bool,
        isLast: Bool = false
    ) -> Bool {
        var open = [first]
        while let place = open.popLast() {
            if set.contains(place) { continue }
            set.append(place)
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

    /// Whether the end of the text leads from a set to the end of the pattern.
    private func endsFound(_ set: [Int], isFirst: Bool) -> Bool {
        var reached: [Int] = []
        for place in set where program[place] == .last {
            if close(&reached, from: place, isFirst: isFirst, isLast: true) { return true }
        }
        return false
    }
}
