package import ObjectModel

// The statements that create the tables and indexes of a new store.

extension StoreSchema {
    /// Everything except metadata and our own extra tables, in order.
    package var creation: [String] { creation(in: .sqlite) }

    package func creation(in dialect: SQLDialect) -> [String] {
        let (integer, blob) = (dialect.columnType("INTEGER"), dialect.columnType("BLOB"))
        var statements = [
            "CREATE TABLE Z_METADATA (Z_VERSION \(integer) PRIMARY KEY, Z_UUID VARCHAR(255),"
                + " Z_PLIST \(blob))",
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT \(integer) PRIMARY KEY, Z_NAME VARCHAR,"
                + " Z_SUPER \(integer), Z_MAX \(integer))",
        ]
        statements += tables.map { $0.creation(as: $0.name, in: dialect) }
        statements += joins.map { $0.creation(as: $0.table, in: dialect) }
        statements += entities.map { numbering(of: $0, largestKey: 0) }
        return statements + indexes(in: dialect).map(\.statement)
    }

    /// The statement that gives an entity its number.
    package func numbering(of schema: EntitySchema, largestKey: Int64) -> String {
        let parent = schema.entity.superentity.flatMap { self.schema(of: $0)?.number } ?? 0
        let name = schema.entity.name.replacing("'", with: "''")
        return "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX)"
            + " VALUES (\(schema.number), '\(name)', \(parent), \(largestKey))"
    }

    package struct Index {
        package let name: String
        package let table: String
        package let statement: String
    }

    package var indexes: [Index] { indexes(in: .sqlite) }

    package func indexes(in dialect: SQLDialect) -> [Index] {
        var result: [Index] = []
        func add(_ full: String, _ table: String, _ columns: String, unique: Bool = false) {
            let name = dialect.indexName(full)
            if result.contains(where: { $0.name == name }) { return }
            let kind = unique ? "UNIQUE INDEX" : "INDEX"
            result.append(
                Index(
                    name: name,
                    table: table,
                    statement: "CREATE \(kind) IF NOT EXISTS \(quoted(name))"
                        + " ON \(quoted(table)) (\(columns)"
                )
            )
        }
        for table in tables where !table.root.subentities.isEmpty {
            add("\(table.name)_Z_ENT_INDEX", table.name, "Z_ENT)")
        }
        for schema in entities {
            let table = schema.table.name
            for property in schema.entity.ownSlots {
                if let column = schema.columns[property.slot],
                    column.kind == .reference || property.isIndexed
                {
                    add("\(table)_\(column.name)_INDEX", table, "\(quoted(column.name)))")
                }
                if case .memberKey(let column, _, false)? = schema.toMany[property.slot],
                    let member = (property as? RelationshipDescription)?.destination,
                    let target = self.schema(of: member)?.table.name
                {
                    add("\(target)_\(column)_INDEX", target, "\(quoted(column)))")
                }
            }
            for index in schema.entity.indexes {
                let columns = index.elements.compactMap { element -> String? in
                    guard !element.isExpression,
                        let property = schema.entity.property(named: element.property),
                        let column = schema.columns[property.slot]
                    else { return nil }
                    let direction = element.isAscending ? "ASC" : "DESC"
                    if dialect == .sqlite {
                        return "\(quoted(column.name)) COLLATE BINARY \(direction)"
                    }
                    let nulls = dialect.nullsFirst(ascending: element.isAscending)
                    return "\(quoted(column.name)) \(direction)\(nulls)"
                }
                if columns.isEmpty { continue }
                // Without its condition an index holds more than it has to.
                let condition = index.partialPredicate.flatMap {
                    schema.indexCondition($0, in: dialect)
                }
                add(
                    "Z_\(schema.entity.name)_\(index.name)",
                    table,
                    columns.joined(separator: ", ") + ")" + (condition.map { " WHERE \($0)" } ?? "")
                )
            }
            addConstraints(of: schema, dialect) { add($0, table, $1, unique: true) }
        }
        for join in joins {
            let columns = [join.columns[1], join.columns[0]].map(quoted).joined(separator: ", ")
            add("\(join.table)_\(join.columns[1])_INDEX", join.table, columns + ")")
        }
        return result
    }

