import CSQLite
import ObjectModel
import ObjectStore

/// The columns that a query for an entity reads, and how they become the rows of each concrete
/// entity.
final class RowSelection {
    private let columns: SelectedColumns
    /// By number in the file; allocated once, so that no row pays for reference counts.
    ///
    /// Safety: freed with this object.
    private let maps: UnsafeMutableBufferPointer<UnsafeMutableBufferPointer<csqlite_column>>

    /// Whether an entity of the file belongs to the selection.
    private let isKnown: [Bool]

    init(_ columns: SelectedColumns) {
        self.columns = columns
        maps = .allocate(capacity: columns.sources.count)
        for (index, sources) in columns.sources.enumerated() {
            let copy = UnsafeMutableBufferPointer<csqlite_column>.allocate(
                capacity: sources?.count ?? 0
            )
            _ = copy.initialize(
                from: (sources ?? []).map {
                    csqlite_column(
                        kind: $0.kind,
                        column: $0.column,
                        entity_column: $0.entityColumn,
                        base: $0.base
                    )
                }
            )
            maps.initializeElement(at: index, to: copy)
        }
        isKnown = columns.sources.map { $0 != nil }
    }

    deinit {
        for map in maps { map.deallocate() }
        maps.deallocate()
    }

    /// The select list, with the table's alias.
    func list(_ alias: String) -> String { columns.list(alias) }

    /// Puts the current row of a statement into the cache, unless the same version is there.
    @inline(__always)
    func cache(_ statement: Statement, as id: ManagedObjectID, number: Int, in store: SQLiteStore) {
        let version = UInt32(truncatingIfNeeded: statement.integer(2))
        if store.rows.holds(id, version: version) || !isKnown[number] { return }
        append(statement, maps[number], version, as: id, in: store.rows, store.idBases)
    }

    /// Puts the current row of a statement into a cache, replacing what is there.
    @inline(__always)
    func replace(
        _ statement: Statement,
        as id: ManagedObjectID,
        number: Int,
        in rows: RowCache,
        _ idBases: UnsafeMutableBufferPointer<UInt64>
    ) {
        guard isKnown[number] else { return }
        let version = UInt32(truncatingIfNeeded: statement.integer(2))
        append(statement, maps[number], version, as: id, in: rows, idBases)
    }

    @inline(__always)
    private func append(
        _ statement: Statement,
        _ map: UnsafeMutableBufferPointer<csqlite_column>,
        _ version: UInt32,
        as id: ManagedObjectID,
        in rows: RowCache,
        _ idBases: UnsafeMutableBufferPointer<UInt64>
    ) {
        var wanted = 1024
        while true {
            let room = rows.room(wanted)
            guard let target = room.baseAddress else { return }
            let size = csqlite_append_row(
                statement.handle,
                map.baseAddress,
                map.count,
                version,
                csqlite_entities(bases: idBases.baseAddress, count: idBases.count),
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

extension SQLiteStore {
    /// The selection of some properties of an entity's and its descendants' rows; of all for `nil`.
    func selection(_ entity: EntityDescription, only keys: Set<String>?) -> RowSelection {
        guard let keys else { return selection(entity, withDescendants: true) }
        if let known = narrowSelection, known.entity === entity, known.keys == keys {
            return known.selection
        }
        let members = schema.hierarchy(of: entity)
        let made = RowSelection(
            SelectedColumns(members, only: keys, schema: schema, space: space.number)
        )
        narrowSelection = (entity, keys, made)
        return made
    }

    /// The selection for an entity's rows, alone or with its descendants'.
    func selection(_ entity: EntityDescription, withDescendants: Bool) -> RowSelection {
        let list = withDescendants ? 0 : 1
        let index = Int(entity.number)
        if let known = selections[list][index] { return known }
        let members =
            withDescendants
            ? schema.hierarchy(of: entity)
            : [schema.byModelNumber[index]]
                .compactMap { $0 }
        let selection = RowSelection(
            SelectedColumns(members, schema: schema, space: space.number)
        )
        selections[list][index] = selection
        return selection
    }
}
