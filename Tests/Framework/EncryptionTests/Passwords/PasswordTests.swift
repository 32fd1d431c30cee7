import Foundation
import Testing

@testable import Encryption

@Suite("Passwords")
struct PasswordTests {
    @Test(arguments: [4, 5, 20, 256])
    func passwordHasItsLengthAndEveryKind(_ length: Int) throws {
        for _ in 0..<50 {
            let text = try PasswordGenerator.password(length: length).text
            #expect(text.count == length)
            #expect(text.contains { $0.isLowercase })
            #expect(text.contains { $0.isUppercase })
            #expect(text.contains { $0.isNumber })
            #expect(text.contains { !$0.isLetter && !$0.isNumber })
        }
    }

    @Test func ambiguousCharactersAreLeftOutOnRequest() throws {
        let sets = PasswordGenerator.Characters([.all, .unambiguous]).sets
        let letters = String(decoding: sets.flatMap { $0 }, as: UTF8.self)
        for letter in "0O1lI|5S2Z8B'\"`" { #expect(!letters.contains(letter)) }
        #expect(Set(letters).count == letters.count)
    }

    @Test(arguments: [0, 3, 257, -1, .max])
    func lengthOutOfBoundsIsRefused(_ length: Int) {
        #expect(throws: EncryptionError.self) { try PasswordGenerator.password(length: length) }
        #expect(throws: EncryptionError.self) {
            try PasswordGenerator.password(length: 20, of: [])
        }
        #expect(throws: EncryptionError.self) {
            try PasswordGenerator.password(length: 20, of: .unambiguous)
        }
    }

    @Test func charactersAreEquallyFrequent() throws {
        // 26 letters, 25,600 draws: 985 each, standard deviation 31; six of them never happen.
        var counts: [Character: Int] = [:]
        for _ in 0..<100 {
            let text = try PasswordGenerator.password(length: 256, of: .lowercase).text
            for letter in text { counts[letter, default: 0] += 1 }
        }
        #expect(counts.count == 26)
        for (letter, count) in counts { #expect((800...1170).contains(count), "\(letter)") }
    }

    @Test func bitsCountWhatIsPossible() {
        #expect(abs(PasswordGenerator.bits(10, [26]) - 10 * 4.700_44) < 1e-3)
        // Two sets of one character, length two: "ab" and "ba" of four.
        #expect(abs(PasswordGenerator.bits(2, [1, 1]) - 1) < 1e-9)
        // Three sets of 1, 2 and 3 characters, length three: 6 orders of 1·2·3 texts.
        #expect(abs(PasswordGenerator.bits(3, [1, 2, 3]) - PasswordStrength.log2(36)) < 1e-9)
    }

    @Test func wordListHasDistinctPlainWords() {
        let words = WordList.words
        #expect(words.count == 1024)
        #expect(Set(words).count == 1024)
        #expect(words.allSatisfy { (3...7).contains($0.utf8.count) })
        #expect(words.allSatisfy { $0.utf8.allSatisfy { (97...122).contains($0) } })
    }

    @Test(arguments: [3, 7, 32])
    func passphraseHasItsWords(_ count: Int) throws {
        let made = try PasswordGenerator.passphrase(words: count)
        let words = made.text.split(separator: "-").map { String($0) }
        #expect(words.count == count)
        #expect(words.allSatisfy { WordList.words.contains($0) })
        #expect(made.bits == Double(10 * count))
    }

    @Test func passphraseThatCouldBeReadTwoWaysIsRefused() {
        for separator in ["", "a", " and "] {
            #expect(throws: EncryptionError.self) {
                try PasswordGenerator.passphrase(words: 5, separator: separator)
            }
        }
        #expect(throws: EncryptionError.self) { try PasswordGenerator.passphrase(words: 2) }
        #expect(throws: EncryptionError.self) { try PasswordGenerator.passphrase(words: 33) }
    }

    @Test(arguments: [
        "", "a", "password", "Password1", "qwertyuiop", "123456789", "abcdefghijkl", "aaaaaaaaaaaa",
        "19841984", "zyxwvut", "letmein!",
    ])
    func commonPasswordsAreVeryWeak(_ text: String) {
        #expect(PasswordStrength(of: text).grade == .veryWeak)
    }

    @Test func estimateOfGeneratedPassphraseIsNearItsBits() throws {
        for _ in 0..<20 {
            let made = try PasswordGenerator.passphrase(words: 6)
            let bits = PasswordStrength(of: made.text).bits
            // The separators are guessed too; a short word can be cheaper by another cut.
            #expect(bits <= made.bits + 5 * 5.1)
            #expect(bits >= made.bits * 0.8)
        }
    }

    @Test func estimateOfGeneratedPasswordIsStrong() throws {
        #expect(PasswordStrength(of: try PasswordGenerator.password().text).grade == .veryStrong)
    }

    @Test func unrelatedPiecesAddUp() {
        let word = PasswordStrength(of: "walrus").bits
        #expect(PasswordStrength(of: "walrus#walrus").bits > 2 * word)
        #expect(PasswordStrength(of: "Walrus").bits == word)
    }

    @Test func strangeTextIsEstimated() {
        for text in ["\0\0\0", "👩‍👩‍👧‍👦é\u{301}", "İıſß", String(repeating: "x", count: 100_000)] {
            #expect(PasswordStrength(of: text).bits.isFinite)
        }
    }
}
