package import FoundationEssentials
package import ObjectModel
package import ObjectStore

// A lightweight migration: the tables are changed in one transaction, under the lock for making tables
// and that of saves, by the same plan as a SQLite store. Others that have the store open
// are refused from then on: by `OG_STATE.form`, or by a table or a column that is gone.

/// Changes a store, in place, for another version of its model.
struct PostgreSQLMigration {
    private let opening: PostgreSQLOpening
    private let monitor: MigrationMonitor

    private var connection: PostgreSQLConnection { opening.connection }

    init(_ opening: PostgreSQLOpening, _ monitor: MigrationMonitor) {
        self.opening = opening
        self.monitor = monitor
    }

    /// - Throws: `ObjectGraphError`, ``PostgreSQLError``; nothing is changed then.
    func run(from source: ManagedObjectModel) throws {
        try source.freeze()
        try opening.model.freeze()
        monitor.note(0, "Opening the store")
        try connection.exclusively(opening.place) {
            try connection.lockState()
            let (_, metadata) = try connection.metadata(opening.place)
            // Another program may have migrated it meanwhile.
            let isDone = opening.model.matches(
                storeMetadata: metadata,
                configuration: opening.configuration
            )
            if isDone { return }
            let plan = try plan(from: source, metadata)
            try connection.keepingGrants {
                try change(plan)
                try finish(plan, metadata)
            }
        }
        monitor.note(1, "Done")
    }

    private func plan(
        from source: ManagedObjectModel,
        _ metadata: StoreMetadata
    ) throws -> MigrationPlan {
        let former = [opening.configuration, nil] + source.configurations.keys.sorted()
        let configuration = former.first {
            ($0.map { source.configurations[$0] != nil } ?? true)
                && source.matches(storeMetadata: metadata, configuration: $0)
        }
        guard let configuration else {
            throw ObjectGraphError(
                .missingSourceModel,
                "The model given for the store is not the one that it was made with.",
                recovery: "Give the model of its version."
            )
        }
        let before = PostgreSQLOpening(
            place: opening.place,
            model: source,
            configuration: configuration,
            options: opening.options,
            connection: connection
        )
        let plan = try MigrationPlan(
            ModelCorrespondence(
                from: source,
                to: opening.model,
                configuration: (configuration, opening.configuration)
            ),
            from: before.layout(metadata),
            to: opening.newSchema(),
            in: .postgresql,
            literal: literal
        )
        if plan.newDerived.isEmpty { return plan }
        throw ObjectGraphError(
            .inferredMapping,
            "The derived attributes \(plan.newDerived.joined(separator: ", ")) cannot be computed in"
                + " a PostgreSQL store.",
            recovery: "Copy the store to a SQLite store, migrate that, and copy it back."
        )
    }

    /// A value in the text of a statement.
    private func literal(_ value: GraphValue, _ layout: RowLayout, _ slot: Int) throws -> String {
        let index = layout.columnBySlot[slot]
        if index < 0 || value.isNull { return "NULL" }
        var fields = FieldWriter()
        try fields.add(value, layout.columns[index])
        guard fields.lengths[0] >= 0 else { return "NULL" }
        func hexadecimal() -> String {
            fields.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        switch (layout.columns[index].kind, value) {
        case (.integer, .int(let number)): return String(number)
        case (.integer, .bool(let flag)): return flag ? "1" : "0"
        case (.real, .double(let number)): return "CAST('\(number)' AS DOUBLE PRECISION)"
        case (.real, .date(let date)):
            return "CAST('\(date.timeIntervalSinceReferenceDate)' AS DOUBLE PRECISION)"
        case (.text, _):
            let text = String(decoding: fields.bytes, as: UTF8.self)
            return "CAST('\(text.replacing("'", with: "''"))' AS TEXT) COLLATE \"C\""
        default: return "CAST('\\x\(hexadecimal())' AS BYTEA)"
        }
    }

    // MARK: Tables

    private func change(_ plan: MigrationPlan) throws {
        let changes = TableChanges(
            plan,
            .postgresql,
            run: { try connection.execute($0) },
            isViolation: { ($0 as? PostgreSQLError)?.isUniqueViolation == true }
        )
        try dropIndexes()
        try makeDefaults(plan)
        try changes.collectPairs()
        try changes.makeJoins()
        try changes.moveAway()
        for (index, move) in plan.tables.enumerated() {
            try monitor.check()
            let part = Double(index) / Double(plan.tables.count)
            monitor.note(0.05 + 0.75 * part, "Changing \(move.table.root.name)")
            try changes.perform(move)
        }
        try changes.removeTables()
        try changes.placeJoins()
        try changes.fillPairColumns()
        try changes.fillEntityColumns()
        try changes.fillOrders()
        try changes.removeDanglingLinks()
        for number in plan.madeDefaults.indices {
            try connection.execute("DROP TABLE OGM_D\(number)")
        }
        try monitor.check()
        monitor.note(0.85, "Indexing")
        for index in plan.new.indexes(in: .postgresql) {
            do {
                try connection.execute(index.statement)
            } catch let error as PostgreSQLError where error.isUniqueViolation {
                throw plan.new.duplicates(under: index.name)
            }
        }
    }

    /// The indexes of the old layout: those of the new one are made at the end.
    private func dropIndexes() throws {
        let present = try connection.objectIndexes()
        for name in present { try connection.execute("DROP INDEX \(name)") }
    }

