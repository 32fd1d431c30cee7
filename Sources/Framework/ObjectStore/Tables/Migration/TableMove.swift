package import ObjectModel

/// How one column of the new layout gets its values from the old table.
package struct ColumnMove {
    package let name: String
    package let type: String
    /// By the old number of the entity: the value of its rows, an SQL expression over the old columns.
    ///
    /// Rows of other entities have none.
    package var values: [Int64: String] = [:]
    /// By the old number of the entity: the old column, where the value is simply that.
    package var plain: [Int64: String] = [:]

    package mutating func set(_ value: String, column: String? = nil, for number: Int64) {
        values[number] = value
        plain[number] = column
    }
}

/// How the rows of one table of the new layout come from a table of the old one.
package final class TableMove {
    package let table: TableSchema
    /// `nil` for a table whose entities are all new.
    package let source: TableSchema?
    /// The entities whose rows move, old and new; they are of one old table.
    package let entities: [(old: EntitySchema, new: EntitySchema)]
    package var columns: [ColumnMove] = []
    /// For each new column that takes over an old one as it is: the old one.
    package private(set) var bases: [String: String] = [:]
    /// Whether the rows go to a new table, instead of the old one being changed.
    package private(set) var rebuilds = false
    /// The old columns that nothing takes over.
    package private(set) var dropped: [String] = []
    /// The entities of the old table that are not wanted any more.
    package private(set) var removed: [EntitySchema] = []

    package init(
        _ table: TableSchema,
        from source: TableSchema?,
        _ entities: [(old: EntitySchema, new: EntitySchema)]
    ) {
        self.table = table
        self.source = source
        self.entities = entities
    }

    /// Whether the numbers of the moved entities change.
    package var renumbers: Bool { entities.contains { $0.old.number != $0.new.number } }

    /// Decides what becomes of the old table.
    ///
    /// - Parameters:
    ///   - old: the old layout.
    ///   - roles: what the columns of the old table hold.
    ///   - isShared: whether rows of the old table go to several new ones.
    package func decide(_ old: StoreSchema, _ roles: [String: ColumnRole], isShared: Bool) {
        guard let source else { return }
        let moved = Set(entities.map(\.old.number))
        removed = old.entities.filter { $0.table === source && !moved.contains($0.number) }
        var free = Set(source.columns.map(\.name))
        // First the columns that stay under their names, then those that are renamed.
        for isSameName in [true, false] {
            for column in columns where bases[column.name] == nil {
                let wanted = column.plain.sorted { $0.key < $1.key }.map(\.value)
                let type = { (name: String) in source.columns.first { $0.name == name }?.type }
                let base = wanted.first {
                    free.contains($0) && type($0) == column.type
                        && (!isSameName || $0 == column.name)
                }
                if let base {
                    bases[column.name] = base
                    free.remove(base)
                }
            }
        }
        dropped = source.columns.map(\.name).filter(free.contains)
        let changesRows = renumbers || columns.contains { !updates($0, roles).isEmpty }
        // SQLite drops one column by writing the table again, so do that once for all of them.
        rebuilds = isShared || dropped.count > 1 || (dropped.count == 1 && changesRows)
    }

    /// The old numbers of the entities for whose rows a column is not its base.
    package func updates(_ column: ColumnMove, _ roles: [String: ColumnRole]) -> Set<Int64> {
        let base = bases[column.name]
        var result: Set<Int64> = []
        for (old, _) in entities {
            if let value = column.values[old.number] {
                if column.plain[old.number] != base || column.plain[old.number] == nil,
                    value != "NULL"
                {
                    result.insert(old.number)
                }
            } else if let base, let role = roles[base], role.applies(to: old.entity) {
                result.insert(old.number)
            }
        }
        return result
    }

    /// The value of a column for all rows, over the old columns.
    package func expression(_ column: ColumnMove) -> String {
        choice(entities.map { ($0.old.number, column.values[$0.old.number] ?? "NULL") })
    }

    /// The new number of a row's entity, over the old columns.
    package var numberExpression: String {
        renumbers ? choice(entities.map { ($0.old.number, String($0.new.number)) }) : "Z_ENT"
    }

    private func choice(_ cases: [(number: Int64, value: String)]) -> String {
        let values = Set(cases.map(\.value))
        if values.count == 1, let only = values.first { return only }
        let list = cases.filter { $0.value != "NULL" }
            .map { " WHEN \($0.number) THEN \($0.value)" }.joined()
        return "CASE Z_ENT\(list) END"
    }

    /// The old numbers of the moved entities, as a list for `IN`.
    package var numberList: String {
        entities.map { String($0.old.number) }.joined(separator: ", ")
    }
}

extension ColumnRole {
    /// Whether rows of an entity may have a value in the column.
    package func applies(to entity: EntityDescription) -> Bool {
        switch self {
        case .attribute(let attribute): attribute.entity.map { entity.isKind(of: $0) } ?? false
        case .reference(let relationship), .referenceEntity(let relationship):
            relationship.entity.map { entity.isKind(of: $0) } ?? false
        case .memberKey(let relationship), .memberOrder(let relationship):
            relationship.destination.map { entity.isKind(of: $0) } ?? false
        }
    }
}
