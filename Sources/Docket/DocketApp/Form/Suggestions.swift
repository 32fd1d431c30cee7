import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// What can complete a word of an input line: rows of a menu, and what each puts in the place of the
/// word.
struct Suggestions {
    /// The word, in bytes of the text.
    let range: Range<Int>
    let rows: [SuggestionMenu.Row]
    /// What takes the place of the word, by row.
    let texts: [String]

    /// `nil` if there is nothing to offer.
    init?(_ range: Range<Int>, _ found: [(row: SuggestionMenu.Row, text: String)]) {
        let found = found.prefix(SuggestionMenu.most)
        if found.isEmpty { return nil }
        self.range = range
        rows = found.map(\.row)
        texts = found.map(\.text)
    }

    /// The names of lists, tags or locations, with how many open items they have.
    ///
    /// - Parameters:
    ///   - range: the word.
    ///   - names: what completes it.
    ///   - sign: what a row has before the name.
    ///   - written: a name as it stands in the text.
    init?(
        _ range: Range<Int>,
        _ names: [QueryNames.Completion],
        sign: String = "",
        written: (QueryNames.Completion) -> String
    ) {
        self.init(
            range,
            names.prefix(SuggestionMenu.most).map { name in
                let uses = name.uses.map { $0 > 0 ? localized("\($0) open") : "" } ?? ""
                return (.init(sign + ListPath.string(name.path), detail: uses), written(name))
            }
        )
    }
}

/// The lists, tags and locations that can be named, and how many open items they have.
struct KnownNames {
    let names: QueryNames
    let uses: QueryNames.Uses

    /// Those of a library, with no numbers.
    init(_ library: Library) {
        names = QueryNames(library)
        uses = { _ in nil }
    }

    init(_ names: QueryNames, uses: @escaping QueryNames.Uses) {
        (self.names, self.uses) = (names, uses)
    }

    func lists(_ text: String) -> [QueryNames.Completion] { names.lists(completing: text, uses) }
    func tags(_ text: String) -> [QueryNames.Completion] { names.tags(completing: text, uses) }
    func locations(_ text: String) -> [QueryNames.Completion] {
        names.locations(completing: text)
    }
}
