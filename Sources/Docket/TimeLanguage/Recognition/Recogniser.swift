public import CivilTime

/// Finds dates, times and durations in a text.
///
/// In a title dates are the exception: what may be a name stays text, and what is understood only in
/// part is not understood (``TitleRules``). A field is a date as a whole.
///
/// - Complexity: O(length) for a title; a field may have 200 bytes at most.
public struct Recogniser: Sendable {
    public let context: DateContext

    /// - Parameters:
    ///   - context: the moment, the zone, and what the user has set.
    ///   - settings: taken instead of those of the context.
    public init(context: DateContext, settings: TimeSettings? = nil) {
        var context = context
        if let settings { context.settings = settings }
        self.context = context
    }

    public var settings: TimeSettings { context.settings }

    /// Reads the title's line of an item.
    ///
    /// - Parameters:
    ///   - bytes: the line, in UTF-8.
    ///   - barriers: ascending ranges of bytes that are something else, such as tags.
    /// - Returns: what is recognised.
    public func title(_ bytes: [UInt8], barriers: [Range<Int>] = []) -> Recognition {
        let tokens = Tokens(bytes, settings.language.vocabulary, barriers: barriers)
        var reader = TitleReader(tokens, bytes, Resolver(context: context))
        return reader.read()
    }

    public func title(_ text: String) -> Recognition { title(Array(text.utf8)) }

    /// Reads a text that is only a date.
    ///
    /// - Parameters:
    ///   - text: the date.
    ///   - start: where something starts whose end the text says; a day or time that comes again is
    ///     sought after it.
    /// - Returns: the day or the moment.
    /// - Throws: ``FieldProblem``.
    public func field(_ text: String, from start: DueDate? = nil) throws(FieldProblem) -> DueDate {
        let (reading, due) = try whole(text)
        guard let start, due.isOver(before: start, in: context.zone),
            case .due(let later) = Resolver(context: context).later(from: start).resolve(reading),
            !later.isOver(before: start, in: context.zone)
        else { return due }
        return later
    }

    /// The reading of a text that is only a date, and the date that it means.
    func whole(_ text: String) throws(FieldProblem) -> (reading: Reading, due: DueDate) {
        guard text.utf8.count <= 200 else { throw .unknown }
        let bytes = Array(text.utf8)
        let tokens = Tokens(bytes, settings.language.vocabulary)
        let resolver = Resolver(context: context)
        let grammar = Grammar(tokens, resolver, isField: true)
        var problem: FieldProblem?
        for start in FieldReader.starts(tokens) {
            let phrases = grammar.phrases(at: start)
            for phrase in phrases {
                let isAll = FieldReader.isEnd(tokens, phrase.end)
                switch resolver.resolve(phrase.reading) {
                case .due(let due):
                    if isAll { return (phrase.reading, due) }
                case .problem(let why):
                    guard problem == nil, isAll || phrase.end == phrases[0].end else { continue }
                    let words =
                        tokens[start].range.lowerBound..<tokens[phrase.end - 1].range.upperBound
                    problem = .impossible(String(decoding: bytes[words], as: UTF8.self), why)
                case .none: continue
                }
            }
        }
        throw problem ?? .unknown
    }
}

/// What may be around the date in a field.
enum FieldReader {
    /// The places where the date may begin: at once, and after `due`, `by`, `on`, `the`.
    static func starts(_ tokens: Tokens) -> [Int] {
        var starts = [0]
        while let last = starts.last, last < min(4, tokens.count - 1),
            tokens[last].has([.due, .on, .for, .about, .article])
        {
            starts.append(last + 1)
        }
        return tokens.count == 0 ? [] : starts
    }

    /// Whether only a full stop that belongs to an abbreviation follows.
    static func isEnd(_ tokens: Tokens, _ end: Int) -> Bool {
        if end == tokens.count { return true }
        return end == tokens.count - 1 && tokens[end].isMark(46) && !tokens[end].hasSpace
            && end > 0 && tokens[end - 1].kind == .word
    }
}
