import CSodium

/// Base64 as age needs it: canonical, without tolerance for anything else.
///
/// Foundation's decoder accepts bits behind the last byte that are not zero, so that one value has
/// several texts; the formats forbid that.
enum Base64 {
    private static func variant(_ padded: Bool) -> Int32 {
        padded ? sodium_base64_VARIANT_ORIGINAL : sodium_base64_VARIANT_ORIGINAL_NO_PADDING
    }

    static func encode(_ bytes: some Collection<UInt8>, padded: Bool = false) -> [UInt8] {
        let bytes = Array(bytes)
        // One more than the text has, for the zero behind it.
        let size = sodium_base64_encoded_len(bytes.count, variant(padded))
        var text = [CChar](repeating: 0, count: size)
        sodium_bin2base64(&text, size, bytes, bytes.count, variant(padded))
        return text.dropLast().map { UInt8(bitPattern: $0) }
    }

    /// The bytes of a text; `nil` if another text, or none, is the encoding of any bytes.
    static func decode(_ text: some Collection<UInt8>, padded: Bool = false) -> [UInt8]? {
        let letters = text.map { CChar(bitPattern: $0) }
        var bytes = [UInt8](repeating: 0, count: text.count)
        var size = 0
        let code = sodium_base642bin(
            &bytes,
            bytes.count,
            letters,
            letters.count,
            nil,
            &size,
            nil,
            variant(padded)
        )
        // Sodium also takes some bytes that are not letters of the alphabet.
        let result = Array(bytes.prefix(size))
        return code == 0 && encode(result, padded: padded).elementsEqual(text) ? result : nil
    }
}
