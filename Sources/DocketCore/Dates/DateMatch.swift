import CivilTime

/// A date in a sequence of words.
struct DateMatch {
    enum Outcome {
        case date(DueDate)
        /// The reason, as part of a sentence.
        case impossible(String)
    }

    var start: Int
    /// The index of the word after the phrase.
    var end: Int
    /// Bytes of punctuation at the end of the last word that do not belong to the phrase.
    var tail: Int
    /// Whether it counts inside a title only if the words around it support it.
    var isWeak: Bool
    var outcome: Outcome

    func bytes(in words: PhraseWords) -> Range<Int> {
        words.ranges[start].lowerBound..<words.ranges[end - 1].upperBound - tail
    }
}
