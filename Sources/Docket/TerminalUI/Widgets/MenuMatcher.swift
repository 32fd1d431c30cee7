/// Whether the letters of a query occur in a title in their order, and how well.
///
/// A letter starts a word or is in the word of the letter before it, so that `reveal` is not found in
/// "Remove the credential". Each matched letter counts; it counts more if it starts a word, and more
/// if it directly follows the letter before. Of two places for a letter, the one at a word's start is
/// used if the rest of the query still fits after it.
struct MenuMatcher {
    private let letters: [Character]

    init(_ query: String) {
        letters = query.lowercased().filter { $0 != " " }.map { $0 }
    }

    /// The indexes of the matched characters in the title, and a score; nil if it does not match.
    /// - Complexity: O(title × query).
    func match(_ title: String) -> (places: [Int], score: Int)? {
        let characters = title.map(small)
        guard !letters.isEmpty else { return ([], 0) }
        if let run = contiguous(in: characters) {
            let start = isWordStart(run, in: characters)
            return (
                Array(run..<run + letters.count),
                letters.count * 4 + (start ? 6 : 0) + (run == 0 ? 4 : 0)
            )
        }
        guard let places = scattered(in: characters) else { return nil }
        var score = 0
        var next = 0
        for (index, place) in places.enumerated() {
            score += 1
            if place == next, index > 0 { score += 2 }
            if isWordStart(place, in: characters) { score += 2 }
            next = place + 1
        }
        return (places, score)
    }

    /// The number of words of a title before a place.
    static func word(at place: Int, in title: String) -> Int {
        title.prefix(place).count { $0 == " " }
    }

    /// The lower-case form, if it is one character too, so that indexes stay those of the title.
    private func small(_ character: Character) -> Character {
        let text = character.lowercased()
        return text.count == 1 ? Character(text) : character
    }

    private func contiguous(in characters: [Character]) -> Int? {
        guard characters.count >= letters.count else { return nil }
        var found: Int?
        for start in 0...(characters.count - letters.count)
        where characters[start] == letters[0]
            && characters[start..<start + letters.count].elementsEqual(letters)
        {
            if isWordStart(start, in: characters) { return start }
            if found == nil { found = start }
        }
        return found
    }

    /// The places of letters that are not beside each other.
    private func scattered(in characters: [Character]) -> [Int]? {
        let starts = characters.indices.map { isWordStart($0, in: characters) }
        // By letter and its place: the place of the letter after it; from the last letter on.
        var following: [[Int?]] = []
        var fits = characters.map { $0 == letters[letters.count - 1] }
        for letter in letters.dropLast().reversed() {
            var next = [Int?](repeating: nil, count: characters.count)
            var (start, inWord): (Int?, Int?) = (nil, nil)
            for place in characters.indices.reversed() {
                if characters[place] == letter { next[place] = start ?? inWord }
                if starts[place] {
                    inWord = nil
                    if fits[place] { start = place }
                } else if fits[place] {
                    inWord = place
                }
            }
            fits = next.map { $0 != nil }
            following.append(next)
        }
        let first = fits.indices.first { fits[$0] && starts[$0] } ?? fits.firstIndex(of: true)
        guard var place = first else { return nil }
        var places = [place]
        for next in following.reversed() {
            guard let found = next[place] else { return nil }
            place = found
            places.append(place)
        }
        return places
    }

    private func isWordStart(_ place: Int, in characters: [Character]) -> Bool {
        guard place > 0 else { return true }
        let before = characters[place - 1]
        return !(before.isLetter || before.isNumber)
    }
}
