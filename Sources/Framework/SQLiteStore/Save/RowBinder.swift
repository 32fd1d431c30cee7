import CSQLite
import FoundationEssentials
import ObjectModel
import ObjectStore

/// Binds the values of a row without an allocation: texts are copied to a buffer that lives until
/// the statement has run.
///
/// Its state is behind pointers, so that a loop needs no check of exclusive access.
///
/// Safety: its owner, a save, frees both after the last statement that uses them.
struct RowBinder {
    private let buffer: UnsafeMutableRawPointer
    private let used: UnsafeMutablePointer<Int>

    private static let size = 1 << 16

    init() {
        buffer = UnsafeMutableRawPointer.allocate(byteCount: RowBinder.size, alignment: 16)
        used = .allocate(capacity: 1)
        used.initialize(to: 0)
    }

    func deallocate() {
        buffer.deallocate()
        used.deallocate()
    }

    /// Discards the bound texts after their statement has run.
    @inline(__always)
    func reset() { used.pointee = 0 }

    /// Binds a value that is not a reference; `layout` gives the column's layout where it matters.
    ///
    /// - Throws: what a transformer throws.
    @inline(__always)
    func bind(
        _ value: GraphValue,
        _ column: BoundColumn,
        to statement: Statement,
        at index: Int32,
        layout: () -> RowLayout.Column
    ) throws {
        let handle = statement.handle
        switch (column.kind, value) {
        case (_, .null): sqlite3_bind_null(handle, index)
        case (.integer, .int(let number)): sqlite3_bind_int64(handle, index, number)
        case (.integer, .bool(let flag)): sqlite3_bind_int64(handle, index, flag ? 1 : 0)
        case (.real, .double(let number)): sqlite3_bind_double(handle, index, number)
        case (.real, .date(let date)):
            sqlite3_bind_double(handle, index, date.timeIntervalSinceReferenceDate)
        case (.text, .string(let text)):
            try text.withBytes { try bind(text: $0, at: index, to: statement) }
        case (.text, .decimal(let number)) where number.isNaN: sqlite3_bind_null(handle, index)
        case (.text, .decimal(let number)): try bind(number, at: index, to: statement)
        case (.text, _):
            try RowWriter.encoded(value, layout()).withUnsafeBytes {
                try bind(text: $0, at: index, to: statement)
            }
        case (.bytes, .uuid(let uuid)) where column.isUUID:
            try withUnsafeBytes(of: uuid.uuid) {
                try statement.bind(copyingBlob: $0, at: index)
            }
        case (.bytes, _):
            try RowWriter.encoded(value, layout()).withUnsafeBytes {
                try statement.bind(copyingBlob: $0, at: index)
            }
        default: sqlite3_bind_null(handle, index)
        }
    }

    private func bind(
        text bytes: UnsafeRawBufferPointer,
        at index: Int32,
        to statement: Statement
    ) throws {
        let start = used.pointee
        guard start + bytes.count <= RowBinder.size else {
            return try statement.bind(copying: bytes, at: index)
        }
        let target = buffer + start
        if let source = bytes.baseAddress {
            target.copyMemory(from: source, byteCount: bytes.count)
        }
        used.pointee = start + bytes.count
        try statement.check(csqlite_bind_static_text(statement.handle, index, target, bytes.count))
    }

    /// Binds a decimal without loss; see ``DecimalForm``.
    private func bind(_ number: Decimal, at index: Int32, to statement: Statement) throws {
        var text = number.description
        let isExact = DecimalForm.isExactAsNumber(text)
        try text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            if isExact {
                try bind(text: bytes, at: index, to: statement)
            } else {
                try statement.bind(copyingBlob: bytes, at: index)
            }
        }
    }
}

/// How decimal numbers are stored.
///
/// A column of type DECIMAL converts text to a binary number, which is exact for up to 15 digits;
/// Core Data's files have these. A number with more digits, or with an exponent that a decimal could
/// not take back, is stored as its text in a blob, which the column does not convert.
enum DecimalForm {
    static func isExactAsNumber(_ text: String) -> Bool {
        if text.utf8.count > 100 { return false }
        var digits = 0
        var zeros = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0"): if digits > 0 { zeros += 1 }
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                digits += zeros + 1
                zeros = 0
            case UInt8(ascii: "."), UInt8(ascii: "-"): break
            default: return true
            }
        }
        return digits <= 15
    }

    static func argument(_ number: Decimal) -> SQLValue {
        let text = number.description
        return isExactAsNumber(text) ? .text(text) : .blob(Data(text.utf8))
    }
}
