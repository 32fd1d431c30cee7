import CPostgreSQL
import FoundationEssentials

/// The rows that a statement has returned, in binary form.
final class PostgreSQLResult {
    /// Safety: freed with this object.
    let handle: OpaquePointer
    let count: Int

    init(_ handle: OpaquePointer) {
        self.handle = handle
        count = Int(cpg_rows(handle))
    }

    deinit { cpg_clear(handle) }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        cpg_is_null(handle, Int32(row), Int32(column))
    }

    @inline(__always)
    func integer(_ row: Int, _ column: Int) -> Int64 {
        cpg_integer(handle, Int32(row), Int32(column))
    }

    func real(_ row: Int, _ column: Int) -> Double { cpg_real(handle, Int32(row), Int32(column)) }

    /// The bytes of a value; valid as long as the result.
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: cpg_value(handle, Int32(row), Int32(column)),
            count: cpg_length(handle, Int32(row), Int32(column))
        )
    }

    func text(_ row: Int, _ column: Int) -> String {
        let stored = bytes(row, column)
        guard let source = stored.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return ""
        }
        let length = cpg_unescaped_length(source, stored.count)
        if length == stored.count { return String(decoding: stored, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: length) { target in
            if let target = target.baseAddress { cpg_unescape(source, stored.count, target) }
            return length
        }
    }

    func optionalText(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : text(row, column)
    }

    /// The number in the first row and column; `nil` for NULL or no row.
    var number: Int64? { count > 0 && !isNull(0, 0) ? integer(0, 0) : nil }
}
