import CSQLite
import FoundationEssentials
import ObjectModel
import ObjectStore

/// SQL functions that migrations use: `OG_WRAP` and `OG_UNWRAP` for data that may now, or may not
/// any more, be in files.
enum MigrationFunctions {
    static func register(on connection: Connection, folder: String?) {
        add("OG_WRAP", to: connection, nil) { context, value, _ in
            MigrationFunctions.answer(context, ExternalData.inline(data(value)))
        }
        add("OG_UNWRAP", to: connection, folder) { context, value, folder in
            let data = data(value)
            let plain = data.withUnsafeBytes { ExternalData.value($0, in: folder ?? "") }
            guard case .data(let content) = plain else { return sqlite3_result_null(context) }
            MigrationFunctions.answer(context, content)
        }
    }

    private typealias Body = (OpaquePointer?, OpaquePointer?, _ folder: String?) -> Void

    private final class Function {
        let folder: String?
        let body: Body
        init(_ folder: String?, _ body: @escaping Body) {
            self.folder = folder
            self.body = body
        }
    }

    private static func add(
        _ name: String,
        to connection: Connection,
        _ folder: String?,
        _ body: @escaping Body
    ) {
        sqlite3_create_function_v2(
            connection.handle,
            name,
            1,
            SQLITE_UTF8 | SQLITE_INNOCUOUS,
            Unmanaged.passRetained(Function(folder, body)).toOpaque(),
            { context, _, values in
                guard let pointer = sqlite3_user_data(context), let value = values?[0],
                    sqlite3_value_type(value) != SQLITE_NULL
                else { return }
                let function = Unmanaged<Function>.fromOpaque(pointer).takeUnretainedValue()
                function.body(context, value, function.folder)
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

    private static func answer(_ context: OpaquePointer?, _ data: Data) {
        data.withUnsafeBytes {
            sqlite3_result_blob64(
                context,
                $0.baseAddress,
                UInt64($0.count),
                unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            )
        }
    }
}
