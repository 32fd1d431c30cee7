import ObjectModel

/// A text of comma-separated values in memory, in which all rows have as many fields as the first.
///
/// ```swift
/// let rows = try CSVText("name,age\nAda,36\n").rows
/// ```
///
/// ``CSVRows`` reads a larger one row by row.
public struct CSVText {
    /// A field and its place in the text.
    public typealias Field = CSVRows.Field

    /// The rows in the order of the text.
    public private(set) var rows: [[Field]] = []

    /// - Parameter bytes: the text.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat``, with line
    ///   and column.
    /// - Complexity: O(bytes).
    public init(_ bytes: some Sequence<UInt8>) throws {
        var reader = CSVRows(bytes: Array(bytes))
        do throws(CSVRows.Problem) {
            while let row = try reader.next() { rows.append(row) }
        } catch {
            throw CSVText.error(error.reason, error.line, error.column)
        }
        for row in rows where row.count != rows[0].count {
            throw CSVText.error(
                "the row has \(row.count) fields, but the first row \(rows[0].count)",
                row[row.count - 1].line,
                row[row.count - 1].column
            )
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
