import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

extension InspectionRun {
    // MARK: Entities and keys

    var numberChecks: [InspectionRule] {
        var result: [InspectionRule] = []
        for table in schema.tables {
            let name = quoted(table.name)
            let members = schema.entities.filter { $0.table === table && !$0.entity.isAbstract }
            let numbers = members.map { String($0.number) }.joined(separator: ", ")
            let unknown =
                "SELECT Z_PK FROM \(name) NOT INDEXED"
                + " WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers))"
            let only = members.count == 1 ? members.first : nil
            result.append(
                InspectionRule(
                    kind: .unknownEntity,
                    entity: table.root,
                    rows: unknown,
                    message: {
                        "\(counted($0, "row")) of the table of \(table.root.name)"
                            + " \($0 == 1 ? "belongs" : "belong") to no entity of the model."
                    },
                    repair: only.map { "They become \($0.entity.name) objects." },
                    statements: only.map {
                        ["UPDATE \(name) SET Z_ENT = \($0.number) WHERE Z_PK IN (\(unknown))"]
                    } ?? []
                )
            )
            guard let root = schema.schema(of: table.root) else { continue }
            let largest = "(SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number))"
            result.append(
                InspectionRule(
                    kind: .keyAboveMaximum,
                    entity: table.root,
                    rows: "SELECT Z_PK FROM \(name) WHERE Z_PK > IFNULL(\(largest), 0)"
                        + " AND Z_PK <= \(ManagedObjectID.largestKey)",
                    message: {
                        "\(objects($0, table.root, ("has", "have"))) a greater key than the store"
                            + " knows; new objects would get the same."
                    },
                    repair: "The store learns the greatest key.",
                    statements: [
                        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES"
                            + " (\(root.number), \(SQLValue.text(table.root.name).literal), 0,"
                            + " (SELECT MAX(Z_PK) FROM \(name)"
                            + " WHERE Z_PK <= \(ManagedObjectID.largestKey))) ON CONFLICT (Z_ENT)"
                            + " DO UPDATE SET Z_MAX = excluded.Z_MAX"
                    ]
                )
            )
            result += wrongKeys(of: root, in: name)
        }
        return result
    }

