import CPostgreSQL
import ObjectModel
import ObjectStore

/// The columns that a query for an entity reads, and how they become the rows of each concrete
/// entity.
final class PostgreSQLSelection {
    let columns: SelectedColumns
    /// By number in the database.
    ///
    /// Safety: freed with this object.
    private let maps: [UnsafeMutableBufferPointer<cpg_column>?]

    init(_ columns: SelectedColumns) {
        self.columns = columns
        maps = columns.sources.map { sources in
            guard let sources else { return nil }
            let map = UnsafeMutableBufferPointer<cpg_column>.allocate(capacity: sources.count)
            _ = map.initialize(
                from: sources.map {
                    cpg_column(
                        kind: $0.kind,
                        column: $0.column,
                        entity_column: $0.entityColumn,
                        base: $0.base
                    )
                }
            )
            return map
        }
    }

    deinit { for map in maps { map?.deallocate() } }

    /// Puts a row of a result into a cache, replacing what is there.
    func store(
        _ result: PostgreSQLResult,
        _ row: Int,
        as id: ManagedObjectID,
        number: Int,
        in rows: RowCache,
        _ bases: UnsafeMutableBufferPointer<UInt64>,
        unlessHeld: Bool = false
    ) {
        guard number < maps.count, let map = maps[number] else { return }
        let version = UInt32(truncatingIfNeeded: result.integer(row, 2))
        if unlessHeld, rows.holds(id, version: version) { return }
        var wanted = 1024
        while true {
            let room = rows.room(wanted)
            guard let target = room.baseAddress else { return }
            let size = cpg_append_row(
                result.handle,
                Int32(row),
                map.baseAddress,
                map.count,
                version,
                bases.baseAddress,
                bases.count,
                ManagedObjectID.keyMask,
                target.assumingMemoryBound(to: UInt8.self),
                room.count
            )
            if size <= room.count {
                rows.commit(target, size: size, for: id)
                return
            }
            wanted = size
        }
    }
}
