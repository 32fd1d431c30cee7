/// Reads the rows of a table one at a time: RFC 4180, with a comma, a semicolon or a tab.
///
/// - A field may be in quotes; inside, the separator, a line break and a doubled quote are text.
/// - Lines end with CR LF, LF or CR; lines without anything are skipped.
/// - A row may have fewer fields than ``width``, but not the last one without a line end: a file
///   that was cut off has that.
/// - What follows a row with a problem is read from the next line on.
struct CSVRows {
    /// A field and the line on which it begins.
    struct Field: Hashable {
        /// Without quotes.
        var text: String
        var line: Int
    }

    /// Why a row cannot be read, in words that follow a colon and do not repeat the row's text.
    struct Problem: Error {
        var line: Int
        var message: String
        var isNotUTF8 = false

        /// The message as a sentence.
        var sentence: String { message.prefix(1).uppercased() + message.dropFirst() + "." }
    }

    private static let quote = UInt8(ascii: "\"")

    private var window: ByteWindow
    private let separator: UInt8
    private var at = 0
    private var line = 1
    /// How many fields a row has at most; `nil` for any number.
    var width: Int?

    init(_ source: ByteSource) {
        window = ByteWindow(source)
        if window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        _ = window.has(8191)
        separator = CSVRows.separator(window.bytes[at...])
    }

    /// The first bytes.
    var beginning: ArraySlice<UInt8> { window.bytes.prefix(8192) }

    /// The separator that is most often in the first line with one, outside of quotes.
    private static func separator(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 10 || byte == 13, !counts.isEmpty { break }
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == 9 {
                counts[byte, default: 0] += 1
            }
        }
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return most?.key ?? UInt8(ascii: ",")
    }

    /// The next row; `nil` at the end.
    mutating func next() throws(Problem) -> [Field]? {
        at -= window.discard(before: at)
        while isBreak(at) { endLine() }
        at -= window.discard(before: at)
        guard window.has(at) else { return nil }
        let start = (at, line)
        do {
            return try row()
        } catch {
            (at, line) = start
            skipLine()
            throw error
        }
    }

    private mutating func row() throws(Problem) -> [Field] {
        let first = line
        var fields: [Field] = []
        while true {
            fields.append(try field())
            guard window.has(at) else { break }
            if window.bytes[at] != separator {
                endLine()
                break
            }
            at += 1
        }
        if window.isOverfull {
            throw Problem(
                line: first,
                message: "the row is longer than \(window.itemLimit >> 20) MB"
            )
        }
        let isCut = window.bytes[at - 1] != 10 && window.bytes[at - 1] != 13
        if let width, fields.count > width || (fields.count < width && isCut) {
            throw Problem(
                line: first,
                message: "the row has \(fields.count) fields, but the first row \(width)"
            )
        }
        return fields
    }

    /// A field; what follows it is a separator, a line break or the end.
    private mutating func field() throws(Problem) -> Field {
        let start = line
        if window.has(at), window.bytes[at] == CSVRows.quote { return try quoted(start) }
        let first = at
        while window.has(at), window.bytes[at] != separator, !isBreak(at) {
            if window.bytes[at] == CSVRows.quote {
                throw Problem(
                    line: start,
                    message: "a quote is inside a field that does not begin with one"
                )
            }
            at += 1
        }
        return try field(window.bytes[first..<at], start)
    }

    private mutating func quoted(_ start: Int) throws(Problem) -> Field {
        var content: [UInt8] = []
        at += 1
        while window.has(at) {
            let byte = window.bytes[at]
            if byte == CSVRows.quote {
                at += 1
                guard window.has(at), window.bytes[at] == CSVRows.quote else {
                    if window.has(at), window.bytes[at] != separator, !isBreak(at) {
                        throw Problem(line: line, message: "text follows the closing quote")
                    }
                    return try field(content[...], start)
                }
            } else if isBreak(at) {
                let first = at
                endLine()
                content += window.bytes[first..<at]
                continue
            }
            content.append(byte)
            at += 1
        }
        throw Problem(
            line: start,
            message: window.isOverfull
                ? "the row is longer than \(window.itemLimit >> 20) MB"
                : "the quote that begins here is not closed"
        )
    }

    private func field(_ content: ArraySlice<UInt8>, _ start: Int) throws(Problem) -> Field {
        if let text = String(validating: content, as: UTF8.self) {
            return Field(text: text, line: start)
        }
        throw Problem(line: start, message: "the field is not UTF-8", isNotUTF8: true)
    }

    private mutating func isBreak(_ offset: Int) -> Bool {
        window.has(offset) && (window.bytes[offset] == 10 || window.bytes[offset] == 13)
    }

    private mutating func endLine() {
        let isPair = window.bytes[at] == 13
        at += 1
        if isPair, window.has(at), window.bytes[at] == 10 { at += 1 }
        line += 1
    }

    /// Moves behind the line, however long it is.
    private mutating func skipLine() {
        while true {
            at -= window.discard(before: at)
            guard window.has(at) else { return }
            if isBreak(at) { return endLine() }
            at += 1
        }
    }
}
