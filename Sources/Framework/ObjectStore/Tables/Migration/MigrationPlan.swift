import FoundationEssentials
package import ObjectModel

// What a lightweight migration does, decided before anything is changed:
//   1. each new table takes its rows from one old table (`TableMove`);
//   2. each column of it takes over an old column, or an expression over old columns;
//   3. each new join table takes over an old one, or is filled from pairs (`LinkQueries`);
//   4. a to-one column whose pairs were stored elsewhere is filled from a list of pairs.
//
// Invariants:
//   1. The layout afterwards is that of a new store with the new model: the same names, numbers and
//      types, perhaps in another order of columns.
//   2. Keys, lock versions and the largest key of each hierarchy stay.

package struct MigrationPlan {
    package let old: StoreSchema
    package let new: StoreSchema
    package let correspondence: ModelCorrespondence
    package let links: LinkQueries
    private let dialect: SQLDialect
    /// A value in the text of a statement.
    private let literal: (GraphValue, RowLayout, Int) throws -> String
    package private(set) var tables: [TableMove] = []
    package private(set) var joins: [JoinMove] = []
    /// Columns to be filled from pairs.
    package private(set) var pairColumns: [PairColumn] = []
    /// Columns with the number of an object's entity, to be read from that object's row.
    package private(set) var entityColumns: [EntityColumn] = []
    /// Ordered lists whose members get positions by their keys.
    package private(set) var newOrders: [NewOrder] = []
    /// The defaults that are made for each row.
    package private(set) var madeDefaults: [MadeDefault] = []
    /// Old columns by table; see ``ColumnRole``.
    package let oldRoles: [String: [String: ColumnRole]]

    /// A column that gets its keys from pairs which were stored elsewhere.
    package struct PairColumn {
        package let table: String
        package let column: String
        package let relationship: RelationshipDescription
        /// Rows of (row's key, value).
        package let query: String
    }

    package struct EntityColumn {
        package let table: String
        package let column: String
        package let key: String
        package let target: String
    }

    package struct NewOrder {
        package let table: String
        package let key: String
        package let order: String
    }

    /// A default that is another one for each row, which an expression names by its number.
    package struct MadeDefault {
        /// The entity as it was.
        package let source: EntitySchema
        package let layout: RowLayout
        package let slot: Int
        package let value: () -> GraphValue
    }

    package init(
        _ correspondence: ModelCorrespondence,
        from old: StoreSchema,
        to new: StoreSchema,
        in dialect: SQLDialect,
        literal: @escaping (GraphValue, RowLayout, Int) throws -> String
    ) throws {
        self.dialect = dialect
        self.literal = literal
        self.old = old
        self.new = new
        self.correspondence = correspondence
        links = LinkQueries(old: old, correspondence: correspondence)
        oldRoles = old.columnRoles
        try planTables()
        let newRoles = new.columnRoles
        for index in tables.indices { try planColumns(of: tables[index], newRoles) }
        let uses = Dictionary(grouping: tables.compactMap(\.source), by: { ObjectIdentifier($0) })
        for move in tables {
            guard let source = move.source else { continue }
            move.decide(
                old,
                oldRoles[source.name] ?? [:],
                isShared: (uses[ObjectIdentifier(source)]?.count ?? 0) > 1
            )
        }
        joins = JoinMove.all(from: old, to: new, links)
    }

    // MARK: Tables

    private mutating func planTables() throws {
        for table in new.tables {
            var pairs: [(old: EntitySchema, new: EntitySchema)] = []
            for schema in new.entities where schema.table === table {
                guard let origin = correspondence.entry(of: schema.entity)?.source,
                    let before = old.schema(of: origin)
                else { continue }
                pairs.append((before, schema))
            }
            tables.append(TableMove(table, from: pairs.first?.old.table, pairs))
        }
    }

    /// Old tables from which nothing is taken.
    package var removedTables: [TableSchema] {
        let used = Set(tables.compactMap { $0.source.map(ObjectIdentifier.init) })
        return old.tables.filter { !used.contains(ObjectIdentifier($0)) }
    }

    /// The entities of the old model that are gone and may have had objects.
    package var removedEntities: [EntityDescription] {
        correspondence.removed.filter { !$0.isAbstract }
    }

    // MARK: Columns

    private mutating func planColumns(
        of move: TableMove,
        _ roles: [String: [String: ColumnRole]]
    ) throws {
        for (name, type) in move.table.columns {
            var column = ColumnMove(name: name, type: type)
            if move.source != nil, let role = roles[move.table.name]?[name] {
                try fill(&column, role, move)
            }
            move.columns.append(column)
        }
    }

    private mutating func fill(
        _ column: inout ColumnMove,
        _ role: ColumnRole,
        _ move: TableMove
    ) throws {
        switch role {
        case .attribute(let attribute): try fill(&column, attribute, move)
        case .reference(let relationship): fill(&column, reference: relationship, move)
        case .referenceEntity(let relationship): fill(&column, entityOf: relationship, move)
        case .memberKey(let relationship): fill(&column, keyOf: relationship, move)
        case .memberOrder(let relationship): fill(&column, orderOf: relationship, move)
        }
    }

    /// The value of rows without one: the default, or the call that makes one for each row.
    private mutating func newValue(
        of attribute: AttributeDescription,
        _ schema: EntitySchema,
        of source: EntitySchema
    ) throws -> String {
        let constant = schema.entity.defaults[attribute.slot]
        if constant.isNull, let made = schema.entity.madeDefault(of: attribute) {
            madeDefaults.append(
                MadeDefault(source: source, layout: schema.layout, slot: attribute.slot) {
                    made.value(of: attribute)
                }
            )
            return dialect.madeDefault(madeDefaults.count - 1)
        }
        return try literal(constant, schema.layout, attribute.slot)
    }

    private mutating func fill(
        _ column: inout ColumnMove,
        _ attribute: AttributeDescription,
        _ move: TableMove
    ) throws {
        for (before, after) in move.entities {
            guard let declaring = attribute.entity, after.entity.isKind(of: declaring) else {
                continue
            }
            let fallback = try newValue(of: attribute, after, of: before)
            guard
                let origin = correspondence.entry(of: after.entity)?.properties[attribute.name]
                    as? AttributeDescription, let source = before.columns[origin.slot]
            else {
                if !attribute.isDerived, fallback != "NULL" {
                    column.set(fallback, for: before.number)
                }
                continue
            }
            var value = quoted(source.name)
            let isExternal = attribute.allowsExternalStorage && attribute.type == .binary
            if dialect == .sqlite,
                isExternal != (origin.allowsExternalStorage && origin.type == .binary)
            {
                value = isExternal ? "OG_WRAP(\(value))" : "OG_UNWRAP(\(value))"
            }
            if origin.isOptional, !attribute.isOptional, fallback != "NULL" {
                value = "COALESCE(\(value), \(fallback))"
            }
            let isPlain = value == quoted(source.name)
            column.set(value, column: isPlain ? source.name : nil, for: before.number)
        }
    }

    private mutating func fill(
        _ column: inout ColumnMove,
        reference relationship: RelationshipDescription,
        _ move: TableMove
    ) {
        let origins = correspondence.origins(of: relationship)
        if !origins.isEmpty {
            for (before, after) in move.entities {
                guard
                    let origin = correspondence.entry(of: after.entity)?
                        .properties[relationship.name],
                    let source = before.columns[origin.slot]
                else { continue }
                column.set(quoted(source.name), column: source.name, for: before.number)
            }
            return
        }
        guard let inverse = relationship.inverse else { return }
        if fill(&column, membersOf: inverse, move) { return }
        let query = links.pairs(of: relationship)
        guard let query else { return }
        pairColumns.append(
            PairColumn(
                table: move.table.name,
                column: column.name,
                relationship: relationship,
                query: "SELECT o, m FROM (\(query)) AS pairs"
            )
        )
    }

    private mutating func fill(
        _ column: inout ColumnMove,
        keyOf relationship: RelationshipDescription,
        _ move: TableMove
    ) {
        if fill(&column, membersOf: relationship, move) { return }
        guard let query = links.pairs(of: relationship) else { return }
        pairColumns.append(
            PairColumn(
                table: move.table.name,
                column: column.name,
                relationship: relationship,
                query: "SELECT m, o FROM (\(query)) AS pairs"
            )
        )
    }

    /// Takes over the column in which the members of a to-many relationship had their owner.
    ///
    /// - Returns: whether there was one.
    private func fill(
        _ column: inout ColumnMove,
        membersOf relationship: RelationshipDescription,
        _ move: TableMove
    ) -> Bool {
        let origins = correspondence.origins(of: relationship)
        guard origins.count == 1, let origin = origins[0].property as? RelationshipDescription,
            links.coversAllOwners(origin, origins[0].entities),
            case .memberKey(let key, _, _)? = old.storage(of: origin),
            old.memberTable(of: origin) == move.source?.name, let members = origin.destination
        else { return false }
        for (before, _) in move.entities where before.entity.isKind(of: members) {
            column.set(quoted(key), column: key, for: before.number)
        }
        return true
    }

    private mutating func fill(
        _ column: inout ColumnMove,
        entityOf relationship: RelationshipDescription,
        _ move: TableMove
    ) {
        guard let target = relationship.destination.flatMap({ new.schema(of: $0) }),
            let key = new.column(of: relationship)?.name
        else { return }
        var isComplete = !correspondence.origins(of: relationship).isEmpty
        for (before, after) in move.entities {
            guard
                let origin = correspondence.entry(of: after.entity)?
                    .properties[relationship.name] as? RelationshipDescription,
                let source = before.columns[origin.slot]
            else { continue }
            let numbers = entityNumbers(below: origin.destination)
            if let entityColumn = source.entityColumn {
                let isSame = numbers.allSatisfy { $0.old == $0.new }
                let cases = numbers.map { " WHEN \($0.old) THEN \($0.new)" }.joined()
                if isSame {
                    column.set(quoted(entityColumn), column: entityColumn, for: before.number)
                } else if !cases.isEmpty {
                    column.set("CASE \(quoted(entityColumn))\(cases) END", for: before.number)
                }
            } else if numbers.count == 1 {
                column.set(
                    "CASE WHEN \(quoted(source.name)) IS NOT NULL THEN \(numbers[0].new) END",
                    for: before.number
                )
            } else {
                isComplete = false
            }
        }
        if isComplete { return }
        entityColumns.append(
            EntityColumn(
                table: move.table.name,
                column: column.name,
                key: key,
                target: target.table.name
            )
        )
    }

    /// The numbers of an old entity and its descendants, with the new ones.
    private func entityNumbers(below entity: EntityDescription?) -> [(old: Int64, new: Int64)] {
        guard let entity else { return [] }
        return old.hierarchy(of: entity).compactMap { before in
            guard let after = correspondence.destination(of: before.entity),
                let schema = new.schema(of: after)
            else { return nil }
            return (before.number, schema.number)
        }
    }

    private mutating func fill(
        _ column: inout ColumnMove,
        orderOf relationship: RelationshipDescription,
        _ move: TableMove
    ) {
        let origins = correspondence.origins(of: relationship)
        if origins.count == 1, let origin = origins[0].property as? RelationshipDescription,
            links.coversAllOwners(origin, origins[0].entities),
            case .memberKey(_, let order?, _)? = old.storage(of: origin),
            old.memberTable(of: origin) == move.source?.name, let members = origin.destination
        {
            for (before, _) in move.entities where before.entity.isKind(of: members) {
                column.set(quoted(order), column: order, for: before.number)
            }
            return
        }
        guard case .memberKey(let key, let order?, _)? = new.storage(of: relationship) else {
            return
        }
        let hasMembers =
            !origins.isEmpty
            || relationship.inverse.map { !correspondence.origins(of: $0).isEmpty } ?? false
        if hasMembers { newOrders.append(NewOrder(table: move.table.name, key: key, order: order)) }
    }

    /// Whether an object that a relationship leads to may be gone.
    package func mayDangle(_ relationship: RelationshipDescription) -> Bool {
        let gone = removedEntities
        if gone.isEmpty { return false }
        var origins = correspondence.origins(of: relationship)
        if let inverse = relationship.inverse { origins += correspondence.origins(of: inverse) }
        return origins.contains { origin in
            guard let origin = origin.property as? RelationshipDescription else { return false }
            return gone.contains { entity in
                [origin.entity, origin.destination].compactMap { $0 }.contains {
                    entity.isKind(of: $0)
                }
            }
        }
    }
}
