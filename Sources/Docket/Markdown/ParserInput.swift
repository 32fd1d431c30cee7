// The parser knows no `[[title]]`, and a title may have any signs. So each ASCII punctuation sign of a
// link is given to it as one of the 32 noncharacters from U+FDD0 on, which it takes as letters, and
// is changed back in what it returns. Those of the text itself are replaced, like all that is not a
// character.

/// The bytes of a section as the parser gets them.
struct ParserInput {
    let bytes: [UInt8]

    init(_ text: [UInt8], _ extent: MarkdownSource.Extent, _ links: [TitleLink]) {
        var result: [UInt8] = []
        result.reserveCapacity(extent.range.count + 64)
        result += text[extent.fence]
        if !extent.fence.isEmpty { result.append(0x0A) }
        var place = extent.range.lowerBound
        for link in links {
            ParserInput.add(text[place..<link.range.lowerBound], to: &result)
            for byte in text[link.range] {
                guard let number = signs.firstIndex(of: byte) else {
                    result.append(byte)
                    continue
                }
                result += [0xEF, 0xB7, 0x90 + UInt8(number)]
            }
            place = link.range.upperBound
        }
        ParserInput.add(text[place..<extent.range.upperBound], to: &result)
        bytes = result
    }

    private static func add(_ part: ArraySlice<UInt8>, to result: inout [UInt8]) {
        let start = result.count
        result += part
        var place = start
        while let lead = result[place...].firstIndex(of: 0xEF) {
            place = lead + 1
            if lead + 2 < result.count, result[lead + 1] == 0xB7,
                (0x90...0xAF).contains(result[lead + 2])
            {
                result[lead + 1] = 0xBF
                result[lead + 2] = 0xBD
            }
        }
    }

    /// The text of bytes that the parser has returned.
    static func plain(_ bytes: [UInt8]) -> String {
        guard bytes.contains(0xEF) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            if let sign = sign(bytes, at: place) {
                result.append(sign)
                place += 3
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The sign of a link that begins at a place.
    static func sign(_ bytes: [UInt8], at place: Int) -> UInt8? {
        guard place + 2 < bytes.count, bytes[place] == 0xEF, bytes[place + 1] == 0xB7,
            (0x90...0xAF).contains(bytes[place + 2])
        else { return nil }
        return signs[Int(bytes[place + 2] - 0x90)]
    }
}

/// The punctuation signs of ASCII.
private let signs = Array("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".utf8)
