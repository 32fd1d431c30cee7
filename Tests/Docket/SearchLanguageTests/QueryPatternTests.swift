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
        #expect(QueryPattern.Matcher(try QueryPattern(pattern)).isFound(in: text) == isFound)
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
        #expect(!QueryPattern.Matcher(try QueryPattern("^(a+)+$")).isFound(in: text))
        #expect(!QueryPattern.Matcher(try QueryPattern("^(a|a)*c")).isFound(in: text))
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
            let ours = QueryPattern.Matcher(try QueryPattern(pattern))
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

    /// The same matcher reads all texts; a few patterns have more states than it keeps.
    @Test(arguments: SeededRandom.seeds(6))
    func randomPatternsFindWhatTheirTreeSays(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var compared = 0
        var found = 0
        for _ in 0..<200 {
            let tree = PatternTree.random(&random)
            guard let pattern = try? QueryPattern(tree.text) else { continue }
            let matcher = QueryPattern.Matcher(pattern)
            for _ in 0..<20 {
                let letters = ["a", "b", "x", "日", "1", "٣", " ", "_", "-", "🌱"]
                let line = (0..<random.below(12)).map { _ in random.pick(letters) }.joined()
                let isFound = tree.isFound(in: Array(line.unicodeScalars))
                #expect(
                    matcher.isFound(in: line) == isFound,
                    "seed \(seed): \(tree.text) in \(line)"
                )
                compared += 1
                found += isFound ? 1 : 0
            }
        }
        #expect(compared > 1000 && found > 100 && found < compared - 100)
    }

    /// The last twelve characters are remembered, which are 4,096 states: more than are kept.
    @Test(arguments: [60, 20_000], ["b", "日"])
    func aPatternOfManyStatesIsFoundInShortAndInLongTexts(_ length: Int, _ other: Character) throws
    {
        let matcher = QueryPattern.Matcher(try QueryPattern("a...........$"))
        var random = SeededRandom(seed: 7)
        var found = 0
        for _ in 0..<max(4, 24_000 / length) {
            let line = (0..<length).map { _ in random.chance(2) ? Character("a") : other }
            let isFound = matcher.isFound(in: String(line))
            #expect(isFound == (line[length - 12] == "a"))
            found += isFound ? 1 : 0
        }
        #expect(found > 0)
    }

    @Test func bytesThatAreNoTextAreReadAsUnknownCharacters() throws {
        let matcher = QueryPattern.Matcher(try QueryPattern("^a..b$"))
        let cases: [([UInt8], Bool)] = [
            ([0x61, 0xFF, 0x80, 0x62], true), ([0x61, 0xE6, 0x97, 0x62], true),
            ([0x61, 0xE6, 0x97], false), ([0x61, 0xC3, 0xA9, 0x62], false),
        ]
        for (bytes, isFound) in cases {
            let result = bytes.withUnsafeBufferPointer { matcher.isFound(inFolded: $0) }
            #expect(result == isFound, "\(bytes)")
        }
    }
}

/// A pattern as a tree, and a naive reading of it: the places where each part can end.
private indirect enum PatternTree: Sendable {
    case one(String, @Sendable (Unicode.Scalar) -> Bool)
    case first
    case last
    case sequence([PatternTree])
    case any([PatternTree])
    case repeated(PatternTree, String)

    private static let ones: [PatternTree] = [
        .one("a") { $0 == "a" }, .one("B") { $0 == "b" }, .one("Ä") { $0 == "a" },
        .one("日") { $0 == "日" }, .one(".") { _ in true }, .one("[ab]") { "ab".contains($0) },
        .one("[^a]") { $0 != "a" }, .one("[x-z1]") { "xyz1".contains($0) },
        .one("\\d") { "1٣".contains($0) }, .one("\\D") { !"1٣".contains($0) },
        .one("\\w") { "abx日1٣_".contains($0) }, .one("[^\\w ]") { !"abx日1٣_ ".contains($0) },
        .one("\\s") { $0 == " " }, .one("\\-") { $0 == "-" },
    ]

    static func random(_ random: inout SeededRandom, depth: Int = 0) -> PatternTree {
        switch random.below(depth > 3 ? 8 : 14) {
        case 0..<6: return random.pick(ones)
        case 6: return .first
        case 7: return .last
        case 8..<11:
            return .sequence((0...random.below(4)).map { _ in .random(&random, depth: depth + 1) })
        case 11: return .any((0...random.below(3)).map { _ in .random(&random, depth: depth + 1) })
        default:
            return .repeated(.random(&random, depth: depth + 1), random.pick(["*", "+", "?"]))
        }
    }

    /// As it is typed.
    var text: String {
        switch self {
        case .one(let text, _): text
        case .first: "^"
        case .last: "$"
        case .sequence(let parts): parts.map(\.text).joined()
        case .any(let parts): "(" + parts.map(\.text).joined(separator: "|") + ")"
        case .repeated(let part, let sign): "(" + part.text + ")" + sign
        }
    }

    func isFound(in text: [Unicode.Scalar]) -> Bool {
        (0...text.count).contains { !ends(from: $0, in: text).isEmpty }
    }

    private func ends(from start: Int, in text: [Unicode.Scalar]) -> Set<Int> {
        switch self {
        case .one(_, let fits): start < text.count && fits(text[start]) ? [start + 1] : []
        case .first: start == 0 ? [start] : []
        case .last: start == text.count ? [start] : []
        case .sequence(let parts):
            parts.reduce([start]) { places, part in
                Set(places.flatMap { part.ends(from: $0, in: text) })
            }
        case .any(let parts): Set(parts.flatMap { $0.ends(from: start, in: text) })
        case .repeated(let part, let sign):
            switch sign {
            case "?": part.ends(from: start, in: text).union([start])
            case "+": part.closure(of: part.ends(from: start, in: text), in: text)
            default: part.closure(of: [start], in: text)
            }
        }
    }

    /// Where any number of repetitions can end.
    private func closure(of places: Set<Int>, in text: [Unicode.Scalar]) -> Set<Int> {
        let more = places.union(places.flatMap { ends(from: $0, in: text) })
        return more == places ? places : closure(of: more, in: text)
    }
}

extension String {
    fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}
