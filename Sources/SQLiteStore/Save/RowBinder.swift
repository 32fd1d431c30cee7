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
        layout: () -> RowLayout.Column
    ) throws {
        let handle = statement.handle
        let index = column.index
        switch (column.kind, value) {
        case (_, .null): sqlite3_bind_null(handle, index)
        case (.integer, .int(let number)): sqlite3_bind_int64(handle, index, number)
        case (.integer, .bool(let flag)): sqlite3_bind_int64(handle, index, flag ? 1 : 0)
        case (.real, .double(let number)): sqlite3_bind_double(handle, index, number)
        case (.real, .date(let date)):
            sqlite3_bind_double(handle, index, date.timeIntervalSinceReferenceDate)
        case (.text, .string(var text)):
            text.withUTF8 { bind(text: UnsafeRawBufferPointer($0), at: index, to: handle) }
        case (.text, .decimal(let number)) where number.isNaN: sqlite3_bind_null(handle, index)
        case (.text, .decimal(let number)): bind(number, at: index, to: handle)
        case (.text, _):
            try RowWriter.encoded(value, layout()).withUnsafeBytes {
                bind(text: $0, at: index, to: handle)
            }
        case (.bytes, .uuid(let uuid)) where column.isUUID:
            withUnsafeBytes(of: uuid.uuid) {
                _ = csqlite_bind_copied_blob(handle, index, $0.baseAddress, $0.count)
            }
        case (.bytes, _):
            try RowWriter.encoded(value, layout()).withUnsafeBytes {
                _ = csqlite_bind_copied_blob(handle, index, $0.baseAddress, $0.count)
            }
        default: sqlite3_bind_null(handle, index)
        }
    }

    private func bind(
        text bytes: UnsafeRawBufferPointer,
        at index: Int32,
        to handle: OpaquePointer?
    ) {
        let start = used.pointee
        guard start + bytes.count <= RowBinder.size else {
            csqlite_bind_copied_text(handle, index, bytes.baseAddress, bytes.count)
            return
        }
        let target = buffer + start
        if let source = bytes.baseAddress {
            target.copyMemory(from: source, byteCount: bytes.count)
        }
        used.pointee = start + bytes.count
        csqlite_bind_static_text(handle, index, target, bytes.count)
    }

    /// Binds a decimal without loss; see ``DecimalForm``.
    private func bind(_ number: Decimal, at index: Int32, to handle: OpaquePointer?) {
        var text = number.description
        let isExact = DecimalForm.isExactAsNumber(text)
        text.withUTF8 { bytes in
            if isExact {
                bind(text: UnsafeRawBufferPointer(bytes), at: index, to: handle)
            } else {
                _ = csqlite_bind_copied_blob(handle, index, bytes.baseAddress, bytes.count)
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
