/// The number of terminal columns of a text, by one committed table and the rules of `CellText`.
public enum DisplayWidth {
    /// Columns of a text that is drawn in one line.
    /// - Complexity: O(n); plain ASCII costs one pass over its bytes.
    public static func of(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { of(bytes: $0) }
    }

    /// Columns of a part of a text that is drawn in one line.
    public static func of(_ text: Substring) -> Int {
        var text = text
        return text.withUTF8 { of(bytes: $0) }
    }

    /// Columns of one scalar as a terminal counts them: 0, 1 or 2, and -1 for an unprintable one.
    ///
    /// The terminal library uses the same table, so that it and the canvas cannot disagree.
    public static func ofScalar(_ value: UInt32) -> Int {
        let kind = ScalarClass.of(value)
        return kind == .unprintable ? -1 : Int(kind.columns)
    }

    static func of(bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var plain = true
        for byte in bytes where byte >= 0x80 {
            plain = false
            break
        }
        if plain { return bytes.count }
        var scanner = CellScanner(bytes)
        var columns = 0
        while let cell = scanner.next() { columns += Int(cell.width) }
        return columns
    }

    /// The text, cut to at most `columns`, with an ellipsis if it was cut.
    ///
    /// A wide character is never cut in two, so the result may be one column narrower.
    public static func truncate(
        _ text: String,
        to columns: Int,
        symbols: Symbols = .unicode
    ) -> String {
        guard columns > 0 else { return "" }
        guard of(text) > columns else { return text }
        var text = text
        let end = text.withUTF8 { offset(in: $0, column: columns - 1).offset }
        return String(text.utf8.prefix(end)).map { $0 + String(symbols.ellipsis) } ?? ""
    }

    /// The side of the padding.
    public enum Alignment: Sendable {
        case leading
        case center
        case trailing
    }

    /// The text in exactly `columns`: cut with an ellipsis or filled with blanks.
    public static func pad(
        _ text: String,
        to columns: Int,
        alignment: Alignment = .leading,
        symbols: Symbols = .unicode
    ) -> String {
        let cut = truncate(text, to: columns, symbols: symbols)
        let missing = max(0, columns - of(cut))
        let before =
            switch alignment {
            case .leading: 0
            case .center: missing / 2
            case .trailing: missing
            }
        let blanks = { String(repeating: " ", count: $0) }
        return blanks(before) + cut + blanks(missing - before)
    }

    /// The last cell boundary at or before a column, as an offset in UTF-8 and its column.
    static func offset(
        in bytes: UnsafeBufferPointer<UInt8>,
        column limit: Int
    ) -> (offset: Int, column: Int) {
        var scanner = CellScanner(bytes)
        var column = 0
        var offset = 0
        while let cell = scanner.next(), column + Int(cell.width) <= limit {
            column += Int(cell.width)
            offset = scanner.offset
        }
        return (offset, column)
    }
}
