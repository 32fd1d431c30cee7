import CivilTime

/// A text of the interface: an English sentence with its values, made in a language when it is
/// shown.
///
/// ```swift
/// let phrase: Phrase = "Moved \(count) items to \(name)"
/// phrase.text  // Moved 3 items to Work; in German „3 Einträge nach Work verschoben“
/// ```
///
/// The English sentence is the key of its translation; the catalogue writes the values as `%1`,
/// `%2`. A value that is a phrase is translated too, any other one stays as it is.
public struct Phrase: ExpressibleByStringInterpolation, Hashable, Sendable,
    CustomStringConvertible
{
    /// The text before the first value.
    fileprivate let start: String
    fileprivate let rest: [Piece]

    fileprivate struct Piece: Hashable, Sendable {
        let value: Value
        /// The text between it and the next value.
        var text = ""
    }

    fileprivate indirect enum Value: Hashable, Sendable {
        case text(String)
        case phrase(Phrase)
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var start = ""
        fileprivate var rest: [Piece] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            rest.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ text: String) {
            if rest.isEmpty { start += text } else { rest[rest.count - 1].text += text }
        }

        public mutating func appendInterpolation<Value>(_ value: Value) {
            rest.append(Piece(value: .text("\(value)")))
        }

        public mutating func appendInterpolation(_ phrase: Phrase) {
            rest.append(Piece(value: .phrase(phrase)))
        }
    }

    public init(stringLiteral text: String) { (start, rest) = (text, []) }

    public init(stringInterpolation parts: StringInterpolation) {
        (start, rest) = (parts.start, parts.rest)
    }

    private init(start: String, rest: [Piece]) { (self.start, self.rest) = (start, rest) }

    /// One sentence of two parts.
    public static func + (first: Phrase, second: Phrase) -> Phrase {
        guard var last = first.rest.last else {
            return Phrase(start: first.start + second.start, rest: second.rest)
        }
        last.text += second.start
        return Phrase(start: first.start, rest: first.rest.dropLast() + [last] + second.rest)
    }

    public var isEmpty: Bool { start.isEmpty && rest.isEmpty }

    /// The text in the language of the interface that runs; in English elsewhere.
    public var text: String {
        guard Language.current == .german, let translation = Catalogue.german.translations[key]
        else { return rest.reduce(start) { $0 + $1.value.text + $1.text } }
        return Catalogue.filled(translation, with: rest.map(\.value.text))
    }

    public var description: String { text }

    /// A number with its noun: `1 task`, `3 tasks`.
    public init(_ count: Int, _ noun: String) {
        let word = count == 1 ? " \(noun)" : " \(noun)s"
        self.init(start: "", rest: [Piece(value: .text("\(count)"), text: word)])
    }

    /// The English sentence with its values as `%1`, `%2`.
    private var key: String {
        rest.isEmpty
            ? start
            : rest.enumerated().reduce(start) { "\($0)%\($1.offset + 1)\($1.element.text)" }
    }
}

extension Phrase.Value {
    fileprivate var text: String {
        switch self {
        case .text(let text): text
        case .phrase(let phrase): phrase.text
        }
    }
}

/// A phrase in the language of the interface that runs; see ``Phrase/text``.
public func localized(_ phrase: Phrase) -> String { phrase.text }

/// A word that has several translations, in a context (`msgctxt`).
public func localized(_ word: String, in context: String) -> String {
    Language.current == .german
        ? Catalogue.german.translations["\(context)\u{4}\(word)"] ?? word : word
}
