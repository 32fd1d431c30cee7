import CSQLite
import FoundationEssentials
import ObjectModel
import ObjectStore

/// SQL functions that migrations use: `OG_WRAP` and `OG_UNWRAP` for data that may now, or may not
/// any more, be in files, and `OG_DEFAULT(n)` for defaults that are made for each row.
enum MigrationFunctions {
    static func register(
        on connection: Connection,
        folder: String?,
        _ madeDefaults: [() throws -> SQLValue]
    ) {
        add("OG_WRAP", to: connection) { value in .blob(ExternalData.inline(data(value))) }
        add("OG_UNWRAP", to: connection) { value in
            let plain = data(value).withUnsafeBytes { ExternalData.value($0, in: folder ?? "") }
            guard case .data(let content) = plain else { return .null }
            return .blob(content)
        }
        add("OG_DEFAULT", to: connection) { try madeDefaults[Int(sqlite3_value_int64($0))]() }
    }

    private final class Function {
        let body: (OpaquePointer?) throws -> SQLValue
        init(_ body: @escaping (OpaquePointer?) throws -> SQLValue) { self.body = body }
    }

    /// Not deterministic for SQLite, so that it is called for every row.
    private static func add(
        _ name: String,
        to connection: Connection,
        _ body: @escaping (OpaquePointer?) throws -> SQLValue
    ) {
        // Safety: SQLite holds the function until the connection closes, or fails to register it.
        sqlite3_create_function_v2(
            connection.handle,
            name,
            1,
            SQLITE_UTF8 | SQLITE_INNOCUOUS,
            Unmanaged.passRetained(Function(body)).toOpaque(),
            { context, _, values in
                guard let pointer = sqlite3_user_data(context), let value = values?[0],
                    sqlite3_value_type(value) != SQLITE_NULL
                else { return }
                let function = Unmanaged<Function>.fromOpaque(pointer).takeUnretainedValue()
                do {
                    MigrationFunctions.answer(context, try function.body(value))
                } catch {
                    sqlite3_result_error(context, "\(error)", -1)
                }
            },
            nil,
            nil,
            { pointer in
                if let pointer { Unmanaged<Function>.fromOpaque(pointer).release() }
            }
        )
    }

    private static func data(_ value: OpaquePointer?) -> Data {
        guard let bytes = sqlite3_value_blob(value) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    private static func answer(_ context: OpaquePointer?, _ value: SQLValue) {
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let number): sqlite3_result_int64(context, number)
        case .real(let number): sqlite3_result_double(context, number)
        case .text(var text):
            text.withUTF8 { csqlite_result_copied_text(context, $0.baseAddress, $0.count) }
        case .blob(let data):
            data.withUnsafeBytes { csqlite_result_copied_blob(context, $0.baseAddress, $0.count) }
        }
    }
}
