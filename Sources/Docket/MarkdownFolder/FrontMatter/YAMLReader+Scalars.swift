// Texts: plain, in quotes, and as a block of lines.
extension YAMLReader {
    // MARK: Plain

    /// Reads a text without quotes.
    ///
    /// `parent` is the column that lines which continue it are behind; `nil` for one that
    ///   ends with its line, unless it is in brackets.
    mutating func plainNode(in parent: Int?) throws(YAMLProblem) -> YAMLNode {
        let start = at
        guard let first = byte() else { throw problem("a value is missing") }
        let isSign = "-?:".utf8.contains(first)
        if isSign && (isBlank(1) || flowDepth > 0 && isFlowSign(byte(1)))
            || ",[]{}#&*!|>'\"%@`".utf8.contains(first)
        {
            throw problem("a value cannot begin with \"\(Character(Unicode.Scalar(first)))\"")
        }
        var text = plainPart()
        var end = at
        while parent != nil || flowDepth > 0 {
            skipBlanks()
            guard isLineEnd, at < bytes.endIndex else { break }
            let place = self
            var breaks = 0
            while isLineEnd, at < bytes.endIndex {
                skipBreak()
                breaks += 1
                skipBlanks()
            }
            let isInside = flowDepth > 0 || parent.map { indentation > $0 } ?? false
            guard at < bytes.endIndex, isInside, byte() != UInt8(ascii: "#"), !isDocumentMark,
                !(byte() == UInt8(ascii: ":") && isBlank(1)),
                !(flowDepth > 0 && (isFlowSign(byte()) || byte() == UInt8(ascii: ":")))
            else {
                self = place
                break
            }
            let part = plainPart()
            text += breaks == 1 ? [32] : [UInt8](repeating: 10, count: breaks - 1)
            text += part
            end = at
        }
        at = end
        return YAMLNode(
            content: .scalar(String(decoding: text, as: UTF8.self), isPlain: true),
            range: start..<end
        )
    }

    /// The column of the first sign of the line, without tabs.
    private var indentation: Int { bytes[lineStart..<at].prefix { $0 == 32 }.count }

    /// Whether a line begins another document.
    private var isDocumentMark: Bool {
        guard column == 0, isBlank(3), at + 3 <= bytes.endIndex else { return false }
        return bytes[at..<at + 3].elementsEqual("---".utf8)
            || bytes[at..<at + 3].elementsEqual("...".utf8)
    }

    /// The part of a plain text that is in this line, without blanks at its end.
    private mutating func plainPart() -> [UInt8] {
        let start = at
        var end = at
        while let byte = byte(), byte != 10, byte != 13 {
            if byte == 32 || byte == 9 {
                at += 1
                continue
            }
            if byte == UInt8(ascii: "#"), at > end { break }
            if byte == UInt8(ascii: ":"), isBlank(1) || flowDepth > 0 && isFlowSign(self.byte(1)) {
                break
            }
            if flowDepth > 0, isFlowSign(byte) { break }
            at += 1
            end = at
        }
        at = end
        return Array(bytes[start..<end])
    }

    // MARK: In quotes

    /// Reads a text in single or double quotes; a line break in it is a blank.
    mutating func quoted() throws(YAMLProblem) -> String {
        let (quote, first) = (bytes[at], line)
        let isDouble = quote == UInt8(ascii: "\"")
        at += 1
        var text: [UInt8] = []
        while true {
            guard let byte = byte() else {
                let sign = Character(Unicode.Scalar(quote))
                throw YAMLProblem(line: first, message: "the quote \(sign) has no end")
            }
            switch byte {
            case quote:
                at += 1
                if isDouble || self.byte() != quote { return String(decoding: text, as: UTF8.self) }
                text.append(quote)
                at += 1
            case UInt8(ascii: "\\") where isDouble: try escape(into: &text)
            case 10, 13: fold(into: &text)
            case 32, 9:
                let start = at
                skipBlanks()
                if !isLineEnd { text += bytes[start..<at] }
            default:
                text.append(byte)
                at += 1
            }
        }
    }

