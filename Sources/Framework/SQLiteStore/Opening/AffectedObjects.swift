import CSQLite
import ObjectModel

/// The objects whose derived attributes the triggers of a foreign file have recomputed.
///
/// The triggers of Apple's files call functions that Apple's framework registers. Without these
/// functions such a file cannot be written at all.
final class AffectedObjects {
    var objects: [ManagedObjectID] = []
    /// Makes an object ID of an entity number of the file and a key.
    var makeID: ((_ number: Int64, _ key: Int64) -> ManagedObjectID?)?

    private static let functions = [
        "NSCoreDataDATriggerUpdatedAffectedObjectValue",
        "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ]

    /// Registers the functions.
    ///
    /// Safety: each holds `self` until the connection drops it, also if it is not registered.
    func register(on connection: Connection) {
        for name in AffectedObjects.functions {
            sqlite3_create_function_v2(
                connection.handle,
                name,
                5,
                SQLITE_UTF8 | SQLITE_INNOCUOUS,
                Unmanaged.passRetained(self).toOpaque(),
                { context, count, values in
                    guard count == 5, let values, let data = sqlite3_user_data(context) else {
                        return
                    }
                    let affected = Unmanaged<AffectedObjects>.fromOpaque(data)
                        .takeUnretainedValue()
                    let number = sqlite3_value_int64(values[1])
                    let key = sqlite3_value_int64(values[2])
                    if let id = affected.makeID?(number, key) { affected.objects.append(id) }
                    sqlite3_result_null(context)
                },
                nil,
                nil,
                { data in
                    if let data { Unmanaged<AffectedObjects>.fromOpaque(data).release() }
                }
            )
        }
    }
}
