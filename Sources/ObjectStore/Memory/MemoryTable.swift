import ObjectModel

/// The rows of one entity, found by key and listed in the order of their keys.
struct MemoryTable {
    struct Row {
        var version: Int64
        /// The stored values by slot; slots without a column are `nil`.
        var values: [Value]
    }

    private var rows: [Int64: Row] = [:]
    /// Every key ever set since the list was last put right.
    private var keys: [Int64] = []
    private var isExact = true

    subscript(key: Int64) -> Row? { rows[key] }

    var isEmpty: Bool { rows.isEmpty }

    /// Sets a row and returns the one before.
    mutating func set(_ row: Row, _ key: Int64) -> Row? {
        let old = rows.updateValue(row, forKey: key)
        if old == nil {
            if let last = keys.last, last >= key { isExact = false }
            keys.append(key)
        }
        return old
    }

    mutating func remove(_ key: Int64) -> Row? {
        guard let old = rows.removeValue(forKey: key) else { return nil }
        isExact = false
        return old
    }

    /// The keys of all rows, ascending.
    ///
    /// Cost: O(1), but O(n log n) after a deletion and after a key out of order.
    mutating func sortedKeys() -> [Int64] {
        if !isExact {
            keys = rows.keys.sorted()
            isExact = true
        }
        return keys
    }
}
