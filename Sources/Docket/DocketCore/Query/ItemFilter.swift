public import CivilTime
import DocketFormats
public import ObjectGraph
public import SearchLanguage

/// A search for items that was read and understood as far as possible.
///
///     due:<7d tag:home -is:done "exact words"
///
/// `SearchLanguage` has the grammar, ``QueryField`` the fields. What is not understood is left out
/// and among the problems.
public struct ItemFilter {
    public let text: String
    /// What is understood, as it was written.
    public let expression: QueryExpression
    public let compiled: CompiledQuery
    /// In the order of the text.
    public let problems: [QueryProblem]
    /// The parts of the text.
    public let tokens: [QueryToken]

    /// - Parameters:
    ///   - text: the search.
    ///   - names: the lists and tags.
    ///   - clock: what `today` means.
    /// - Throws: the store's error, if lists or tags could not be read.
    /// - Complexity: O(length); one statement each for lists and tags, if they are needed.
    public init(_ text: String, _ names: QueryNames, _ clock: DateContext) throws {
        self.init(text, reading: names, clock)
        try names.check()
    }

    /// Reads a search with names that cannot fail.
    init(_ text: String, reading names: QueryNames, _ clock: DateContext) {
        let parsed = QueryParser.parse(
            text,
            QueryField.vocabulary,
            mostTerms: Limits.searchWords
        )
        var compiler = QueryCompiler(names: names, clock: clock)
        let (kept, compiled) = compiler.compile(parsed.expression)
        self.text = text
        expression = kept
        self.compiled = compiled
        tokens = parsed.tokens
        problems = (parsed.problems + compiler.problems).sorted {
            $0.range.lowerBound < $1.range.lowerBound
        }
    }

    /// Why it cannot be a list, one sentence; `nil` if it can: it is understood as a whole and asks
    /// for something.
    public var refusal: String? {
        if let problem = firstProblem { return problem.sentence }
        return isEmpty
            ? localized("The search asks for nothing; write one such as due:<7d tag:home.") : nil
    }

    /// Whether nothing is asked for.
    public var isEmpty: Bool { compiled == .everything }

    /// Whether it asks for a field, and not only for texts.
    public var namesFields: Bool { !expression.terms.isEmpty }

    /// Whether it says itself if done items, or those in the trash, are wanted.
    public var saysWhetherDone: Bool { names(.done, "done") }
    public var saysWhetherTrashed: Bool { names(.trashed, "trashed") }

    private func names(_ state: QueryState, _ field: String) -> Bool {
        expression.terms.contains { term in
            term.field == field
                || term.field == "is"
                    && term.values.contains {
                        let value = $0.text.lowercased()
                        return value == state.rawValue
                            || state == .done && value == QueryState.open.rawValue
                    }
        }
    }

    /// The items that are meant where nothing else is said: open ones outside the trash, unless the
    /// search speaks of done ones or of the trash.
    public var usualCondition: Condition<Item> {
        switch (saysWhetherDone, saysWhetherTrashed) {
        case (false, false): Library.openItems
        case (true, false): Library.notTrashed
        case (false, true): !Library.isDone
        case (true, true): .always(true)
        }
    }

    /// The first problem; that there is too much of something explains the others.
    private var firstProblem: QueryProblem? {
        problems.first { $0.kind == .tooMuch } ?? problems.first
    }

    /// The first thing that is not understood, as an error.
    ///
    /// - Throws: `InputError`, if there is one.
    public func checkUnderstood() throws {
        guard let problem = firstProblem else { return }
        throw InputError(problem.kind == .tooMuch ? .tooMuch : .malformed, "\(problem.sentence)")
    }
}
