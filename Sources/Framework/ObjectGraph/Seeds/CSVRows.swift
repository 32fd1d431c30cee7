/// Reads rows of comma-separated values one after the other, as RFC 4180 has them.
///
/// ```swift
/// var rows = CSVRows(bytes: Array("name,age\nAda,36\n".utf8))
/// while let row = try rows.next() { print(row.map(\.text)) }
/// ```
///
/// - A field may be in quotes; inside, the separator, a line break and a doubled quote are text.
/// - Rows end with CR LF, LF or CR; empty lines are skipped, and a byte order mark before the first.
/// - What follows a row with a ``Problem`` is read from the line after its first one.
///
/// Only the present row is in memory.
public struct CSVRows {
    /// A field and its place in the text.
    public struct Field: Hashable, Sendable {
        /// Without quotes.
        public var text: String
        /// Whether it was in quotes: `""` is an empty text, and nothing at all is no value.
        public var isQuoted = false
        /// From 1; a line break in quotes counts.
        public var line: Int
        /// In Unicode scalars, from 1.
        public var column: Int
    }

    /// Why a row cannot be read.
    public struct Problem: Error, Hashable, Sendable {
        /// The place, as that of a field.
        public var line: Int
        public var column: Int
        /// In words that follow a colon and do not repeat the row's text.
        public var reason: String
        /// Whether the text has another encoding.
        public var isNotUTF8 = false
    }

    private static let quote = UInt8(ascii: "\"")

    /// How many fields a row has at most; `nil` for any number.
    ///
    /// A row may have fewer of them, but not one without a line end: a text that was cut off has
    /// that.
    public var width: Int?
    private var separator = UInt8(ascii: ",")
    private let rowLimit: Int
    private var source: (() -> [UInt8]?)?
    private var bytes: [UInt8] = []
    /// The next byte, and the first one of the row.
    private var at = 0
    private var start = 0
    private var (line, column) = (1, 1)
    private var isTooLong = false

    /// Reads a text in parts.
    ///
    /// - Parameters:
    ///   - separator: what is between two fields; `nil` for the one of comma, semicolon and tab that
    ///     is most often in the first line with one, outside of quotes.
    ///   - rowLimit: how many bytes a row has at most.
    ///   - source: makes the next part; `nil` at the end.
    public init(
        separator: UInt8? = UInt8(ascii: ","),
        rowLimit: Int = .max,
        from source: @escaping () -> [UInt8]?
    ) {
        self.rowLimit = rowLimit
        self.source = source
        if beginning.starts(with: [0xEF, 0xBB, 0xBF]) { (at, start) = (3, 3) }
        self.separator = separator ?? CSVRows.separator(of: beginning)
    }

    /// Reads a text in memory.
    public init(bytes: [UInt8], separator: UInt8? = UInt8(ascii: ",")) {
        var rest: [UInt8]? = bytes
        self.init(separator: separator) {
            defer { rest = nil }
            return rest
        }
    }

    /// The bytes of the present part, at least 8 KB if the text has so many.
    public var beginning: ArraySlice<UInt8> {
        mutating get {
            while bytes.count < 8192, fill() {}
            return bytes.prefix(8192)
        }
    }

    private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
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

    // MARK: Bytes

    private mutating func fill() -> Bool {
        if bytes.count - start >= rowLimit { isTooLong = true }
        guard !isTooLong, let part = source?() else {
            if !isTooLong { source = nil }
            return false
        }
        bytes += part
        return true
    }

    private var nextByte: UInt8? {
        mutating get {
            while at >= bytes.count {
                if !fill() { return nil }
            }
            return bytes[at]
        }
    }

    private static func isBreak(_ byte: UInt8?) -> Bool { byte == 10 || byte == 13 }

    /// Begins a row, and gives back the bytes before it if they are many.
    private mutating func begin() {
        isTooLong = false
        if at >= 1 << 16, at >= bytes.count / 2 {
            bytes.removeFirst(at)
            at = 0
        }
        start = at
    }

    private mutating func skip() {
        at += 1
        column += 1
    }

    private mutating func endLine() {
        let isPair = nextByte == 13
        at += 1
        if isPair, nextByte == 10 { at += 1 }
        (line, column) = (line + 1, 1)
    }

