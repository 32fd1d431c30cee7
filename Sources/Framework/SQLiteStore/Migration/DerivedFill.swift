import FoundationEssentials
import ObjectModel
import ObjectStore

/// Computes the derived attributes that a migration adds or whose input it changes.
///
/// The rows are read through a store over the same connection, so that the values are those that a
/// save would compute.
final class DerivedFill {
    private let plan: MigrationPlan
    private let connection: Connection
    /// The attributes to compute, by entity.
    private var wanted: [(schema: EntitySchema, slots: [(slot: Int, derivation: Derivation)])] = []
    private let now = Date()

    private let monitor: MigrationMonitor

    private static let batch = 250

    init(_ plan: MigrationPlan, _ connection: Connection, _ monitor: MigrationMonitor) {
        self.plan = plan
        self.connection = connection
        self.monitor = monitor
        for schema in plan.new.entities {
            guard let entry = plan.correspondence.entry(of: schema.entity), entry.source != nil
            else { continue }
            let slots = schema.entity.derivations.filter { slot, derivation in
                (schema.entity.slots[slot] as? AttributeDescription).map {
                    $0.isStored && needsValue($0, derivation, entry)
                } ?? false
            }
            if !slots.isEmpty { wanted.append((schema, slots)) }
        }
    }

    /// The tables with such attributes, those first whose values others may depend on.
    var tables: [String] {
        var result: [String] = []
        // One more pass than there are attributes follows every chain of dependencies.
        let attributes = wanted.flatMap(\.slots)
        let readsDerived = attributes.contains { _, derivation in
            derivation.keys.count > 0 && derivedNames.contains(derivation.keys.last ?? "")
        }
        let names = plan.new.tables.map(\.name).filter { name in
            wanted.contains { $0.schema.table.name == name }
        }
        for _ in 0..<(readsDerived ? attributes.count : 1) { result += names }
        return result
    }

    private var derivedNames: Set<String> {
        Set(
            plan.new.entities.flatMap { schema in
                schema.entity.derivations.map { schema.entity.slots[$0.slot].name }
            }
        )
    }

    private func needsValue(
        _ attribute: AttributeDescription,
        _ derivation: Derivation,
        _ entry: ModelCorrespondence.Entity
    ) -> Bool {
        guard let origin = entry.properties[attribute.name] as? AttributeDescription,
            origin.derivation == attribute.derivation
        else { return true }
        var entity = entry.destination
        for key in derivation.keys {
            guard let property = entity.property(named: key),
                let before = plan.correspondence.entry(of: entity)?.properties[key],
                before.isOptional == property.isOptional || property.isOptional
            else { return true }
            guard let relationship = property as? RelationshipDescription else { continue }
            if plan.mayDangle(relationship) { return true }
            guard let destination = relationship.destination else { return true }
            entity = destination
        }
        return false
    }

    func fill(_ table: String) throws {
        let store = plan.view(on: connection)
        for (schema, slots) in wanted where schema.table.name == table {
            var last: Int64 = 0
            while true {
                try monitor.check()
                let keys = try schema.keys(after: last, limit: DerivedFill.batch, connection)
                guard let end = keys.last else { break }
                try fill(keys, schema, slots, store)
                last = end
            }
        }
    }

    private func fill(
        _ keys: [Int64],
        _ schema: EntitySchema,
        _ slots: [(slot: Int, derivation: Derivation)],
        _ store: SQLiteStore
    ) throws {
        defer { store.rows.removeAll() }
        let ids = keys.compactMap { store.id(number: schema.number, key: $0) }
        let objects = StoredObjects(store, plan.new.model)
        try objects.prepare(ids)
        let names = slots.compactMap { schema.columns[$0.slot]?.name }
        let update = try connection.statement(
            "UPDATE \(quoted(schema.table.name)) SET "
                + names.map { "\(quoted($0)) = ?" }.joined(separator: ", ") + " WHERE Z_PK = ?"
        )
        for id in ids {
            guard let object = objects.object(id) else { continue }
            for (index, item) in slots.enumerated() {
                let value = try value(item.derivation, object, schema.entity.slots[item.slot])
                try update.bind(
                    schema.layout.argument(value, slot: item.slot),
                    at: Int32(index + 1)
                )
            }
            update.bind(id.key, at: Int32(slots.count + 1))
            try update.run()
        }
    }

    /// The value as a save would set it: what cannot be computed or does not fit is `nil`.
    private func value(
        _ derivation: Derivation,
        _ object: StoredObject,
        _ property: PropertyDescription
    ) throws -> GraphValue {
        guard let attribute = property as? AttributeDescription else { return .null }
        let value: GraphValue
        do {
            value = try derivation.value(for: object) ?? .date(now)
        } catch let error as SQLiteError {
            throw error
        } catch let error as ObjectGraphError where error.code == .cancelled {
            throw error
        } catch {
            return .null
        }
        return attribute.coerced(value).flatMap { attribute.accepts($0) ? $0 : nil } ?? .null
    }
}

extension MigrationPlan {
    /// The new layout as a store over the connection of the migration.
    func view(on connection: Connection) -> SQLiteStore {
        var options = SQLiteStoreOptions()
        options.keepsHistory = false
        let store = SQLiteStore(
            OpenedFile(
                url: URL(filePath: connection.path),
                configuration: nil,
                options: options,
                connection: connection,
                identifier: UUID(),
                metadata: [:],
                schema: new,
                isOurs: true,
                isNew: false
            )
        )
        store.ownsConnection = false
        return store
    }

    /// Deletes the files of large data that nothing uses after the migration.
    func removeUnusedFiles(_ connection: Connection) throws {
        let folders = (old.entities + new.entities).flatMap(\.layout.columns)
            .compactMap(\.externalFolder)
        guard let folder = folders.first else { return }
        if new.entities.contains(where: { !$0.externalColumns.isEmpty }) {
            try view(on: connection).removeUnusedFiles()
            return
        }
        // Without such attributes neither rows nor history refer to files.
        for name in SQLiteStore.ownFiles(in: folder, of: connection.path) {
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// Whether the search index of the store is right after the migration as it is.
    func keepsSearchIndex(_ metadata: StoreMetadata) -> Bool {
        let before = SearchTables(old)
        guard metadata[MetadataList.search] == .string(before.digest(old)),
            before.digest(old) == SearchTables(new).digest(new)
        else { return false }
        return new.entities.allSatisfy { schema in
            let searched = schema.entity.storedAttributes.filter {
                $0.isSearched && $0.type == .string
            }
            if searched.isEmpty { return true }
            guard let entry = correspondence.entry(of: schema.entity),
                entry.source?.name == schema.entity.name,
                entry.source?.root.name == schema.entity.root.name
            else { return false }
            return searched.allSatisfy { attribute in
                let origin = entry.properties[attribute.name]
                return origin?.name == attribute.name
                    && (origin?.isOptional == attribute.isOptional || attribute.isOptional)
                    && !attribute.isDerived
            }
        } && removedEntities.allSatisfy { !hasSearched($0) }
    }

    private func hasSearched(_ entity: EntityDescription) -> Bool {
        entity.storedAttributes.contains { $0.isSearched && $0.type == .string }
    }
}
