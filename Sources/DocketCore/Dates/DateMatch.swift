/// A date found in a run of words.
struct DateMatch {
    enum Outcome {
        case date(DueDate)
        /// Why not, as part of a sentence.
        case impossible(String)
    }

    var start: Int
    /// The word behind the phrase.
    var end: Int
    /// Bytes of punctuation at the end of the last word that do not belong to the phrase.
    var tail: Int
    /// Whether it needs support from its surroundings to count inside a title.
    var isWeak: Bool
    var outcome: Outcome

    func bytes(in words: PhraseWords) -> Range<Int> {
        words.ranges[start].lowerBound..<words.ranges[end - 1].upperBound - tail
    }
}
