import ObjectModel
import SeededRandom
import Testing

@testable import SearchLanguage

@Suite struct QueryPatternTests {
    @Test(arguments: [
        ("rent", "Pay rent", true), ("^rent", "Pay rent", false), ("^pay", "Pay rent", true),
        ("rent$", "Pay rent", true), ("pay$", "Pay rent", false), ("a.*t", "Pay rent", true),
        ("r[ae]nt", "Pay rent", true), ("r[^ae]nt", "Pay rent", false),
        ("(pay|buy) r", "Pay rent", true),
        ("x|y|rent", "Pay rent", true), (#"\d+"#, "Room 12", true), (#"^\D+$"#, "Room 12", false),
        ("amter", "Call the Ämter", true), ("Ä", "amter", true), ("^$", "", true),
        ("^$", "a", false),
        ("a?b+c*$", "bb", true), (#"\(x\)"#, "f(x)", true), ("(ab)+$", "ababab", true),
        ("straße", "STRASSE", true),
        ("[ä-ö]", "n", true),
    ])
    func aPatternIsFoundWhateverTheCaseAndTheAccents(
        _ pattern: String,
        _ text: String,
        _ isFound: Bool
    ) throws {
        #expect(try QueryPattern(pattern).isFound(in: text) == isFound)
    }

    @Test(arguments: [
        "", "(", ")", "a)", "[", "[a", "*", "a|*", "\\", #"\q"#, "[z-a]",
        String(repeating: "a", count: 201),
    ])
    func aTextThatIsNoPatternGetsASentence(_ text: String) {
        #expect(throws: QueryPattern.Failure.self) { try QueryPattern(text) }
    }

    /// Backtracking would take 2 to the power of 5,000 steps.
    @Test func aPatternThatIsHardForOthersEnds() throws {
        let text = String(repeating: "a", count: 5000) + "b"
        #expect(try !QueryPattern("^(a+)+$").isFound(in: text))
        #expect(try !QueryPattern("^(a|a)*c").isFound(in: text))
    }

    /// Swift's own patterns have the same meaning for what both have.
    @Test(arguments: SeededRandom.seeds(20))
    func randomPatternsFindWhatSwiftFinds(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func pattern(_ depth: Int) -> String {
            switch random.below(depth > 3 ? 3 : 8) {
            case 0, 1: return random.pick(["a", "b", "c", "."])
            case 2: return random.pick(["[ab]", "[^a]", #"\w"#])
            case 3: return pattern(depth + 1) + pattern(depth + 1)
            case 4: return "(" + pattern(depth + 1) + "|" + pattern(depth + 1) + ")"
            case 5: return "(" + pattern(depth + 1) + ")" + random.pick(["*", "+", "?"])
            case 6: return pattern(depth + 1) + "$"
            default: return "^" + pattern(depth + 1)
            }
        }
        for _ in 0..<40 {
            let pattern = pattern(0)
            guard pattern.utf8.count <= QueryPattern.longest else { continue }
            let ours = try QueryPattern(pattern)
            let regex = try Regex(pattern).dotMatchesNewlines().matchingSemantics(.unicodeScalar)
            for _ in 0..<10 {
                let text = (0..<random.below(8)).map { _ in random.pick(["a", "b", "c"]) }.joined()
                #expect(
                    ours.isFound(in: text) == (text.firstMatch(of: regex) != nil),
                    "\(pattern) in \(text)"
                )
            }
        }
    }

    /// Also of patterns with more states than are kept, and with the same matcher for all texts.
    @Test(arguments: SeededRandom.seeds(6))
    func aMatcherFindsWhatThePatternFinds(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "a", "b", "ä", "日", ".", "[ab]", "[^a]", "\\d", "\\w", "\\s", "^", "$", "(a|b)",
            "(a*b)?", "x+",
            "(ab|ba)*", "|", "a?a?a?",
        ]
        var compared = 0
        var found = 0
        for _ in 0..<200 {
            let text = (0...random.below(8)).map { _ in random.pick(pieces) }.joined()
            guard let pattern = try? QueryPattern(text) else { continue }
            let matcher = QueryPatternMatcher(pattern)
            for _ in 0..<20 {
                let letters = ["a", "b", "x", "ä", "日", "1", " ", "🌱"]
                let line = (0..<random.below(12)).map { _ in random.pick(letters) }.joined()
                let folded = TextFolding.foldedBytes(line, options: QueryPattern.folding)
                let one = pattern.isFound(in: line)
                let other = folded.withUnsafeBufferPointer { matcher.isFound(inFolded: $0) }
                #expect(one == other, "seed \(seed): \(text) in \(line)")
                compared += 1
                found += one ? 1 : 0
            }
        }
        #expect(compared > 1000 && found > 100 && found < compared - 100)
    }

    @Test func aMatcherOfManyStatesForgetsAndGoesOn() throws {
        // The last twelve characters are remembered: 4096 states.
        let pattern = try QueryPattern("a...........$")
        let matcher = QueryPatternMatcher(pattern)
        var random = SeededRandom(seed: 7)
        for _ in 0..<400 {
            let line = String((0..<60).map { _ in random.chance(2) ? Character("a") : "b" })
            let bytes = Array(line.utf8)
            let found = bytes.withUnsafeBufferPointer { matcher.isFound(inFolded: $0) }
            #expect(found == (bytes[bytes.count - 12] == UInt8(ascii: "a")), "\(line)")
        }
    }
}
