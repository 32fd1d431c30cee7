/// Whether the letters of a query occur in a title in their order, and how well.
///
/// Each matched letter counts; it counts more if it starts a word, and more if it directly follows
/// the letter before. Of two places for a letter, the one at a word's start is used if the rest of
/// the query still fits after it.
struct MenuMatcher {
    private let letters: [Character]

    init(_ query: String) {
        letters = query.lowercased().filter { $0 != " " }.map { $0 }
    }

    /// The indexes of the matched characters in the title, and a score; nil if it does not match.
    /// - Complexity: O(title × query) at worst.
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
        var places: [Int] = []
        var score = 0
        var next = 0
        for (index, letter) in letters.enumerated() {
            let rest = letters[(index + 1)...]
            guard let place = place(of: letter, from: next, rest: rest, in: characters) else {
                return nil
            }
            score += 1
            if place == next, index > 0 { score += 2 }
            if isWordStart(place, in: characters) { score += 2 }
            places.append(place)
            next = place + 1
        }
        return (places, score)
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

    private func place(
        of letter: Character,
        from start: Int,
        rest: ArraySlice<Character>,
        in characters: [Character]
    ) -> Int? {
        guard let first = characters[start...].firstIndex(of: letter) else { return nil }
        let better = characters.indices[first...].first { place in
            characters[place] == letter && isWordStart(place, in: characters)
        }
        if let better, fits(rest, in: characters[(better + 1)...]) { return better }
        return first
    }

    private func fits(
        _ letters: ArraySlice<Character>,
        in characters: ArraySlice<Character>
    ) -> Bool {
        var rest = characters
        for letter in letters {
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    private func isWordStart(_ place: Int, in characters: [Character]) -> Bool {
        guard place > 0 else { return true }
        let before = characters[place - 1]
        return !(before.isLetter || before.isNumber)
    }
}
