import SeededRandom

extension SeededRandom {
    /// Short texts from alphabets in which folding, marks and jamo meet often.
    mutating func text(upTo length: Int = 12) -> String {
        let blocks: [ClosedRange<UInt32>] = [
            0x41...0x7A, 0x20...0x3A, 0xC0...0x17F, 0x300...0x345, 0x300...0x330, 0x391...0x3C9,
            0x410...0x44F, 0x483...0x489, 0x5D0...0x5EA, 0x5B0...0x5C7, 0x905...0x94D,
            0xF71...0xF81, 0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2, 0x1AB0...0x1ABE,
            0x1E00...0x1FFF, 0x20D0...0x20DF, 0x3041...0x309A, 0xAC00...0xAC40, 0xFB00...0xFB4E,
            0x1D15E...0x1D164, 0x1F600...0x1F610, 0x2F800...0x2F810,
        ]
        var text = String.UnicodeScalarView()
        let few = (0..<3).compactMap { _ in blocks.randomElement(using: &self) }
        for _ in 0..<Int.random(in: 0...length, using: &self) {
            let block = few.randomElement(using: &self) ?? 0x61...0x7A
            if let scalar = Unicode.Scalar(UInt32.random(in: block, using: &self)) {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// Texts of few letters, so that parts of them often occur in others.
    mutating func word(upTo length: Int = 4) -> String {
        let letters = ["a", "A", "b", "e", "é", "e\u{301}", "E", "ß", "s", "S", "か\u{3099}", "か"]
        return (0..<Int.random(in: 0...length, using: &self))
            .map { _ in letters.randomElement(using: &self) ?? "a" }.joined()
    }
}