    /// Keys, and counters of them, that no object can have.
    private func wrongKeys(of schema: EntitySchema, in table: String) -> [InspectionRule] {
        let (root, number) = (schema.entity, schema.number)
        let most = ManagedObjectID.largestKey
        // Keys of deleted objects are not given again.
        let deleted =
            (try? HistoryTables.exist(in: connection)) == true
            ? "(SELECT MAX(pk + n - 1) FROM OG_CHANGE WHERE pk + n <= \(most))" : "0"
        let wrong = "SELECT Z_PK FROM \(table) WHERE Z_PK NOT BETWEEN 1 AND \(most)"
        return [
            InspectionRule(
                kind: .keyAboveMaximum,
                entity: root,
                rows: wrong,
                message: {
                    "\(counted($0, "row")) of the table of \(root.name)"
                        + " \($0 == 1 ? "has a key" : "have keys") that no object can have."
                },
                repair: "They get new keys, and what leads to them too.",
                statements: moving(wrong, behind: "IFNULL(\(deleted), 0)", schema)
            ),
            InspectionRule(
                kind: .keyAboveMaximum,
                entity: root,
                rows: "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)"
                    + " AND (typeof(Z_MAX) <> 'integer' OR Z_MAX NOT BETWEEN 0 AND \(most))",
                message: { _ in "The store's counter of keys for \(root.name) is wrong." },
                repair: "It becomes the greatest key that was used.",
                statements: [
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(IFNULL(\(deleted), 0), IFNULL((SELECT"
                        + " MAX(Z_PK) FROM \(table) WHERE Z_PK <= \(most)), 0))"
                        + " WHERE Z_ENT = \(number)"
                ]
            ),
        ]
    }

    /// The statements that give rows new keys, behind all that were ever used.
    private func moving(
        _ rows: String,
        behind deleted: String,
        _ schema: EntitySchema
    ) -> [String] {
        let most = ManagedObjectID.largestKey
        let table = quoted(schema.table.name)
        let known =
            "IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(schema.number)"
            + " AND typeof(Z_MAX) = 'integer' AND Z_MAX BETWEEN 0 AND \(most)), 0)"
        let present = "IFNULL((SELECT MAX(Z_PK) FROM \(table) WHERE Z_PK BETWEEN 1 AND \(most)), 0)"
        func follow(_ table: String, _ column: String) -> String {
            "UPDATE \(quoted(table)) SET \(quoted(column)) = (SELECT fresh FROM temp.OG_MOVED"
                + " WHERE old = \(quoted(column)))"
                + " WHERE \(quoted(column)) IN (SELECT old FROM temp.OG_MOVED)"
        }
        return [
            "DROP TABLE IF EXISTS temp.OG_MOVED",
            "CREATE TEMP TABLE OG_MOVED AS SELECT Z_PK AS old, MAX(\(known), \(deleted), \(present))"
                + " + ROW_NUMBER() OVER (ORDER BY Z_PK) AS fresh FROM \(table)"
                + " WHERE Z_PK IN (\(rows))",
            follow(schema.table.name, "Z_PK"),
        ]
            + keyColumns(to: schema).map(follow) + [
                "UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(\(known), (SELECT MAX(fresh) FROM temp.OG_MOVED))"
                    + " WHERE Z_ENT = \(schema.number)",
                "DROP TABLE temp.OG_MOVED",
            ]
    }

    /// The columns that hold keys of a table's rows.
    private func keyColumns(to root: EntitySchema) -> [(table: String, column: String)] {
        var result: [(table: String, column: String)] = []
        for owner in schema.entities {
            for case let relationship as RelationshipDescription in owner.entity.ownSlots {
                let member = relationship.destination.flatMap { schema.schema(of: $0) }
                let leadsHere = member?.table === root.table
                if leadsHere, let column = owner.columns[relationship.slot] {
                    result.append((owner.table.name, column.name))
                }
                switch owner.toMany[relationship.slot] {
                case .memberKey(let column, _, false)?:
                    if owner.table === root.table, let member {
                        result.append((member.table.name, column))
                    }
                case .joinTable(let side)?:
                    if owner.table === root.table { result.append((side.table, side.owner)) }
                    if leadsHere { result.append((side.table, side.member)) }
                default: break
                }
            }
        }
        return result
    }

    // MARK: Values

    func valueChecks() throws -> [InspectionRule] {
        var result: [InspectionRule] = []
        for schema in schema.entities {
            for property in schema.entity.ownSlots {
                guard let column = schema.columns[property.slot] else { continue }
                if let types = InspectionRun.types(column.attribute?.type) {
                    result.append(unreadable(property, column, types, schema))
                }
                if let attribute = column.attribute {
                    result += try outOfBounds(property, attribute, column, schema)
                }
                if !property.isOptional { result.append(missing(property, column, schema)) }
            }
            for constraint in schema.entity.uniquenessConstraints {
                if let check = duplicates(constraint, schema) { result.append(check) }
            }
        }
        return result
    }

    /// The storage classes in which a value of a type can be, as an SQL list; `nil` for any.
    private static func types(_ type: AttributeType?) -> String? {
        switch type {
        case nil, .integer16, .integer32, .integer64, .boolean: "('integer', 'null')"
        case .double, .float, .date: "('real', 'integer', 'null')"
        case .string, .uri: "('text', 'null')"
        case .binary, .uuid, .transformable: "('blob', 'null')"
        case .decimal, .undefined, .objectID, .composite: nil
        }
    }

    private func unreadable(
        _ property: PropertyDescription,
        _ column: StoredColumn,
        _ types: String,
        _ schema: EntitySchema
    ) -> InspectionRule {
        let name = quoted(column.name)
        var wrong = "typeof(\(name)) NOT IN \(types)"
        if column.attribute?.type == .uuid { wrong += " OR LENGTH(\(name)) <> 16" }
        // A value of another type says nothing about a number; a text may be worth reading.
        let value = schema.entity.defaults[property.slot]
        let isNumber = [.integer16, .integer32, .integer64, .boolean, .double, .float, .date]
            .contains(column.attribute?.type)
        let isReplaced = isNumber && (property.isOptional || !value.isNull)
        return InspectionRule(
            kind: .unreadableValue,
            entity: schema.entity,
            property: property.name,
            rows: "SELECT Z_PK FROM \(quoted(schema.table.name)) NOT INDEXED WHERE Z_ENT IN"
                + " \(numbers(schema.entity)) AND (\(wrong))",
            message: {
                "\(objects($0, schema.entity, ("has", "have"))) a value of another type in"
                    + " \"\(property.name)\"."
            },
            repair: isReplaced ? "It gets its default value." : nil,
            value: isReplaced ? (schema, property.slot, value) : nil
        )
    }

    /// The bounds of numbers and dates: those of the model, or of an integer type.
    private func outOfBounds(
        _ property: PropertyDescription,
        _ attribute: AttributeDescription,
        _ column: StoredColumn,
        _ schema: EntitySchema
    ) throws -> [InspectionRule] {
        if attribute.type == .boolean { return [noBoolean(property, column, schema)] }
        let isNumber = [.integer16, .integer32, .integer64, .double, .float, .date]
            .contains(attribute.type)
        guard isNumber else { return [] }
        let range = attribute.type == .integer64 ? nil : attribute.type.integerRange
        var least = range.map { GraphValue.int($0.lowerBound) }
        var most = range.map { GraphValue.int($0.upperBound) }
        for rule in attribute.rules {
            if case .minimum(let bound) = rule { least = bound }
            if case .maximum(let bound) = rule { most = bound }
        }
        let name = quoted(column.name)
        return try [(least, "<", "less"), (most, ">", "greater")].compactMap { bound, sign, word in
            // A rule may have an integer as the bound of a number with a fraction.
            guard let bound = bound.flatMap(attribute.coerced) else { return nil }
            let limit = try schema.layout.argument(bound, slot: property.slot)
            if case .null = limit { return nil }
            return InspectionRule(
                kind: .valueOutOfBounds,
                entity: schema.entity,
                property: property.name,
                rows: "SELECT Z_PK FROM \(quoted(schema.table.name)) NOT INDEXED WHERE Z_ENT IN"
                    + " \(numbers(schema.entity)) AND typeof(\(name)) IN ('integer', 'real')"
                    + " AND \(name) \(sign) \(limit.literal)",
                message: {
                    "\(objects($0, schema.entity, ("has", "have"))) a \(word) \"\(property.name)\""
                        + " than the model permits."
                },
                repair: "It gets the nearest value that the model permits.",
                value: (schema, property.slot, bound)
            )
        }
    }

    /// Numbers besides 0 and 1 count as true in memory, but not in a condition in SQL.
    private func noBoolean(
        _ property: PropertyDescription,
        _ column: StoredColumn,
        _ schema: EntitySchema
    ) -> InspectionRule {
        let name = quoted(column.name)
        return InspectionRule(
            kind: .valueOutOfBounds,
            entity: schema.entity,
            property: property.name,
            rows: "SELECT Z_PK FROM \(quoted(schema.table.name)) NOT INDEXED WHERE Z_ENT IN"
                + " \(numbers(schema.entity)) AND typeof(\(name)) = 'integer'"
                + " AND \(name) NOT IN (0, 1)",
            message: {
                "\(objects($0, schema.entity, ("has", "have"))) a \"\(property.name)\" that is"
                    + " neither true nor false."
            },
            repair: "It becomes true.",
            value: (schema, property.slot, .bool(true))
        )
    }

    private func missing(
        _ property: PropertyDescription,
        _ column: StoredColumn,
        _ schema: EntitySchema
    ) -> InspectionRule {
        let value = schema.entity.defaults[property.slot]
        return InspectionRule(
            kind: .missingValue,
            entity: schema.entity,
            property: property.name,
            rows: "SELECT Z_PK FROM \(quoted(schema.table.name)) NOT INDEXED"
                + " WHERE Z_ENT IN \(numbers(schema.entity)) AND \(quoted(column.name)) IS NULL",
            message: {
                "\(objects($0, schema.entity, ("has", "have"))) no \"\(property.name)\","
                    + " which the model requires."
            },
            repair: value.isNull ? nil : "It gets its default value.",
            value: value.isNull ? nil : (schema, property.slot, value)
        )
    }

    private func duplicates(_ constraint: [String], _ schema: EntitySchema) -> InspectionRule? {
        let columns = constraint.compactMap { schema.entity.property(named: $0) }
            .compactMap { schema.columns[$0.slot]?.name }.map(quoted)
        if columns.isEmpty || columns.count != constraint.count { return nil }
        let list = columns.joined(separator: ", ")
        let isSet = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let table = quoted(schema.table.name)
        let members = "Z_ENT IN \(numbers(schema.entity)) AND \(isSet)"
        return InspectionRule(
            kind: .duplicateValue,
            entity: schema.entity,
            property: constraint.joined(separator: ", "),
            rows: "SELECT Z_PK FROM \(table) NOT INDEXED WHERE \(members) AND (\(list)) IN"
                + " (SELECT \(list) FROM \(table) NOT INDEXED WHERE \(members)"
                + " GROUP BY \(list) HAVING COUNT(*) > 1)",
            message: {
                "\(objects($0, schema.entity, ("shares its", "share their")))"
                    + " \"\(constraint.joined(separator: "\", \""))\" with another object."
            }
        )
    }

    // MARK: Files of large data

    func checkFiles() throws {
        let columns = schema.entities.flatMap { schema in
            schema.externalColumns.map { (schema, $0) }
        }
        guard
            let folder = schema.entities.lazy.flatMap(\.layout.columns)
                .compactMap(\.externalFolder).first
        else { return }
        var used: Set<String> = []
        for (schema, column) in columns {
            let name = quoted(column.name)
            let statement = try Statement(
                "SELECT Z_PK, \(name) FROM \(quoted(schema.table.name)) NOT INDEXED"
                    + " WHERE Z_ENT = \(schema.number) AND SUBSTR(\(name), 1, 1) = x'02'",
                on: connection
            )
            defer { statement.finish() }
            var missing: [Int64] = []
            while try statement.step() {
                guard let file = ExternalData.fileName(statement.bytes(1)) else { continue }
                used.insert(file)
                if access(folder + "/" + file, R_OK) != 0 { missing.append(statement.integer(0)) }
            }
            if missing.isEmpty { continue }
            add(
                StoreFinding(
                    .missingFile,
                    entity: schema.entity.name,
                    property: column.property.name,
                    count: missing.count,
                    examples: Array(missing.prefix(StoreFinding.mostExamples)),
                    "The \(missing.count == 1 ? "file" : "files") with \"\(column.property.name)\" of"
                        + " \(objects(missing.count, schema.entity, ("is", "are"))) missing."
                )
            )
        }
        let unused = try unusedFiles(in: folder, used)
        if unused == 0 { return }
        add(
            StoreFinding(
                .unusedFile,
                count: unused,
                "\(counted(unused, "file")) with large data beside the store"
                    + " \(unused == 1 ? "belongs" : "belong") to no object and no undo.",
                repair: "They are deleted."
            )
        )
    }

    private func unusedFiles(in folder: String, _ used: Set<String>) throws -> Int {
        let names = SQLiteStore.ownFiles(in: folder, of: connection.path)
        let others = names.filter { !used.contains($0) }
        if others.isEmpty { return 0 }
        guard try HistoryTables.exist(in: connection) else { return others.count }
        let find = try connection.statement(
            "SELECT EXISTS (SELECT 1 FROM OG_CHANGE WHERE INSTR(data, ?) > 0)"
        )
        var unused = 0
        for name in others {
            defer { find.reset() }
            try find.bind([.blob(Data(name.utf8))])
            if try find.step(), find.integer(0) == 0 { unused += 1 }
        }
        return unused
    }
}
