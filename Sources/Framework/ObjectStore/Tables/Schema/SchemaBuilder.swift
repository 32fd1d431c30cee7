package import ObjectModel

// The names of a store's tables and columns, in three passes: entities, then the columns of their
// own properties, then to-many relationships, which refer to the columns of other entities.

package struct SchemaBuilder {
    package let existing: ExistingTables?
    package private(set) var entities: [EntitySchema] = []
    package private(set) var tables: [TableSchema] = []
    package private(set) var joins: [JoinDefinition] = []
    /// By the entity that they are for.
    private var schemas: [ObjectIdentifier: EntitySchema] = [:]
    /// The entities of a table, by the root of their hierarchy.
    private var members: [ObjectIdentifier: [EntitySchema]] = [:]
    /// Join tables by the relationships that share them.
    private var joinNames: [ObjectIdentifier: JoinDefinition] = [:]
    /// The names in use, by table.
    private var taken: [ObjectIdentifier: Set<String>] = [:]

    private let externalFolder: String?
    private let dialect: SQLDialect

    package init(existing: ExistingTables?, externalFolder: String?, dialect: SQLDialect) {
        self.existing = existing
        self.externalFolder = externalFolder
        self.dialect = dialect
    }

    package mutating func add(_ entity: EntityDescription, number: Int64) throws {
        let table: TableSchema
        let root = entity.root
        if let known = members[ObjectIdentifier(root)]?.first {
            table = known.table
        } else {
            let name = dialect.name("Z" + root.name.uppercased())
            table = TableSchema(name: name, root: root)
            if let existing, existing.columns[table.name] == nil {
                throw missing("table \(table.name)", for: entity)
            }
            tables.append(table)
            taken[ObjectIdentifier(table)] = ["Z_PK", "Z_ENT", "Z_OPT"]
        }
        if let existing, existing.numbers[entity.name] == nil {
            throw missing("number", for: entity)
        }
        // Numbers are places in lists, and a file may say anything.
        guard (1...Int64(UInt16.max)).contains(number) else {
            throw ObjectGraphError(
                .damagedFile,
                "The store gives the entity \"\(entity.name)\" the number \(number).",
                recovery: "Keep a copy of it and restore a backup."
            )
        }
        let schema = EntitySchema(
            entity,
            number: number,
            table: table,
            externalFolder: externalFolder
        )
        entities.append(schema)
        schemas[ObjectIdentifier(entity)] = schema
        members[ObjectIdentifier(root), default: []].append(schema)
    }

    package func schema(of entity: EntityDescription?) -> EntitySchema? {
        entity.flatMap { schemas[ObjectIdentifier($0)] }
    }

    private func missing(_ what: String, for entity: EntityDescription) -> ObjectGraphError {
        ObjectGraphError(
            .incompatibleVersion,
            "The store has no \(what) for the entity \"\(entity.name)\".",
            recovery: "Open it with the model that it was made with, or migrate it."
        )
    }

    /// A name that no other column of the table has: the wanted one, or that with a number added.
    private mutating func unique(_ wanted: String, in table: TableSchema) -> String {
        let wanted = dialect.name(wanted)
        var name = wanted
        var count = 0
        while !taken[ObjectIdentifier(table), default: []].insert(name).inserted {
            count += 1
            name = wanted + String(count)
        }
        return name
    }

    // MARK: Columns

    /// A property that needs a column, in the order in which tables list them.
    private struct Wanted {
        package let schema: EntitySchema
        package let property: PropertyDescription
        package let group: Int
        package let order: Int

        package func isBefore(_ other: Wanted) -> Bool {
            let name = property.name
            return (group, Int(schema.entity.number), order, name)
                < (other.group, Int(other.schema.entity.number), other.order, other.property.name)
        }
    }

    package mutating func addColumns() throws {
        for table in tables {
            var wanted: [Wanted] = []
            for schema in members[ObjectIdentifier(table.root)] ?? [] {
                for property in schema.entity.ownSlots where !property.isTransient {
                    if let attribute = property as? AttributeDescription {
                        if !attribute.isStored { continue }
                        let group = attribute.type.columnGroup
                        wanted.append(
                            Wanted(schema: schema, property: property, group: group, order: 0)
                        )
                    } else if let relationship = property as? RelationshipDescription,
                        !relationship.isToMany
                    {
                        wanted.append(
                            Wanted(schema: schema, property: property, group: 0, order: 1)
                        )
                    }
                }
            }
            wanted.sort { $0.isBefore($1) }
            for item in wanted { try addColumn(item.property, of: item.schema) }
        }
        for schema in entities { inheritColumns(schema) }
    }

    private mutating func addColumn(
        _ property: PropertyDescription,
        of schema: EntitySchema
    ) throws {
        let table = schema.table
        // An element of a composite attribute: ZPLACE_LATITUDE.
        let words = property.name.uppercased().split(separator: ".").joined(separator: "_")
        let base = unique("Z" + words, in: table)
        let name = try resolve(base, in: table, of: schema.entity)
        if let attribute = property as? AttributeDescription {
            table.append(column: name, type: attribute.type.columnType)
            schema.columns[property.slot] = StoredColumn(
                name: name,
                property: property,
                kind: RowLayout.Kind(attribute.type),
                entityColumn: nil
            )
        } else if let relationship = property as? RelationshipDescription {
            table.append(column: name, type: "INTEGER")
            var entityColumn: String?
            if let destination = self.schema(of: relationship.destination),
                !destination.entity.subentities.isEmpty
            {
                let suffix = "_" + property.name.uppercased()
                let wanted = unique("Z\(destination.number)\(suffix)", in: table)
                entityColumn = find(wanted, prefix: "Z", suffix: suffix, in: table)
                if let entityColumn { table.append(column: entityColumn, type: "INTEGER") }
            }
            schema.columns[property.slot] = StoredColumn(
                name: name,
                property: property,
                kind: .reference,
                entityColumn: entityColumn
            )
        }
    }

    /// Gives an entity the columns of its ancestors.
    private func inheritColumns(_ schema: EntitySchema) {
        forEachInherited(by: schema) { slot, ancestor in
            schema.columns[slot] = ancestor.columns[slot]
        }
    }

    /// Calls the body with the slot of each property of each ancestor.
    private func forEachInherited(
        by schema: EntitySchema,
        _ body: (_ slot: Int, _ ancestor: EntitySchema) -> Void
    ) {
        var parent = schema.entity.superentity
        while let entity = parent {
            if let ancestor = self.schema(of: entity) {
                for property in entity.ownSlots {
                    body(property.slot, ancestor)
                }
            }
            parent = entity.superentity
        }
    }

    private func resolve(
        _ name: String,
        in table: TableSchema,
        of entity: EntityDescription
    ) throws -> String {
        guard let columns = existing?.columns[table.name] else { return name }
        if columns.contains(name) { return name }
        throw missing("column \(table.name).\(name)", for: entity)
    }

    /// The column of an existing file with the wanted name, or with that name and another number.
    private func find(
        _ wanted: String,
        prefix: String,
        suffix: String,
        in table: TableSchema
    ) -> String? {
        guard let columns = existing?.columns[table.name] else { return wanted }
        if columns.contains(wanted) { return wanted }
        return columns.sorted().first { matches($0, prefix: prefix, suffix: suffix) }
    }

    /// Whether a name is the prefix, digits, the suffix, and optionally digits again.
    private func matches(_ name: String, prefix: String, suffix: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let rest = name.dropFirst(prefix.count)
        let digits = rest.prefix { $0.isNumber }
        guard !digits.isEmpty, rest.dropFirst(digits.count).hasPrefix(suffix) else { return false }
        return rest.dropFirst(digits.count + suffix.count).allSatisfy(\.isNumber)
    }

    // MARK: To-many relationships

    package mutating func addRelationships() throws {
        for schema in entities {
            for case let relationship as RelationshipDescription in schema.entity.ownProperties
            where relationship.isToMany && !relationship.isTransient {
                guard let member = self.schema(of: relationship.destination) else { continue }
                schema.toMany[relationship.slot] = try storage(relationship, schema, member)
            }
        }
        for schema in entities {
            forEachInherited(by: schema) { slot, ancestor in
                schema.toMany[slot] = ancestor.toMany[slot]
            }
        }
        for schema in entities { addOrderColumns(schema) }
    }

    /// Notes which to-one relationships of an entity have an ordered inverse.
    private func addOrderColumns(_ schema: EntitySchema) {
        for relationship in schema.entity.relationships where !relationship.isToMany {
            guard let inverse = relationship.inverse, inverse.isOrdered,
                let owner = self.schema(of: inverse.entity),
                case .memberKey(_, let order?, true)? = owner.toMany[inverse.slot]
            else { continue }
            schema.orderColumns[relationship.slot] = order
        }
    }

    private mutating func storage(
        _ relationship: RelationshipDescription,
        _ owner: EntitySchema,
        _ member: EntitySchema
    ) throws -> ToManyStorage? {
        let name = relationship.name.uppercased()
        guard let inverse = relationship.inverse else {
            let suffix = name
            let wanted = unique("Z\(owner.number)\(suffix)", in: member.table)
            guard let column = find(wanted, prefix: "Z", suffix: suffix, in: member.table) else {
                throw missing("column \(member.table.name).\(wanted)", for: owner.entity)
            }
            member.table.append(column: column, type: "INTEGER")
            return .memberKey(
                column: column,
                order: orderColumn(relationship, "Z_FOK_\(owner.number)\(name)", name, member),
                isInverse: false
            )
        }
        if !inverse.isToMany {
            guard let declaring = schema(of: inverse.entity),
                let column = declaring.columns[inverse.slot]
            else { return nil }
            return .memberKey(
                column: column.name,
                order: orderColumn(
                    relationship,
                    "Z_FOK_" + inverse.name.uppercased(),
                    inverse.name.uppercased(),
                    declaring
                ),
                isInverse: true
            )
        }
        return try joinStorage(relationship, inverse, owner)
    }

    private mutating func orderColumn(
        _ relationship: RelationshipDescription,
        _ wanted: String,
        _ suffix: String,
        _ member: EntitySchema
    ) -> String? {
        guard relationship.isOrdered else { return nil }
        let name = unique(wanted, in: member.table)
        let found = find(name, prefix: "Z_FOK_", suffix: suffix, in: member.table)
        if let found { member.table.append(column: found, type: "INTEGER") }
        return found
    }

    private mutating func joinStorage(
        _ relationship: RelationshipDescription,
        _ inverse: RelationshipDescription,
        _ owner: EntitySchema
    ) throws -> ToManyStorage? {
        guard let other = schema(of: inverse.entity) else { return nil }
        // The relationship of the entity with the lower number names the table and comes first;
        // within one entity the later name does, as in files that Apple's framework wrote.
        let isFirst =
            owner.number != other.number
            ? owner.number < other.number : relationship.name >= inverse.name
        let first = isFirst ? relationship : inverse
        let second = isFirst ? inverse : relationship
        let join = try join(first, second, isFirst ? owner : other, isFirst ? other : owner)
        let isReflexive = relationship === inverse
        let order = relationship.isOrdered ? join.orderColumns[isFirst ? 0 : 1] : nil
        return .joinTable(
            JoinSide(
                table: join.table,
                owner: join.columns[isFirst ? 0 : 1],
                member: join.columns[isFirst ? 1 : 0],
                order: order.flatMap { $0.isEmpty ? nil : $0 },
                isReflexive: isReflexive
            )
        )
    }

    /// The table of pairs of `first`'s owners and members; created at the first use.
    private mutating func join(
        _ first: RelationshipDescription,
        _ second: RelationshipDescription,
        _ owner: EntitySchema,
        _ member: EntitySchema
    ) throws -> JoinDefinition {
        if let known = joinNames[ObjectIdentifier(first)] { return known }
        let ownerColumn = dialect.name("Z_\(owner.number)" + second.name.uppercased())
        var memberColumn = dialect.name("Z_\(member.number)" + first.name.uppercased())
        if memberColumn == ownerColumn { memberColumn += "1" }
        var join = JoinDefinition(
            table: dialect.name("Z_\(owner.number)" + first.name.uppercased()),
            columns: [ownerColumn, memberColumn],
            orderColumns: [
                first.isOrdered ? "Z_FOK_" + memberColumn.dropFirst(2) : "",
                second.isOrdered ? "Z_FOK_" + ownerColumn.dropFirst(2) : "",
            ]
        )
        if let existing {
            guard let found = existingJoin(like: join, first, second, existing) else {
                throw missing("join table \(join.table)", for: owner.entity)
            }
            join = found
        } else {
            var name = join.table
            var count = 0
            while joins.contains(where: { $0.table == name }) {
                count += 1
                name = join.table + String(count)
            }
            join = JoinDefinition(
                table: name,
                columns: join.columns,
                orderColumns: join.orderColumns
            )
        }
        joins.append(join)
        joinNames[ObjectIdentifier(first)] = join
        return join
    }

    /// A join table of the file with columns of these names, whatever numbers they have.
    private func existingJoin(
        like join: JoinDefinition,
        _ first: RelationshipDescription,
        _ second: RelationshipDescription,
        _ existing: ExistingTables
    ) -> JoinDefinition? {
        if let columns = existing.columns[join.table], columns.isSuperset(of: join.columns) {
            return JoinDefinition(
                table: join.table,
                columns: join.columns,
                orderColumns: join.orderColumns.map { columns.contains($0) ? $0 : "" }
            )
        }
        let ownerName = second.name.uppercased()
        let memberName = first.name.uppercased()
        for (table, columns) in existing.columns.sorted(by: { $0.key < $1.key })
        where matches(table, prefix: "Z_", suffix: memberName)
            || matches(table, prefix: "Z_", suffix: ownerName)
        {
            let plain = columns.filter { !$0.hasPrefix("Z_FOK_") }.sorted()
            let owners = plain.filter { matches($0, prefix: "Z_", suffix: ownerName) }
            let members = plain.filter { matches($0, prefix: "Z_", suffix: memberName) }
            guard plain.count == 2, let owner = owners.first,
                let member = members.last(where: { $0 != owner })
            else { continue }
            func order(_ column: String, _ isOrdered: Bool) -> String {
                let name = "Z_FOK_" + column.dropFirst(2)
                return isOrdered && columns.contains(name) ? name : ""
            }
            return JoinDefinition(
                table: table,
                columns: [owner, member],
                orderColumns: [order(member, first.isOrdered), order(owner, second.isOrdered)]
            )
        }
        return nil
    }
}
