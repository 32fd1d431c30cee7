/// A content line of RFC 5545 (section 3.1), without its folds: a name, parameters and a value.
struct ICalendarLine {
    /// In capital letters; empty for a line that is no content line.
    let name: String
    private let bytes: ArraySlice<UInt8>
    private let nameEnd: Int
    private let colon: Int

    /// - Parameter bytes: a line without folds and line end.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var isQuoted = false
        var (nameEnd, colon, first): (Int?, Int?, Int?)
        for place in bytes.indices {
            switch bytes[place] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted && nameEnd == nil: nameEnd = place
            case UInt8(ascii: ":"):
                first = first ?? place
                if !isQuoted { colon = place }
            default: continue
            }
            if colon != nil { break }
        }
        // Of a quotation mark that nothing closes, only the colons tell where the value begins.
        self.colon = colon ?? first ?? bytes.endIndex
        self.nameEnd = min(nameEnd ?? self.colon, self.colon)
        name =
            self.colon == bytes.endIndex
            ? "" : ICalendarText.capitals(bytes[bytes.startIndex..<self.nameEnd])
    }

    var value: ArraySlice<UInt8> { bytes[min(colon + 1, bytes.endIndex)...] }

    /// What stands before the value: the name with its parameters.
    var head: ArraySlice<UInt8> { bytes[..<colon] }

    /// The value without control characters and spaces at its ends, as it is written.
    var word: String {
        if value.allSatisfy({ $0 > 32 && $0 < 127 }) {
            return String(decoding: value, as: UTF8.self)
        }
        return CaptureText.cleanLine(String(decoding: value, as: UTF8.self)).trimmingSpace
    }

    /// The value as text, without the escapes of section 3.3.11.
    var text: String { ICalendarText.unescaped(value) }

    /// The texts of a value with commas between.
    var texts: [String] {
        var texts: [String] = []
        var start = value.startIndex
        var isEscaped = false
        for place in value.indices {
            if isEscaped {
                isEscaped = false
            } else if value[place] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if value[place] == UInt8(ascii: ",") {
                texts.append(ICalendarText.unescaped(value[start..<place]))
                start = place + 1
            }
        }
        return texts + [ICalendarText.unescaped(value[start...])]
    }

    /// The value of a parameter, without its quotes and the escapes of RFC 6868; `nil` if it is not
    /// there.
    func parameter(_ wanted: String) -> String? {
        var start = nameEnd + 1
        while start < colon {
            var (end, isQuoted) = (start, false)
            while end < colon, isQuoted || bytes[end] != UInt8(ascii: ";") {
                if bytes[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
                end += 1
            }
            let parameter = bytes[start..<end]
            start = end + 1
            guard let sign = parameter.firstIndex(of: UInt8(ascii: "=")),
                ICalendarText.capitals(parameter[..<sign]) == wanted
            else { continue }
            return ICalendarText.parameterValue(parameter[(sign + 1)...])
        }
        return nil
    }

    func isParameter(_ name: String, _ value: String) -> Bool {
        nameEnd < colon && parameter(name)?.uppercased() == value
    }
}

/// The text of iCalendar: escapes, and lines of at most 75 octets.
enum ICalendarText {
    /// A name, as it is compared: in capital letters, as are those of the standard.
    static func capitals(_ bytes: ArraySlice<UInt8>) -> String {
        let isCapital = bytes.allSatisfy { $0 < 97 || $0 > 122 }
        return isCapital
            ? String(decoding: bytes, as: UTF8.self)
            : String(decoding: bytes.map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }, as: UTF8.self)
    }

    static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                switch byte {
                case UInt8(ascii: "n"), UInt8(ascii: "N"): plain.append(10)
                case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"): plain.append(byte)
                default: plain += [UInt8(ascii: "\\"), byte]
                }
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                plain.append(byte)
            }
        }
        if isEscaped { plain.append(UInt8(ascii: "\\")) }
        return String(decoding: plain, as: UTF8.self)
    }

    static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 8)
        for byte in text.utf8 {
            switch byte {
            case 10: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"):
                bytes += [UInt8(ascii: "\\"), byte]
            case 0..<9, 11..<32, 127: break
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// A parameter's value without its quotes and the escapes of RFC 6868.
    static func parameterValue(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String(decoding: bytes, as: UTF8.self)
        text.removeAll { $0 == "\"" }
        guard text.utf8.contains(UInt8(ascii: "^")) else { return text }
        var (plain, isEscaped) = ("", false)
        for scalar in text.unicodeScalars {
            guard isEscaped else {
                isEscaped = scalar == "^"
                if !isEscaped { plain.unicodeScalars.append(scalar) }
                continue
            }
            isEscaped = false
            switch scalar {
            case "n": plain.append("\n")
            case "'": plain.append("\"")
            case "^": plain.append("^")
            default: plain += "^\(scalar)"
            }
        }
        return isEscaped ? plain + "^" : plain
    }

    /// A value for a parameter, in quotes where it needs them.
    static func parameter(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "^": text += "^^"
            case "\n": text += "^n"
            case "\"": text += "^'"
            case _ where scalar.value < 32 || scalar.value == 127: break
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text.contains { ":;,".contains($0) } ? "\"\(text)\"" : text
    }

    /// Appends a line, folded without cutting a character.
    static func append(_ line: [UInt8], lineEnd: [UInt8], to bytes: inout [UInt8]) {
        var start = 0
        while line.count - start > (start == 0 ? 75 : 74) {
            var end = start + (start == 0 ? 75 : 74)
            let most = end
            while end > start, line[end] & 0xC0 == 0x80 { end -= 1 }
            if end == start { end = most }
            bytes += line[start..<end]
            bytes += lineEnd
            bytes.append(32)
            start = end
        }
        bytes += line[start...]
        bytes += lineEnd
    }

    /// Removes the folds of lines: each line end before a space or a tab, with these.
    static func unfolded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            let next = place + 1
            let isFold =
                byte == 10 && next < bytes.endIndex && (bytes[next] == 32 || bytes[next] == 9)
            if isFold {
                if plain.last == 13 { plain.removeLast() }
                place += 2
            } else {
                plain.append(byte)
                place = next
            }
        }
        return plain
    }

    /// Lines without folds, folded.
    static func folded(_ lines: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        let lines = lines.split(separator: 10, omittingEmptySubsequences: false)
        for line in lines.last?.isEmpty == true ? lines.dropLast() : lines[...] {
            let isCRLF = line.last == 13
            let text = Array(isCRLF ? line.dropLast() : line)
            append(text, lineEnd: isCRLF ? [13, 10] : [10], to: &bytes)
        }
        return bytes
    }
}