    private func addConstraints(
        of schema: EntitySchema,
        _ dialect: SQLDialect,
        _ add: (_ name: String, _ columns: String) -> Void
    ) {
        for constraint in schema.entity.uniquenessConstraints {
            let properties = constraint.compactMap { schema.entity.property(named: $0) }
            let columns = properties.compactMap { schema.columns[$0.slot]?.name }
            if columns.isEmpty || columns.count != constraint.count { continue }
            // NULL is where it is in requests, so that their orders follow the index.
            let words =
                dialect == .sqlite
                ? " COLLATE BINARY ASC" : dialect.nullsFirst(ascending: true)
            var list = columns.map { "\(quoted($0))\(words)" }
                .joined(separator: ", ")
            list += ")"
            // A constraint of a subentity on inherited attributes does not apply to its siblings.
            if schema.entity.superentity != nil,
                !properties.contains(where: { $0.entity === schema.entity })
            {
                let numbers = hierarchy(of: schema.entity).map { String($0.number) }
                list += " WHERE Z_ENT IN (\(numbers.joined(separator: ", ")))"
            }
            add(StoreSchema.constraintIndexName(schema.entity, constraint), list)
        }
    }

    /// The error about rows that a unique index does not take.
    package func duplicates(under index: String) -> ObjectGraphError {
        for schema in entities {
            for names in schema.entity.uniquenessConstraints
            where StoreSchema.constraintIndexName(schema.entity, names) == index {
                return ObjectGraphError(
                    .migrationConstraint,
                    "Several objects of \(schema.entity.name) have the same "
                        + "\(names.joined(separator: ", ")), which must be unique now.",
                    recovery:
                        "Change them with the old version of the program; nothing was changed.",
                    key: names.first
                )
            }
        }
        return ObjectGraphError(
            .migrationConstraint,
            "Objects of the store violate the uniqueness constraint \(index).",
            recovery: "Change them with the old version of the program; nothing was changed."
        )
    }

    package static func constraintIndexName(
        _ entity: EntityDescription,
        _ names: [String]
    ) -> String {
        "Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))"
    }
}

extension TableSchema {
    /// The statement that creates the table under a name.
    package func creation(as name: String, in dialect: SQLDialect = .sqlite) -> String {
        let columns = columns.map { ", \(quoted($0.name)) \(dialect.columnType($0.type))" }
            .joined()
        let integer = dialect.columnType("INTEGER")
        return "CREATE TABLE \(quoted(name)) (Z_PK \(integer) PRIMARY KEY,"
            + " Z_ENT \(integer), Z_OPT \(integer)\(columns))"
    }
}

extension JoinDefinition {
    /// The statement that creates the table under a name.
    package func creation(as name: String, in dialect: SQLDialect = .sqlite) -> String {
        let integer = dialect.columnType("INTEGER")
        let columns = columns.map { "\(quoted($0)) \(integer), " }.joined()
        let orders = orderColumns.filter { !$0.isEmpty }
            .map { "\(quoted($0)) \(integer), " }.joined()
        let key = self.columns.map(quoted).joined(separator: ", ")
        return "CREATE TABLE \(quoted(name)) (\(columns)\(orders)PRIMARY KEY (\(key)))"
    }
}

/// A name as an SQL identifier: unchanged where that is safe, else in quotes.
package func quoted(_ name: String) -> String {
    let isPlain =
        !name.isEmpty
        && name.utf8.allSatisfy {
            ($0 >= 65 && $0 <= 90) || ($0 >= 97 && $0 <= 122) || ($0 >= 48 && $0 <= 57)
                || $0 == 95
        }
        && !(name.utf8.first ?? 48).isDigit
    return isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\""
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= 48 && self <= 57 }
}
