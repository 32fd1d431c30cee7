import Glibc

/// An estimate of how hard a typed password is to guess.
///
/// The method: the text is cut into pieces so that the sum of their costs is smallest. A piece costs
/// - a word of the word list, or a common password: the logarithm of the size of that list, and a bit
///   if it begins with a capital;
/// - a sequence of neighbours in the alphabet, in the digits or on the keyboard, in either direction:
///   the first character, the direction and the length;
/// - a repeated character: that character and the number;
/// - a year from 1900 to 2059: the logarithm of 160;
/// - any other character: the logarithm of the size of its kind (10 digits, 26 letters of a case, 33
///   symbols, 100 for the rest).
///
/// The result is an upper bound for an attacker with this model. It cannot know names, dates or
/// quotations that mean something to the user, so a real attacker may need fewer guesses; only for a
/// generated password is the number of bits exact.
public struct PasswordStrength: Equatable, Sendable {
    /// The base-two logarithm of the number of guesses.
    public let bits: Double

    /// What the number means against somebody who has the store's file.
    public enum Grade: Int, Comparable, Sendable {
        /// Under 28 bits: found by trying.
        case veryWeak
        /// Under 40 bits.
        case weak
        /// Under 60 bits: holds because each guess costs the memory and time of Argon2id.
        case fair
        /// Under 80 bits.
        case strong
        /// 80 bits or more.
        case veryStrong

        public static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }

        /// The grade as people read it.
        public var words: String {
            switch self {
            case .veryWeak: "very weak"
            case .weak: "weak"
            case .fair: "fair"
            case .strong: "strong"
            case .veryStrong: "very strong"
            }
        }
    }

    /// The strength of a password whose number of guesses is known, such as a generated one.
    public init(bits: Double) { self.bits = bits }

    public var grade: Grade {
        switch bits {
        case ..<28: .veryWeak
        case ..<40: .weak
        case ..<60: .fair
        case ..<80: .strong
        default: .veryStrong
        }
    }

    /// Characters that are looked at; more cannot matter.
    private static let longest = 256

    /// Estimates a text.
    ///
    /// - Complexity: 256 characters at most, each with the pieces that begin there.
    public init(of text: String) {
        let characters = Array(text.prefix(Self.longest))
        let lowered = characters.map { $0.lowercased().first ?? $0 }
        var cost = [Double](repeating: .infinity, count: characters.count + 1)
        cost[0] = 0
        for start in characters.indices {
            func offer(_ length: Int, _ bits: Double) {
                cost[start + length] = min(cost[start + length], cost[start] + bits)
            }
            let single = Self.bits(of: characters[start])
            offer(1, single)
            Self.offerWords(lowered, at: start) { length, bits in
                offer(length, bits + (characters[start].isUppercase ? 1 : 0))
            }
            let repeated = characters[start...].prefix { $0 == characters[start] }.count
            for length in stride(from: 3, through: repeated, by: 1) {
                offer(length, single + Self.log2(Double(length)))
            }
            let sequence = Self.sequenceLength(lowered, from: start)
            for length in stride(from: 3, through: sequence, by: 1) {
                offer(length, single + 1 + Self.log2(Double(length)))
            }
            if let year = Int(String(characters[start...].prefix(4))), (1900...2059).contains(year)
            {
                offer(4, Self.log2(160))
            }
        }
        bits = cost[characters.count]
    }

    static func log2(_ number: Double) -> Double { Glibc.log2(number) }

    /// What a character costs alone.
    private static func bits(of character: Character) -> Double {
        guard let byte = character.asciiValue else { return log2(100) }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return log2(10)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return log2(26)
        default: return log2(33)
        }
    }

    private static func offerWords(
        _ text: [Character],
        at start: Int,
        _ offer: (_ length: Int, _ bits: Double) -> Void
    ) {
        for length in 3...longestWord where start + length <= text.count {
            let piece = String(text[start..<start + length])
            if common.contains(piece) {
                offer(length, log2(Double(common.count)))
            } else if words.contains(piece) {
                offer(length, log2(Double(words.count)))
            }
        }
    }

    private static let words = Set(WordList.words)
    private static let longestWord = 10
    /// What is tried first everywhere.
    private static let common = Set(
        """
        password passwort passw0rd p4ssw0rd letmein welcome admin administra login secret master
        dragon monkey iloveyou princess sunshine football baseball superman batman trustno1 shadow
        michael jordan hunter killer hello freedom whatever ninja mustang abc abc123 qwerty qwertz
        azerty test guest root user default changeme access flower pokemon starwars computer
        internet samsung google docket vault
        """.split(whereSeparator: \.isWhitespace).map { String($0) }
    )

    /// Rows whose neighbours are typed one after the other.
    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm",
        "qwertzuiop", "yxcvbnm", "azertyuiop",
    ].map { Array($0) }

    /// How many characters from here are neighbours in a row, in one direction.
    private static func sequenceLength(_ text: [Character], from start: Int) -> Int {
        var longest = 1
        for row in rows {
            for step in [1, -1] {
                for place in row.indices where row[place] == text[start] {
                    var length = 1
                    while start + length < text.count,
                        row.indices.contains(place + step * length),
                        row[place + step * length] == text[start + length]
                    {
                        length += 1
                    }
                    longest = max(longest, length)
                }
            }
        }
        return longest
    }
}
