import CSodium

/// A secret that was generated, with its strength.
public struct GeneratedPassword: Sendable {
    /// The password, or the words with what separates them.
    public let text: String
    /// The base-two logarithm of how many results were equally likely.
    public let bits: Double
}

/// Generates passwords of characters, and passphrases of words.
///
/// Every allowed result is equally likely: choices use random numbers without bias, and a result
/// without a required kind of character is discarded as a whole.
public enum PasswordGenerator {
    /// Kinds of characters.
    public struct Characters: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let lowercase = Characters(rawValue: 1)
        public static let uppercase = Characters(rawValue: 2)
        public static let digits = Characters(rawValue: 4)
        public static let symbols = Characters(rawValue: 8)
        /// Leaves out characters that look like others: 0 O o, 1 l I |, 5 S, 2 Z, 8 B, and quotes.
        public static let unambiguous = Characters(rawValue: 16)

        /// Every kind; characters that look like others are among them.
        public static let all: Characters = [.lowercase, .uppercase, .digits, .symbols]

        /// The sets that a password takes its characters from.
        var sets: [[UInt8]] {
            let sets: [(Characters, String)] = [
                (.lowercase, "abcdefghijklmnopqrstuvwxyz"),
                (.uppercase, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
                (.digits, "0123456789"),
                (.symbols, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
            ]
            let ambiguous = Set("0Oo1lI|5S2Z8B'\"`".utf8)
            return sets.filter { contains($0.0) }.map { set in
                set.1.utf8.filter { !contains(.unambiguous) || !ambiguous.contains($0) }
            }
        }
    }

    /// The lengths of passwords.
    public static let lengths = 4...256
    /// How many words a passphrase can have.
    public static let wordCounts = 3...32

    /// A password with at least one character of each chosen kind.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/invalidForm`` for a length out of
    ///   bounds or no kind of characters.
    public static func password(
        length: Int = 20,
        of characters: Characters = .all
    ) throws -> GeneratedPassword {
        try Sodium.start()
        let sets = characters.sets
        guard lengths.contains(length), !sets.isEmpty else {
            throw EncryptionError(
                .invalidForm,
                "A password has 4 to 256 characters, of at least one kind.",
                recovery: "Choose another length, or allow letters, digits or symbols."
            )
        }
        let alphabet = sets.flatMap { $0 }
        while true {
            let bytes = (0..<length).map { _ in alphabet[random(below: alphabet.count)] }
            if sets.allSatisfy({ set in bytes.contains { set.contains($0) } }) {
                return GeneratedPassword(
                    text: String(decoding: bytes, as: UTF8.self),
                    bits: bits(length, sets.map(\.count))
                )
            }
        }
    }

    /// Words of a list of 1,024, each worth ten bits.
    ///
    /// The separator keeps apart what other words could give too.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/invalidForm`` for a number out of
    ///   bounds.
    public static func passphrase(
        words count: Int = 7,
        separator: String = "-"
    ) throws -> GeneratedPassword {
        try Sodium.start()
        guard wordCounts.contains(count), !separator.isEmpty,
            !separator.contains(where: \.isLowercase)
        else {
            throw EncryptionError(
                .invalidForm,
                "A passphrase has 3 to 32 words with something between them that is not a letter.",
                recovery: "Choose another number of words or another separator."
            )
        }
        let words = WordList.words
        let chosen = (0..<count).map { _ in words[random(below: words.count)] }
        return GeneratedPassword(
            text: chosen.joined(separator: separator),
            bits: Double(count) * PasswordStrength.log2(Double(words.count))
        )
    }

    /// A random number without bias.
    private static func random(below limit: Int) -> Int {
        Int(randombytes_uniform(UInt32(limit)))
    }

    /// The logarithm of how many texts have a character of each set: all texts, without those that
    /// miss a set, with those that miss two again, and so on.
    static func bits(_ length: Int, _ sizes: [Int]) -> Double {
        let total = Double(sizes.reduce(0, +))
        var share = 0.0
        for missing in 0..<(1 << sizes.count) {
            let left = sizes.indices.filter { missing >> $0 & 1 == 0 }.map { sizes[$0] }
            let sign: Double = (sizes.count - left.count).isMultiple(of: 2) ? 1 : -1
            var term = sign
            for _ in 0..<length { term *= Double(left.reduce(0, +)) / total }
            share += term
        }
        return Double(length) * PasswordStrength.log2(total) + PasswordStrength.log2(share)
    }
}
