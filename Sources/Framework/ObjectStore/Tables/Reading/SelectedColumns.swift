import ObjectModel

/// The columns that a query for an entity reads, and what of them goes into the cached rows of each
/// concrete entity.
///
/// The first three columns are always Z_PK, Z_ENT and Z_OPT.
package struct SelectedColumns {
    /// Where a column of a cached row comes from.
    package struct Source {
        /// The raw value of a ``RowLayout/Kind``.
        package let kind: UInt8
        /// The column of the query; -1 reads as NULL.
        package let column: Int16
        /// For a reference: the column with the number of the concrete entity, or -1.
        package let entityColumn: Int16
        /// For a reference: the bits of an object ID for the declared entity, key 0.
        package let base: UInt64
    }

    /// The names after the first three.
    private(set) var names: [String] = []
    /// By number in the file; `nil` for an entity that does not belong to the selection.
    package private(set) var sources: [[Source]?]

    private static let fixedColumns = 3

    /// `keys` are the properties that are read; the others have no value in the rows.
    package init(
        _ entities: [EntitySchema],
        only keys: Set<String>? = nil,
        schema: StoreSchema,
        space: UInt16
    ) {
        sources = Array(repeating: nil, count: schema.byNumber.count)
        var positions: [String: Int] = [:]
        var columns: [String] = []
        func position(_ name: String) -> Int16 {
            if let known = positions[name] { return Int16(known) }
            let index = SelectedColumns.fixedColumns + columns.count
            positions[name] = index
            columns.append(name)
            return Int16(index)
        }
        for entity in entities {
            sources[Int(entity.number)] = entity.layout.columns.map { cell in
                guard let stored = entity.columns[cell.slot],
                    keys?.contains(stored.property.name) ?? true
                else {
                    return Source(kind: cell.kind.rawValue, column: -1, entityColumn: -1, base: 0)
                }
                let destination = stored.relationship?.destination?.number ?? 0
                return Source(
                    kind: cell.kind.rawValue,
                    column: position(stored.name),
                    entityColumn: stored.entityColumn.map(position) ?? -1,
                    base: ManagedObjectID(space: space, entity: destination, key: 0).raw
                )
            }
        }
        names = columns
    }

    /// The select list, with the table's alias.
    package func list(_ alias: String) -> String {
        (["Z_PK", "Z_ENT", "Z_OPT"] + names).map { "\(alias).\(quoted($0))" }
            .joined(separator: ", ")
    }
}
