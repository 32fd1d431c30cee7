import Encryption
import ObjectGraph
import ObjectModel

/// The spellings of one passphrase: a letter with an accent is one character or two, by keyboard and
/// system, and looks the same.
enum PassphraseForms {
    /// The form that a new passphrase gets: letters and accents as one character where there is one.
    ///
    /// Bytes that are not UTF-8 stay as they are.
    static func usual(_ passphrase: SecretBytes) throws -> SecretBytes {
        try text(passphrase).map { try secret(composed($0)) } ?? passphrase
    }

    /// The forms with which a vault may have been made, the usual one first; one for a passphrase
    /// without accents.
    static func all(_ passphrase: SecretBytes) throws -> [SecretBytes] {
        guard let text = try text(passphrase) else { return [passphrase] }
        var forms: [SecretBytes] = []
        for form in [composed(text), text, decomposed(text)] {
            let secret = try secret(form)
            if !forms.contains(secret) { forms.append(secret) }
        }
        return forms
    }

    /// The text of bytes that have other forms; `nil` for ASCII and for what is no UTF-8.
    private static func text(_ passphrase: SecretBytes) throws -> String? {
        try passphrase.withBytes { bytes in
            bytes.allSatisfy { $0 < 128 } ? nil : String(validating: bytes, as: UTF8.self)
        }
    }

    private static func secret(_ text: String) throws -> SecretBytes {
        var text = text
        return try text.withUTF8 { try SecretBytes(copying: UnsafeRawBufferPointer($0)) }
    }

    private static func decomposed(_ text: String) -> String {
        TextFolding.fold(text, options: .normalized)
    }

    private static func composed(_ text: String) -> String {
        var single: [String: Unicode.Scalar] = [:]
        // Every letter with accents of its own is there.
        for number in UInt32(0xc0)...0x1fff {
            guard let scalar = Unicode.Scalar(number) else { continue }
            let parts = decomposed(String(scalar))
            if parts.unicodeScalars.count > 1 { single[key(parts)] = scalar }
        }
        var result = String.UnicodeScalarView()
        for character in text {
            if let scalar = single[key(decomposed(String(character)))] {
                result.append(scalar)
            } else {
                result.append(contentsOf: character.unicodeScalars)
            }
        }
        return String(result)
    }

    /// Numbers, because texts that look the same are equal.
    private static func key(_ text: String) -> String {
        text.unicodeScalars.map { String($0.value) }.joined(separator: " ")
    }
}
