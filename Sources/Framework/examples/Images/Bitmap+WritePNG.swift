import FoundationEssentials

extension Bitmap {
    /// The picture as a PNG file: 8 bits for each of red, green, blue and alpha.
    ///
    /// Each row is written as the difference from the row above (PNG's filter "Up"). Areas of one
    /// colour, and patterns that repeat downwards, then need almost no space.
    ///
    /// - Complexity: O(pixels).
    var pngData: Data {
        var rows: [UInt8] = []
        rows.reserveCapacity((width * 4 + 1) * height)
        let length = width * 4
        for start in stride(from: 0, to: bytes.count, by: length) {
            rows.append(PNGFile.Filter.up.rawValue)
            for place in start..<start + length {
                rows.append(place < length ? bytes[place] : bytes[place] &- bytes[place - length])
            }
        }
        var file = PNGFile.signature
        PNGFile.append("IHDR", Self.header(width, height), to: &file)
        PNGFile.append("IDAT", PNGFile.compressed(rows), to: &file)
        PNGFile.append("IEND", [], to: &file)
        return Data(file)
    }

    private static func header(_ width: Int, _ height: Int) -> [UInt8] {
        // 8 bits, RGBA, the only compression, the only filter set, no interlacing.
        PNGFile.bytes(UInt32(width)) + PNGFile.bytes(UInt32(height)) + [8, 6, 0, 0, 0]
    }
}
