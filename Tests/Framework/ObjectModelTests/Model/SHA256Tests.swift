import Testing

@testable import ObjectModel

/// The digest below the version hashes, with the examples of FIPS 180-4 and what `sha256sum` prints.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
    ])
    func digestIsTheStandards(_ text: String, _ count: Int, _ digest: String) {
        let bytes = SHA256.digest(Array(String(repeating: text, count: count).utf8))
        let shown = bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        #expect(shown == digest)
    }
}