    /// Goes to the next byte that may end a text.
    private mutating func skipText(isQuoted: Bool) {
        let separator = separator
        repeat {
            let first = at
            let (end, count) = bytes.withUnsafeBufferPointer { buffer in
                var (end, count) = (first, 0)
                while end < buffer.count {
                    let byte = buffer[end]
                    if byte == CSVRows.quote || byte == 10 || byte == 13 { break }
                    if byte == separator, !isQuoted { break }
                    if byte & 0xC0 != 0x80 { count += 1 }
                    end += 1
                }
                return (end, count)
            }
            (at, column) = (end, column + count)
        } while at == bytes.count && fill()
    }

    // MARK: Rows

    /// The next row; `nil` at the end.
    ///
    /// - Throws: ``Problem``; the next call goes on behind the line.
    /// - Complexity: O(bytes).
    public mutating func next() throws(Problem) -> [Field]? {
        repeat {
            begin()
            guard let byte = nextByte else { return nil }
            if !CSVRows.isBreak(byte) { break }
            endLine()
        } while true
        let place = (line, column)
        do { return try row() } catch {
            (at, line, column) = (start, place.0, place.1)
            begin()
            while let byte = nextByte, !CSVRows.isBreak(byte) {
                at += 1
                if at == bytes.count { begin() }
            }
            if nextByte != nil { endLine() }
            throw error
        }
    }

    private mutating func row() throws(Problem) -> [Field] {
        let first = line
        var fields: [Field] = []
        while true {
            fields.append(try field())
            guard let byte = nextByte else { break }
            if byte != separator {
                endLine()
                break
            }
            skip()
        }
        if isTooLong { throw tooLong(first) }
        let isCut = !CSVRows.isBreak(bytes[at - 1])
        if let width, fields.count > width || (fields.count < width && isCut) {
            let reason = "the row has \(fields.count) fields, but the first row \(width)"
            throw Problem(line: first, column: 1, reason: reason)
        }
        return fields
    }

    private func tooLong(_ line: Int) -> Problem {
        Problem(line: line, column: 1, reason: "the row is longer than \(rowLimit >> 20) MB")
    }

    /// A field; what follows it is a separator, a line break or the end.
    private mutating func field() throws(Problem) -> Field {
        let place = (line, column)
        var first = at
        if nextByte != CSVRows.quote {
            skipText(isQuoted: false)
            if nextByte == CSVRows.quote {
                throw problem("a quote is inside a field that does not begin with one")
            }
            return try field(bytes[first..<at], isQuoted: false, place)
        }
        skip()
        first = at
        var hasQuotes = false
        while true {
            skipText(isQuoted: true)
            guard let byte = nextByte else {
                if isTooLong { throw tooLong(place.0) }
                let reason = "the quote that begins here is not closed"
                throw Problem(line: place.0, column: place.1, reason: reason)
            }
            if byte != CSVRows.quote {
                endLine()
                continue
            }
            let end = at
            skip()
            if nextByte == CSVRows.quote {
                hasQuotes = true
                skip()
                continue
            }
            if let byte = nextByte, byte != separator, !CSVRows.isBreak(byte) {
                throw problem("text follows the closing quote")
            }
            if !hasQuotes { return try field(bytes[first..<end], isQuoted: true, place) }
            var isSecond = false
            let text = bytes[first..<end].filter { byte in
                isSecond = byte == CSVRows.quote && !isSecond
                return byte != CSVRows.quote || isSecond
            }
            return try field(text[...], isQuoted: true, place)
        }
    }

    private func field(
        _ content: ArraySlice<UInt8>,
        isQuoted: Bool,
        _ place: (line: Int, column: Int)
    ) throws(Problem) -> Field {
        if let text = String(validating: content, as: UTF8.self) {
            return Field(text: text, isQuoted: isQuoted, line: place.line, column: place.column)
        }
        throw Problem(
            line: place.line,
            column: place.column,
            reason: "the field is not UTF-8",
            isNotUTF8: true
        )
    }

    private func problem(_ reason: String) -> Problem {
        Problem(line: line, column: column, reason: reason)
    }
}
