import CivilTime

/// Reads phrases of time: values of words, and rules that join them.
///
/// Level by level, from small to large; every rule gives all ends at which it can stop, so that the
/// longest phrase that is consistent as a whole wins:
///
/// 1. numbers, ordinals, amounts (`2 weeks`), clock times, numeric dates (`Grammar+Numbers`,
///    `Grammar+Amounts`, `Grammar+Clock`, `Grammar+NumericDates`);
/// 2. pieces: a value with its grain, such as `friday`, `18 July`, `end of next month`,
///    `2 weeks before christmas`, `7 pm` (`Grammar+Days`, `Grammar+Periods`, `Grammar+Counting`);
/// 3. phrases: pieces side by side that fill different slots of one ``Reading``
///    (`Grammar+Phrase`).
///
/// Rules of level 2 that contain a phrase (`before …`, `end of …`) ask for it one level lower, which
/// bounds their nesting. Results are kept for each place and level, and a phrase has at most
/// ``longest`` tokens, so that reading costs O(number of tokens).
final class Grammar {
    let tokens: Tokens
    let resolver: Resolver
    /// Whether the text is a date and nothing else, so that more forms count (`3d`, `december`).
    let isField: Bool
    /// Whether a word such as `every` is in the text.
    let hasEvery: Bool
    /// The part of the day in which an hour is sought that says nothing about it.
    let leaning: DayPart?
    private var piecesKept: [[Piece]?]
    private var phrasesKept: [[Piece]?]

    static let longest = 28
    static let levels = 3

    /// A reading of some tokens.
    struct Piece: Hashable {
        var reading: Reading
        /// The index of the token after it.
        var end: Int

        init(_ reading: Reading, _ end: Int) { (self.reading, self.end) = (reading, end) }
    }

    init(_ tokens: Tokens, _ resolver: Resolver, isField: Bool) {
        self.tokens = tokens
        self.resolver = resolver
        self.isField = isField
        hasEvery = tokens.list.contains { $0.has(.every) }
        leaning = tokens.list.lazy.compactMap(\.sense.leaning).first
        piecesKept = Array(repeating: nil, count: (tokens.count + 1) * Grammar.levels)
        phrasesKept = piecesKept
    }

    var today: Day { resolver.today }
    var weekStart: Weekday { resolver.context.weekStart }
    var table: WordTable { tokens.vocabulary.table }

    func token(_ index: Int) -> Token? {
        index >= 0 && index < tokens.count ? tokens[index] : nil
    }

    func sense(_ index: Int) -> Sense? { index < tokens.count ? tokens[index].sense : nil }

    func has(_ index: Int, _ roles: Roles) -> Bool {
        index < tokens.count && tokens[index].has(roles)
    }

    func isMark(_ index: Int, _ scalar: Unicode.Scalar) -> Bool {
        index < tokens.count && tokens[index].isMark(UInt8(ascii: scalar))
    }

    /// Whether a token follows the one before it without space.
    func isGlued(_ index: Int) -> Bool { index < tokens.count && !tokens[index].hasSpace }

    /// Whether a token ends where a word ends: nothing of the same word is after it but punctuation.
    func endsWord(_ end: Int) -> Bool {
        guard let next = token(end), !next.hasSpace else { return true }
        switch next.kind {
        case .word, .number: return false
        case .barrier: return true
        case .mark(let mark):
            switch mark {
            case 46, 58, 39, 45, 47, 95, 64, 43, 61, 38, 37, 36, 35, 92:
                // `.` `:` `-` `/` and the like end a word only at its end.
                guard let after = token(end + 1), !after.hasSpace else { return mark != 37 }
                if case .mark = after.kind { return mark == 46 || mark == 45 }
                return false
            case 0: return false
            case 44: return token(end + 1)?.isNumber != true || token(end + 1)?.hasSpace == true
            default: return true
            }
        }
    }

    // MARK: Kept results

    /// The pieces that begin at a token.
    ///
    /// - Parameters:
    ///   - index: the token.
    ///   - level: how deep phrases in it may be nested: 0 for none.
    /// - Returns: the pieces.
    func pieces(at index: Int, level: Int = Grammar.levels - 1) -> [Piece] {
        guard index < tokens.count else { return [] }
        let place = index * Grammar.levels + level
        if let kept = piecesKept[place] { return kept }
        let found = makePieces(at: index, level: level)
        piecesKept[place] = found
        return found
    }

    /// The phrases that begin at a token, the longest first.
    func phrases(at index: Int, level: Int = Grammar.levels - 1) -> [Piece] {
        guard index < tokens.count else { return [] }
        let place = index * Grammar.levels + level
        if let kept = phrasesKept[place] { return kept }
        let found = makePhrases(at: index, level: level)
        phrasesKept[place] = found
        return found
    }

    private func makePieces(at index: Int, level: Int) -> [Piece] {
        let token = tokens[index]
        switch token.kind {
        case .barrier: return []
        case .mark(let mark): if ![43, 45, 64, 40].contains(mark) { return [] }
        case .number: break
        case .word: if token.sense.isEmpty, tokens.phrase(at: index) == nil { return [] }
        }
        if let name = tokens.phrase(at: index), name.sense.isEmpty { return [] }
        var found: [Piece] = []
        addClocks(at: index, to: &found)
        addNumericDates(at: index, to: &found)
        addDays(at: index, to: &found)
        addPeriods(at: index, level, to: &found)
        addCounts(at: index, level, to: &found)
        return found.filter { $0.end - index <= Grammar.longest }
    }
}

extension [Grammar.Piece] {
    mutating func add(_ reading: Reading, _ end: Int) { append(Grammar.Piece(reading, end)) }
}
