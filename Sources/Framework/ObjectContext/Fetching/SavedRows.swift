public import ObjectModel
public import ObjectStore

/// The rows of some objects as they were saved at one moment, in the requested order.
///
/// They can be read on any thread. Safety: nothing changes them, and the store does not refer to them.
public final class SavedRows: @unchecked Sendable {
    private let ids: [ManagedObjectID]
    private let rows: RowCache
    private let layouts: [UInt16: RowLayout]

    init(_ ids: [ManagedObjectID], _ rows: RowCache, _ layouts: [UInt16: RowLayout]) {
        self.ids = ids
        self.rows = rows
        self.layouts = layouts
    }

    /// Calls the body with each object that had a row; the reader is valid only during the call.
    public func visit(_ body: (ManagedObjectID, RowReader) throws -> Void) rethrows {
        var last: (entity: UInt16, layout: RowLayout)?
        for id in ids {
            guard let blob = rows.blob(id) else { continue }
            if last?.entity != id.entityNumber {
                last = layouts[id.entityNumber].map { (id.entityNumber, $0) }
            }
            if let last { try body(id, RowReader(blob, last.layout)) }
        }
    }
}

extension ManagedObjectContext {
    /// The rows of some objects of one store, read now; cached ones are not used.
    ///
    /// With `keys` only these properties can be read from the rows; the others may have no value
    /// there.
    ///
    /// - Throws: the store's error.
    /// - Complexity: a constant number of statements for each some hundred objects; nothing stays
    ///   in the row cache.
    public func savedRows(
        of ids: [ManagedObjectID],
        only keys: Set<String>? = nil
    ) throws -> SavedRows {
        let rows = RowCache()
        var layouts: [UInt16: RowLayout] = [:]
        if let first = ids.first {
            try source.checkCanRead(first)
            try source.withStore(of: first) { store in
                if let keys {
                    try store.read(ids, only: keys, into: rows)
                } else {
                    try store.read(ids, into: rows)
                }
                for id in ids where layouts[id.entityNumber] == nil {
                    layouts[id.entityNumber] = coordinator.entity(of: id).map { store.layout($0) }
                }
            }
        }
        return SavedRows(ids, rows, layouts)
    }
}
