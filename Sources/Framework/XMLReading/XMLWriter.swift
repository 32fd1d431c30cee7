public import FoundationEssentials

/// Writes XML into memory, as UTF-8.
public struct XMLWriter {
    public private(set) var data: Data

    public init(capacity: Int = 0) {
        data = Data()
        data.reserveCapacity(capacity)
    }

    /// Adds markup, or text that needs no escaping.
    public mutating func add(_ markup: String) {
        var markup = markup
        markup.withUTF8 { data.append($0) }
    }

    /// Adds markup of the program.
    public mutating func add(markup: StaticString) {
        data.append(markup.utf8Start, count: markup.utf8CodeUnitCount)
    }

    /// Adds markup that was made before.
    public mutating func add(markup: ContiguousArray<UInt8>) { data.append(contentsOf: markup) }

    /// Adds text; a reader gets every character back.
    ///
    /// Quotes and line ends are escaped too, so the text may be the value of an attribute.
    public mutating func add(text: String) {
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            for place in bytes.indices {
                guard let escaped = XMLWriter.escape(bytes[place]) else { continue }
                data.append(UnsafeBufferPointer(rebasing: bytes[start..<place]))
                data.append(escaped.utf8Start, count: escaped.utf8CodeUnitCount)
                start = place + 1
            }
            data.append(UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// How a character of one byte is written in text; `nil` if it stands for itself.
    public static func escape(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        // A reader turns these into a line feed, or into blanks.
        case UInt8(ascii: "\r"): "&#13;"
        case UInt8(ascii: "\n"): "&#10;"
        case UInt8(ascii: "\t"): "&#9;"
        default: nil
        }
    }

    /// Whether XML can hold every character of a text: control characters and U+FFFE, U+FFFF it
    /// cannot, not even escaped.
    public static func canHold(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            for (place, byte) in bytes.enumerated() {
                if byte >= 0x20 {
                    // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
                    if byte == 0xef, place + 2 < bytes.count, bytes[place + 1] == 0xbf,
                        bytes[place + 2] >= 0xbe
                    {
                        return false
                    }
                } else if byte != 9, byte != 10, byte != 13 {
                    return false
                }
            }
            return true
        }
    }
}
