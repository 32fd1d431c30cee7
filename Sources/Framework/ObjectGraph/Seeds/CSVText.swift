import ObjectModel

/// Rows of comma-separated values, as RFC 4180 describes them.
///
/// - A field may be in quotes; inside, a comma, a line break and a doubled quote are text.
/// - Lines end with CR LF, LF or CR; the last one need not end. A byte order mark is skipped, and
///   so are lines without anything.
/// - All rows have as many fields as the first; where it is asked for, fewer, but for a last row
///   without a line end: that is what a file that was cut off has.
/// - Text is UTF-8.
public struct CSVText {
    /// A field and its place in the text.
    public struct Field: Equatable {
        /// Without quotes.
        public var text: String
        /// Whether it was in quotes: `""` is an empty text, and nothing at all is no value.
        public var isQuoted = false
        /// From 1; a line break in quotes counts.
        public var line: Int
        /// In characters, from 1.
        public var column: Int
    }

    /// The rows in the order of the text.
    public private(set) var rows: [[Field]] = []

    /// - Parameters:
    ///   - bytes: the text.
    ///   - separator: what is between two fields.
    ///   - allowsShortRows: whether fields may be missing at the end of a row.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat``, with line
    ///   and column.
    /// - Complexity: O(bytes).
    public init(
        _ bytes: some Sequence<UInt8>,
        separator: UInt8 = UInt8(ascii: ","),
        allowsShortRows: Bool = false
    ) throws {
        var parser = CSVParser(Array(bytes), separator)
        while let row = try parser.row() {
            let isShort = row.count < rows.first?.count ?? 0
            if isShort, allowsShortRows, parser.isBehindLineEnd {
                rows.append(row)
                continue
            }
            if let first = rows.first, row.count != first.count, let end = row.last {
                throw CSVText.error(
                    "the row has \(row.count) fields, but the first row \(first.count)",
                    end.line,
                    end.column
                )
            }
            rows.append(row)
        }
    }

    /// Throws what is wrong, with its line and column.
    public init(_ text: String) throws { try self.init(text.utf8) }

    static func error(_ reason: String, _ line: Int, _ column: Int) -> ObjectGraphError {
        ObjectGraphError(
            .invalidFormat,
            "The CSV text is wrong in line \(line), column \(column): \(reason).",
            recovery: "Correct it there."
        )
    }
}

/// Reads one row after the other.
private struct CSVParser {
    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let bytes: [UInt8]
    private let separator: UInt8
    private var place = 0
    private var line = 1
    /// A place in the line and its column: columns are counted on from there.
    private var counted = (place: 0, column: 1)

    init(_ bytes: [UInt8], _ separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            place = 3
            counted.place = 3
        }
    }

    /// Whether what was read last is a line end.
    var isBehindLineEnd: Bool { place > 0 && isBreak(bytes[place - 1]) }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// The next row; `nil` at the end.
    mutating func row() throws -> [CSVText.Field]? {
        while let byte = next, isBreak(byte) { endLine() }
        if next == nil { return nil }
        var fields: [CSVText.Field] = []
        while true {
            fields.append(try field())
            guard let byte = next else { return fields }
            if byte == separator {
                place += 1
            } else {
                endLine()
                return fields
            }
        }
    }

    /// A field; what follows it is a comma, a line break or the end.
    private mutating func field() throws -> CSVText.Field {
        let start = (line, column)
        if next == CSVParser.quote { return try quoted(start) }
        let first = place
        while let byte = next, byte != separator, !isBreak(byte) {
            if byte == CSVParser.quote {
                throw error("a quote is inside a field that does not begin with one")
            }
            place += 1
        }
        let text = try text(bytes[first..<place], start)
        return CSVText.Field(text: text, line: start.0, column: start.1)
    }

    private mutating func quoted(_ start: (Int, Int)) throws -> CSVText.Field {
        var content: [UInt8] = []
        place += 1
        while let byte = next {
            if byte == CSVParser.quote {
                place += 1
                guard next == CSVParser.quote else {
                    if let byte = next, byte != separator, !isBreak(byte) {
                        throw error("text follows the closing quote")
                    }
                    let text = try text(content[...], start)
                    return CSVText.Field(text: text, isQuoted: true, line: start.0, column: start.1)
                }
            } else if isBreak(byte) {
                let first = place
                endLine()
                content += bytes[first..<place]
                continue
            }
            content.append(byte)
            place += 1
        }
        throw CSVText.error("the quote that begins here is not closed", start.0, start.1)
    }

    private func isBreak(_ byte: UInt8) -> Bool {
        byte == CSVParser.newline || byte == CSVParser.carriageReturn
    }

    private mutating func endLine() {
        let isPair = next == CSVParser.carriageReturn
        place += 1
        if isPair, next == CSVParser.newline { place += 1 }
        line += 1
        counted = (place, 1)
    }

    /// The column of the next byte, in characters.
    private var column: Int {
        mutating get {
            let text = String(decoding: bytes[counted.place..<place], as: UTF8.self)
            counted = (place, counted.column + text.count)
            return counted.column
        }
    }

    private func text(_ content: ArraySlice<UInt8>, _ start: (Int, Int)) throws -> String {
        if let text = String(validating: content, as: UTF8.self) { return text }
        throw CSVText.error("the field is not UTF-8", start.0, start.1)
    }

    private mutating func error(_ reason: String) -> ObjectGraphError {
        CSVText.error(reason, line, column)
    }
}