    /// Makes the defaults that are others for each row.
    private func makeDefaults(_ plan: MigrationPlan) throws {
        for (number, made) in plan.madeDefaults.enumerated() {
            let column = made.layout.columns[made.layout.columnBySlot[made.slot]]
            let type = SQLDialect.postgresql.columnType(column.type?.columnType ?? "BLOB")
            try connection.execute(
                "CREATE TEMP TABLE OGM_D\(number) (k BIGINT PRIMARY KEY, v \(type))"
            )
            let keys = try connection.run(
                "SELECT Z_PK FROM \(quoted(made.source.table.name)) WHERE Z_ENT = $1",
                [.integer(made.source.number)]
            )
            var rows = FieldWriter(copying: keys.count)
            for row in 0..<keys.count {
                rows.beginRow(2)
                rows.add(keys.integer(row, 0))
                try rows.add(made.value(), column)
            }
            rows.end()
            try connection.copy(into: "OGM_D\(number) (k, v)", rows)
        }
    }

    // MARK: The end

    private func finish(_ plan: MigrationPlan, _ metadata: StoreMetadata) throws {
        let keys = try connection.run("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
        let largest = Dictionary(
            (0..<keys.count).map { (keys.text($0, 0), keys.integer($0, 1)) }
        ) { first, _ in first }
        try connection.execute("DELETE FROM Z_PRIMARYKEY")
        for schema in plan.new.entities {
            var key: Int64 = 0
            if schema.entity.superentity == nil {
                let move = plan.tables.first { $0.table === schema.table }
                key = move?.source.flatMap { largest[$0.root.name] } ?? 0
            }
            try connection.execute(plan.new.numbering(of: schema, largestKey: key))
        }
        if try connection.hasTable("og_change"), plan.changesHistory { try endHistory() }
        try connection.write(opening.model)
        var known = metadata.merging(opening.newMetadata(plan.new)) { $1 }
        var lineage: [GraphValue] = []
        if case .array(let texts)? = metadata[MetadataList.lineage] { lineage = texts }
        if let last = ManagedObjectModel.checksum(ofStore: metadata) {
            lineage.removeAll { $0 == .string(last) }
            lineage.append(.string(last))
        }
        known[MetadataList.lineage] = .array(lineage)
        // Texts may have moved between attributes; opening makes their folded forms again.
        if plan.changesHistory { known[MetadataList.search] = nil }
        try connection.enqueue(
            "UPDATE Z_METADATA SET Z_PLIST = $1",
            .blob(try MetadataList.data(known))
        )
        try connection.enqueue("UPDATE OG_STATE SET serial = serial + 1, form = form + 1")
    }

    /// Ends the history, whose changes have names that the new model does not know: every token
    /// expires.
    private func endHistory() throws {
        try connection.execute("DELETE FROM OG_CHANGE; DELETE FROM OG_TRANSACTION")
        try connection.execute(
            "UPDATE OG_STATE SET number = number + 2 WHERE number > 0;"
                + " INSERT INTO OG_TRANSACTION (number, date, kind, grp, first, count)"
                + " SELECT number, \(Date().timeIntervalSinceReferenceDate),"
                + " \(TransactionInfo.Kind.silent.rawValue), number, change, 0"
                + " FROM OG_STATE WHERE number > 0"
        )
    }
}

extension MigrationPlan {
    /// Whether entities or properties have other names or are gone, so that old changes cannot be
    /// undone.
    fileprivate var changesHistory: Bool {
        if !correspondence.removed.isEmpty { return true }
        return correspondence.entities.contains { entry in
            guard let source = entry.source else { return false }
            if source.name != entry.destination.name { return true }
            let kept = Set(entry.properties.values.map(\.name))
            return entry.properties.contains { $0.key != $0.value.name }
                || source.slots.contains { $0.isInStore && !kept.contains($0.name) }
        }
    }

    /// The derived attributes without values in the old store, of entities that may have objects.
    fileprivate var newDerived: [String] {
        new.entities.flatMap { schema -> [String] in
            guard let entry = correspondence.entry(of: schema.entity), entry.source != nil else {
                return []
            }
            return schema.entity.derivations.compactMap { slot, _ in
                let name = schema.entity.slots[slot].name
                let isStored = (schema.entity.slots[slot] as? AttributeDescription)?.isStored
                guard isStored == true, entry.properties[name] == nil else { return nil }
                return "\(schema.entity.name).\(name)"
            }
        }
    }
}

extension PostgreSQLStore {
    /// Changes a store, in place, for another version of its model.
    ///
    /// - Throws: `ObjectGraphError`; nothing is changed then.
    package static func migrate(
        at url: URL,
        from source: ManagedObjectModel,
        to model: ManagedObjectModel,
        configuration: String?,
        options: PostgreSQLStoreOptions,
        _ monitor: MigrationMonitor
    ) throws {
        let place = try PostgreSQLPlace(url)
        try translatingServerErrors {
            let connection = try PostgreSQLConnection.open(place)
            try PostgreSQLMigration(
                PostgreSQLOpening(
                    place: place,
                    model: model,
                    configuration: configuration,
                    options: options,
                    connection: connection
                ),
                monitor
            ).run(from: source)
        }
    }
}