    /// Reads line breaks and the blanks around them.
    private mutating func fold(into text: inout [UInt8]) {
        var breaks = 0
        while isLineEnd, at < bytes.endIndex {
            skipBreak()
            breaks += 1
            skipBlanks()
        }
        text += breaks == 1 ? [32] : [UInt8](repeating: 10, count: breaks - 1)
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "t"): "\t", 9: "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}",
        32: " ", UInt8(ascii: "\""): "\"", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\",
        UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}", UInt8(ascii: "L"): "\u{2028}",
        UInt8(ascii: "P"): "\u{2029}",
    ]

    private mutating func escape(into text: inout [UInt8]) throws(YAMLProblem) {
        at += 1
        guard let sign = byte() else { return }
        if isLineEnd {
            // The line break and the blanks after it do not count, but empty lines do.
            skipBreak()
            skipBlanks()
            while isLineEnd, at < bytes.endIndex {
                text.append(10)
                skipBreak()
                skipBlanks()
            }
            return
        }
        if let scalar = YAMLReader.escapes[sign] {
            text += String(scalar).utf8
            at += 1
            return
        }
        let digits: Int
        switch sign {
        case UInt8(ascii: "x"): digits = 2
        case UInt8(ascii: "u"): digits = 4
        case UInt8(ascii: "U"): digits = 8
        default: throw unknownEscape
        }
        at += 1
        guard var value = number(of: digits) else { throw unknownEscape }
        if digits == 4, (0xD800..<0xDC00).contains(value), byte() == UInt8(ascii: "\\"),
            byte(1) == UInt8(ascii: "u")
        {
            at += 2
            guard let second = number(of: 4), (0xDC00..<0xE000).contains(second) else {
                throw unknownEscape
            }
            value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw unknownEscape }
        text += String(scalar).utf8
    }

    private var unknownEscape: YAMLProblem {
        problem("a backslash in double quotes is not followed by a known sign; write two of them")
    }

    private mutating func number(of digits: Int) -> UInt32? {
        guard at + digits <= bytes.endIndex else { return nil }
        let part = bytes[at..<at + digits]
        guard part.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        at += digits
        return UInt32(String(decoding: part, as: UTF8.self), radix: 16)
    }

    // MARK: Blocks of lines

    /// Reads a text behind `|` or `>`.
    ///
    /// - Returns: the text, and the end of its last line without the line break.
    mutating func blockScalar(in parent: Int) throws(YAMLProblem) -> (text: String, end: Int) {
        let isFolded = byte() == UInt8(ascii: ">")
        at += 1
        var (keepsEnd, dropsEnd) = (false, false)
        var indent: Int?
        while !isBlank() {
            switch byte() {
            case UInt8(ascii: "+") where !keepsEnd && !dropsEnd: keepsEnd = true
            case UInt8(ascii: "-") where !keepsEnd && !dropsEnd: dropsEnd = true
            case let digit? where (49...57).contains(digit) && indent == nil:
                indent = Int(digit) - 48
            default: throw problem("behind | or > only a digit and + or - may stand")
            }
            at += 1
        }
        var end = at
        skipBlanks()
        if byte() == UInt8(ascii: "#"), at > end { while !isLineEnd { at += 1 } }
        if !isLineEnd { throw problem("a text behind | or > begins in the next line") }
        guard at < bytes.endIndex else { return ("", end) }
        skipBreak()
        let least = max(parent + 1, 1)
        let own: Int
        if let indent { own = least + indent - 1 } else { own = try indentation(ofBlockIn: least) }
        var text: [UInt8] = []
        var breaks = blankLines(own)
        while column == own, at < bytes.endIndex {
            text += [UInt8](repeating: 10, count: breaks)
            let isText = byte() != 32 && byte() != 9
            let start = at
            while !isLineEnd { at += 1 }
            text += bytes[start..<at]
            end = at
            let hasBreak = at < bytes.endIndex
            if hasBreak { skipBreak() }
            breaks = blankLines(own)
            if column == own, at < bytes.endIndex {
                if isFolded, isText, byte() != 32, byte() != 9 {
                    if breaks == 0 { text.append(32) }
                } else {
                    text.append(10)
                }
            } else {
                if hasBreak, !dropsEnd { text.append(10) }
                if keepsEnd { text += [UInt8](repeating: 10, count: breaks) }
                return (String(decoding: text, as: UTF8.self), end)
            }
        }
        if keepsEnd { text += [UInt8](repeating: 10, count: breaks) }
        return (String(decoding: text, as: UTF8.self), end)
    }

    /// The column of the first line that is not blank, at least the given one.
    private func indentation(ofBlockIn least: Int) throws(YAMLProblem) -> Int {
        var copy = self
        var most = 0
        while copy.at < bytes.endIndex {
            while copy.byte() == 32 { copy.at += 1 }
            if !copy.isLineEnd || copy.at >= bytes.endIndex { break }
            most = max(most, copy.column)
            copy.skipBreak()
        }
        guard copy.at < bytes.endIndex, copy.column >= least else { return max(least, most) }
        if most > copy.column {
            throw copy.problem("a blank line above this text is indented more than it")
        }
        return copy.column
    }

    /// Moves behind blank lines, and behind the indentation of the next one.
    ///
    /// - Returns: how many there are.
    private mutating func blankLines(_ own: Int) -> Int {
        var count = 0
        while true {
            while column < own, byte() == 32 { at += 1 }
            guard isLineEnd, at < bytes.endIndex else { return count }
            skipBreak()
            count += 1
        }
    }
}
