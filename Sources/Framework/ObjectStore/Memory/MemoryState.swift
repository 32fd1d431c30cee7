import ObjectModel

/// All that an in-memory store holds.
///
/// A value: a copy shares the tables until one of them changes, so a snapshot and the state before a
/// save cost nothing by themselves.
struct MemoryState {
    struct Row {
        var version: Int64
        var values: [GraphValue]
    }

    /// All rows by the number of their entity and their key.
    var tables: [UInt16: [Int64: Row]] = [:]
    var links = MemoryLinks()
    var unique = UniqueValues()
    var lastKeys: [UInt16: Int64] = [:]
    var log = MemoryHistory(after: 0)
    /// Whether a row was deleted since the store was opened.
    var hasDeletedRows = false

    func row(_ id: ManagedObjectID) -> Row? { tables[id.entityNumber]?[id.key] }
}
