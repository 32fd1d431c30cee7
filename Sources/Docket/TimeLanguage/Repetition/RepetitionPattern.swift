import CivilTime
import Recurrence

/// A read clause of ``RepetitionWords``, divided into its words.
struct RepetitionPattern: Sendable {
    enum Element: Sendable {
        case word([String], isOptional: Bool)
        /// Values in words, or plain numbers.
        case values(isNumbers: Bool)
    }

    let clause: RepetitionWords.Clause
    let elements: [Element]

    init(_ clause: RepetitionWords.Clause, _ text: String) {
        self.clause = clause
        elements = text.split(separator: " ").map { piece in
            if piece == "#" || piece == "%" { return .values(isNumbers: piece == "%") }
            let isOptional = piece.hasSuffix("?")
            let words = piece.dropLast(isOptional ? 1 : 0).split(separator: "|").map(String.init)
            return .word(words, isOptional: isOptional)
        }
    }

    static func all(_ language: Language) -> [RepetitionPattern] {
        switch language {
        case .english: english
        case .german: german
        }
    }

    private static let english = RepetitionWords.english.read.map { RepetitionPattern($0, $1) }
    private static let german = RepetitionWords.german.read.map { RepetitionPattern($0, $1) }
}
