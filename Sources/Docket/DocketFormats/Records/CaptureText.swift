/// Prepares text for storing and showing.
public enum CaptureText {
    /// Removes control characters (C0 except line feed, DEL, C1), turns tabs into spaces and every
    /// kind of line end into `\n`, and replaces invalid UTF-8 by U+FFFD.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - keepsTabs: whether tabs stay, as in notes, which may have code.
    /// - Returns: the clean text.
    public static func clean(_ bytes: [UInt8], keepsTabs: Bool = false) -> [UInt8] {
        let needsWork = bytes.contains { ($0 < 32 && $0 != 10) || $0 >= 0x7F }
        guard needsWork else { return bytes }
        // Decoding replaces the invalid parts.
        let valid = Array(String(decoding: bytes, as: UTF8.self).utf8)
        var clean: [UInt8] = []
        clean.reserveCapacity(valid.count)
        var at = 0
        while at < valid.count {
            let byte = valid[at]
            let next = at + 1 < valid.count ? valid[at + 1] : 0
            at += 1
            switch byte {
            case 9:
                clean.append(keepsTabs ? 9 : 32)
            case 13:
                if next != 10 { clean.append(10) }
            case 10:
                clean.append(10)
            case 0..<32, 0x7F:
                break
            case 0xC2 where next < 0xA0:
                // C1; of these only NEL (U+0085) is a line end.
                if next == 0x85 { clean.append(10) }
                at += 1
            case 0xE2 where next == 0x80 && at + 1 < valid.count && valid[at + 1] | 1 == 0xA9:
                // U+2028 and U+2029, the line and paragraph separators.
                clean.append(10)
                at += 2
            default:
                clean.append(byte)
            }
        }
        return clean
    }

    /// Whether a text stays as it is; `lines` says whether it may have several, and tabs.
    static func isClean(_ text: String, lines: Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.allSatisfy { at in
                switch bytes[at] {
                case 9, 10: lines
                case 0..<32, 0x7F: false
                case 0xC2: bytes[at + 1] >= 0xA0
                case 0xE2: bytes[at + 1] != 0x80 || bytes[at + 2] | 1 != 0xA9
                default: true
                }
            }
        }
    }

    /// Text of several lines without control characters but tabs, with `\n` as line end.
    public static func cleanText(_ text: String) -> String {
        isClean(text, lines: true)
            ? text : String(decoding: clean(Array(text.utf8), keepsTabs: true), as: UTF8.self)
    }

    /// ``clean(_:keepsTabs:)`` for a text in one line: line ends become spaces too.
    public static func cleanLine(_ text: String) -> String {
        if isClean(text, lines: false) { return text }
        let bytes = clean(Array(text.utf8)).map { $0 == 10 ? 32 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines without blank ones at either end; `nil` if none is left.
    public static func notes(_ bytes: ArraySlice<UInt8>) -> String? {
        var start = bytes.startIndex
        var at = start
        while at < bytes.endIndex, bytes[at] == 10 || bytes[at] == 32 {
            if bytes[at] == 10 { start = at + 1 }
            at += 1
        }
        var end = bytes.endIndex
        while end > at, bytes[end - 1] == 10 || bytes[end - 1] == 32 { end -= 1 }
        return end > at ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
    }

    // MARK: In one short line

    /// The greatest number of characters of a title in a message.
    public static let longestTitle = 40
    /// A character can have any number of marks; more are left out.
    private static let mostScalars = 320

    /// A title in quotation marks; see ``short(_:)``.
    public static func quoted(_ title: String) -> String { "\"\(short(title))\"" }

    /// A text of the user in one short line: without control characters and without marks that
    /// change the direction of the text after them; a long one ends with `…`.
    public static func short(_ text: String) -> String {
        // Before the rest, so that a very long text is not read as a whole.
        let start = text.unicodeScalars.prefix(mostScalars * 2)
        let line = cleanLine(String(start)).unicodeScalars
            .filter { !isDirectionMark($0) }
        let bounded = String(String.UnicodeScalarView(line.prefix(mostScalars))).trimmingSpace
        let isCut =
            line.count > mostScalars || start.endIndex != text.unicodeScalars.endIndex
            || bounded.count > longestTitle
        return isCut ? bounded.prefix(longestTitle - 1) + "…" : bounded
    }

    private static func isDirectionMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// Without white space at both ends.
    public var trimmingSpace: String {
        if let first = utf8.first, let last = utf8.last, 33...126 ~= first, 33...126 ~= last {
            return String(self[...])
        }
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
