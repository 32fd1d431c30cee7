import FoundationEssentials
import ObjectModel
import ObjectStore

extension RowLayout {
    /// A value in the form of its column.
    ///
    /// - Throws: the transformer's error.
    func argument(_ value: GraphValue, slot: Int) throws -> SQLValue {
        let index = slot < columnBySlot.count ? columnBySlot[slot] : -1
        guard index >= 0 else { return .null }
        let column = columns[index]
        switch (column.kind, value) {
        case (.integer, .int(let number)): return .integer(number)
        case (.integer, .bool(let flag)): return .integer(flag ? 1 : 0)
        case (.real, .double(let number)): return .real(number)
        case (.real, .date(let date)): return .real(date.timeIntervalSinceReferenceDate)
        case (_, .null): return .null
        case (.text, .string(let text)): return .text(text)
        case (.text, .decimal(let number)): return DecimalForm.argument(number)
        case (.text, _):
            return .text(String(decoding: try RowWriter.encoded(value, column), as: UTF8.self))
        case (.bytes, .uuid(let uuid)):
            return withUnsafeBytes(of: uuid.uuid) { .blob(Data($0)) }
        case (.bytes, _): return .blob(try RowWriter.encoded(value, column))
        default: return .null
        }
    }
}

extension SQLValue {
    /// The value in the text of a statement.
    var literal: String {
        switch self {
        case .null: return "NULL"
        case .integer(let number): return String(number)
        case .real(let number):
            if number.isNaN { return "NULL" }
            if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
            return number.description
        case .text(let text):
            // SQLite ends the text of a statement at a NUL.
            if text.utf8.contains(0) { return "CAST(\(SQLValue.bytes(Data(text.utf8))) AS TEXT)" }
            return "'\(text.replacing("'", with: "''"))'"
        case .blob(let data): return SQLValue.bytes(data)
        }
    }

    private static func bytes(_ data: Data) -> String {
        var text = "x'"
        for byte in data {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text + "'"
    }
}
