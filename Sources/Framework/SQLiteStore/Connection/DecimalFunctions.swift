import CSQLite
import FoundationEssentials
import ObjectModel

/// Exact decimal numbers in SQL: the collation `OGDecimal`, which orders texts by their numeric
/// value, and the aggregates `OG_SUM` and `OG_AVERAGE`.
enum DecimalFunctions {
    static func register(on handle: OpaquePointer) {
        sqlite3_create_collation_v2(
            handle,
            "OGDecimal",
            SQLITE_UTF8,
            nil,
            { _, leftCount, left, rightCount, right in
                let a = DecimalFunctions.number(left, Int(leftCount))
                let b = DecimalFunctions.number(right, Int(rightCount))
                return a < b ? -1 : a == b ? 0 : 1
            },
            nil
        )
        register("OG_SUM", on: handle) { DecimalFunctions.finish($0, isAverage: false) }
        register("OG_AVERAGE", on: handle) { DecimalFunctions.finish($0, isAverage: true) }
    }

    private static func register(
        _ name: String,
        on handle: OpaquePointer,
        finish: @escaping @convention(c) (OpaquePointer?) -> Void
    ) {
        sqlite3_create_function_v2(
            handle,
            name,
            1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            nil,
            nil,
            { context, _, values in
                guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL,
                    let total = DecimalFunctions.total(context)
                else { return }
                total.count += 1
                total.sum += DecimalFunctions.number(
                    sqlite3_value_text(value),
                    Int(sqlite3_value_bytes(value))
                )
            },
            finish,
            nil
        )
    }

    private final class Total {
        var sum: Decimal = 0
        var count = 0
    }

    /// The running total of an aggregate, created at its first row.
    ///
    /// Safety: SQLite's memory holds the one reference until ``finish(_:isAverage:)`` takes it, which
    /// SQLite also calls after an error.
    private static func total(_ context: OpaquePointer?) -> Total? {
        let size = Int32(MemoryLayout<UnsafeRawPointer?>.size)
        guard let place = sqlite3_aggregate_context(context, size) else { return nil }
        let pointer = place.assumingMemoryBound(to: UnsafeRawPointer?.self)
        if let known = pointer.pointee {
            return Unmanaged<Total>.fromOpaque(known).takeUnretainedValue()
        }
        let total = Total()
        pointer.pointee = UnsafeRawPointer(Unmanaged.passRetained(total).toOpaque())
        return total
    }

    private static func finish(_ context: OpaquePointer?, isAverage: Bool) {
        guard let place = sqlite3_aggregate_context(context, 0),
            let known = place.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee
        else {
            // No row: the sum is 0, the average `nil`.
            if isAverage { sqlite3_result_null(context) } else { sqlite3_result_int(context, 0) }
            return
        }
        // Safety: the reference that `total` has put there; SQLite calls this once.
        let total = Unmanaged<Total>.fromOpaque(known).takeRetainedValue()
        let result = isAverage ? total.sum / Decimal(total.count) : total.sum
        var text = result.description
        text.withUTF8 { csqlite_result_copied_text(context, $0.baseAddress, $0.count) }
    }

    private static func number(_ bytes: UnsafeRawPointer?, _ count: Int) -> Decimal {
        let buffer = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        return Decimal(storedText: String(decoding: buffer, as: UTF8.self)) ?? .nan
    }
}
