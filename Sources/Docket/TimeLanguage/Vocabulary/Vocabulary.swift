public import CivilTime

/// The words of one language for time: data only.
///
/// A language is a ``WordTable``. The vocabulary is that table in the form in which words are looked
/// up.
public struct Vocabulary: Sendable {
    public let table: WordTable
    /// Single words, in lower case, without apostrophes.
    private let words: [String: Sense]
    /// Expressions of several words, by their first word; the longest first.
    private let phrases: [String: [Phrase]]

    /// The words after the first one, and the meaning of all.
    public struct Phrase: Sendable {
        public var rest: [String]
        public var sense: Sense
    }

    /// - Complexity: O(size of the table); about 600 words.
    init(_ table: WordTable) {
        self.table = table
        var words: [String: Sense] = [:]
        words.reserveCapacity(1024)
        var phrases: [String: [Phrase]] = [:]
        table.visit { text, change in
            // By bytes: this is a part of the start of a command.
            for name in text.utf8.split(separator: 32) {
                guard let first = name.firstIndex(of: 95) else {
                    change(&words[String(Substring(name)), default: Sense()])
                    continue
                }
                var sense = Sense()
                change(&sense)
                let head = String(Substring(name[..<first]))
                words[head, default: Sense()].roles.formUnion(.phraseStart)
                let rest = name[first...].split(separator: 95).map { String(Substring($0)) }
                // One expression may have several meanings.
                if let place = phrases[head]?.firstIndex(where: { $0.rest == rest }) {
                    change(&phrases[head, default: []][place].sense)
                } else {
                    phrases[head, default: []].append(Phrase(rest: rest, sense: sense))
                }
            }
        }
        self.words = words
        self.phrases = phrases.mapValues { $0.sorted { $0.rest.count > $1.rest.count } }
    }

    /// The meanings of a word in lower case; an empty sense for an unknown word.
    ///
    /// - Complexity: O(length).
    public func sense(of word: String) -> Sense {
        if let sense = words[word] { return sense }
        guard table.joinsWords, word.utf8.count > 5, word.utf8.count < 32 else { return Sense() }
        return joined(word)
    }

    public func phrases(from word: String) -> [Phrase] { phrases[word] ?? [] }

    /// `einundzwanzig`, `freitagabend`: two words of the table in one.
    private func joined(_ word: String) -> Sense {
        let bytes = Array(word.utf8)
        for split in 3..<bytes.count - 2 where bytes[split] & 0xC0 != 0x80 {
            let first = String(decoding: bytes[..<split], as: UTF8.self)
            guard let head = words[first] else { continue }
            let second = String(decoding: bytes[split...], as: UTF8.self)
            if let weekday = head.weekday, let part = words[second]?.part {
                var sense = Sense()
                (sense.weekday, sense.part) = (weekday, part)
                return sense
            }
            if let ones = head.number, (1...9).contains(ones), second.hasPrefix("und"),
                let tail = words[String(second.dropFirst(3))]
            {
                var sense = Sense()
                sense.number = tail.number.map { $0 + ones }
                sense.ordinal = tail.ordinal.map { $0 + ones }
                return sense
            }
        }
        return Sense()
    }
}

extension Language {
    public var vocabulary: Vocabulary {
        switch self {
        case .english: Vocabulary.english
        case .german: Vocabulary.german
        }
    }
}

extension Vocabulary {
    public static let english = Vocabulary(.english)
    public static let german = Vocabulary(.german)
}
