import DocketFormats
public import ObjectGraph
import SearchLanguage

/// What can complete the word of a search that is being typed: names of fields, and values.
public struct QueryCompletion {
    public struct Candidate: Hashable {
        /// What takes the place of the word, as it is written in a search.
        public let text: String
        /// How many items it concerns, if that is known.
        public let count: Int?
    }

    /// The part of the search that a candidate replaces, in bytes.
    public let range: Range<Int>
    /// Whether the candidates are values; else they are names of fields.
    public let areValues: Bool
    /// The best first; not empty.
    public let candidates: [Candidate]
    /// The beginning that was typed.
    private let typed: String

    /// What the first candidate adds to the typed text; `nil` if it does not begin with it.
    public var rest: String? {
        guard let first = candidates.first?.text, first.utf8.count > typed.utf8.count,
            first.lowercased().hasPrefix(typed.lowercased())
        else { return nil }
        return String(first.dropFirst(typed.count))
    }

    /// The search with the first candidate in its place.
    public func completed(_ text: String) -> String {
        guard let first = candidates.first else { return text }
        let completed = completed(text, with: first)
        return areValues && range.upperBound == text.utf8.count ? completed + " " : completed
    }

    /// The search with a candidate in its place.
    public func completed(_ text: String, with candidate: Candidate) -> String {
        let bytes = Array(text.utf8)
        let before = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        let after = String(decoding: bytes[range.upperBound...], as: UTF8.self)
        return before + candidate.text + after
    }

    /// How many candidates a screen offers.
    public static let most = 8

    /// `nil` if nothing completes the word at the cursor.
    ///
    /// - Parameters:
    ///   - filter: the search as it is.
    ///   - cursor: the place of the cursor, in bytes.
    ///   - names: the lists and tags.
    ///   - most: the most candidates.
    ///   - count: how many items a list or a tag has, if it is known.
    public init?(
        _ filter: ItemFilter,
        at cursor: Int,
        _ names: QueryNames,
        most: Int = QueryCompletion.most,
        count: (ManagedObjectID) -> Int?
    ) {
        let token = filter.tokens.last { $0.range.lowerBound < cursor }
        guard let token, cursor <= token.range.upperBound else { return nil }
        let found: [Candidate]
        switch token.kind {
        case .text(let word):
            // A quoted text is what it is.
            guard token.range.count == word.utf8.count, cursor == token.range.upperBound else {
                return nil
            }
            range = token.range
            typed = word
            areValues = false
            found = QueryField.table.filter { Self.begins($0.name, word) }
                .map { Candidate(text: $0.name + ":", count: nil) }
        case .term(let term):
            guard cursor > term.name.upperBound, let field = QueryField.named(term.field) else {
                return nil
            }
            let value = term.values.first {
                $0.range.lowerBound <= cursor && cursor <= $0.range.upperBound
            }
            if value == nil, cursor < token.range.upperBound { return nil }
            range = value?.range ?? cursor..<cursor
            typed = value?.text ?? ""
            areValues = true
            found = Self.values(of: field, typed, term.comparison, names, count)
        case .unknownField, .keyword, .open, .close: return nil
        }
        candidates = Array(found.prefix(most))
        // What is complete already needs no offer.
        if candidates.isEmpty || candidates.contains(where: { $0.text == typed }) { return nil }
    }

    private static func begins(_ name: String, _ typed: String) -> Bool {
        QueryNames.folded(name).hasPrefix(QueryNames.folded(typed))
    }

    private static func values(
        of field: QueryField,
        _ typed: String,
        _ comparison: QueryComparison,
        _ names: QueryNames,
        _ count: (ManagedObjectID) -> Int?
    ) -> [Candidate] {
        var found: [Candidate] = []
        // Names have no order and no pattern.
        let takesNames = [.fits, .equal, .notEqual].contains(comparison)
        switch field.kind {
        case .tag where takesNames:
            let name = typed.hasPrefix("#") ? String(typed.dropFirst()) : typed
            // A name that is a word of the language is written with its sign.
            found = names.tags(completing: name, count).map {
                let text = QueryCompiler.isWord($0.name) ? "#\($0.name)" : $0.name
                return Candidate(text: QueryText(text).printedValue, count: $0.uses)
            }
        case .list where takesNames:
            found = names.lists(completing: typed, count).map {
                let text = QueryText(QueryNames.written($0.path)).printedValue
                return Candidate(text: text, count: $0.uses)
            }
        case .location where takesNames:
            let name = QueryCompiler.locationName(typed)
            found = names.locations(completing: name).map {
                let text = QueryCompiler.isWord($0.name) ? "@\($0.name)" : $0.name
                return Candidate(text: QueryText(text).printedValue, count: nil)
            }
        default: break
        }
        found.sort { ($0.count ?? 0) > ($1.count ?? 0) }
        let examples = field.examples.filter {
            begins($0, comparison == .fits ? typed : comparison.rawValue + typed)
        }
        return found
            + examples.map {
                let text =
                    comparison == .fits ? $0 : String($0.dropFirst(comparison.rawValue.count))
                return Candidate(text: text, count: nil)
            }
    }
}
