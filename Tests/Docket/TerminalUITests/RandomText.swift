import SeededRandom

extension SeededRandom {
    /// Text of all kinds of scalars that matter to width.
    mutating func text(length: Int) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x00...0x1F, 0x7F...0x9F, 0xA0...0x17F, 0x300...0x36F, 0x900...0x97F,
            0x1100...0x11FF, 0x200B...0x200F, 0x3040...0x30FF, 0x4E00...0x4EFF, 0xAC00...0xACFF,
            0xFE00...0xFE0F, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF, 0x1F440...0x1F4FF,
            0x20000...0x200FF, 0xE0100...0xE01EF, 0x10FFF0...0x10FFFF,
        ]
        var scalars = String.UnicodeScalarView()
        for _ in 0..<length {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
