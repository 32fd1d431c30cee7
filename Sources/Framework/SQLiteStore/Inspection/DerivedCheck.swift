import ObjectModel
import ObjectStore

/// Compares derived attributes with what their expressions give.
///
/// Cost: one pass through the rows of entities with derived attributes, in batches, and one statement
/// for each batch and relationship of an expression.
final class DerivedCheck {
    private let inspector: InspectionRun
    private var store: SQLiteStore { inspector.store }

    private static let batch = 250

    init(_ inspector: InspectionRun) { self.inspector = inspector }

    func run() throws {
        for schema in inspector.schema.entities {
            let slots = schema.entity.derivations.filter { slot, _ in
                (schema.entity.slots[slot] as? AttributeDescription)?.isStored ?? false
            }
            if slots.isEmpty { continue }
            var wrong: [Int: [Int64]] = [:]
            try forEachWrong(schema, slots) { slot, key, _ in wrong[slot, default: []].append(key) }
            for (slot, keys) in wrong.sorted(by: { $0.key < $1.key }) {
                let name = schema.entity.slots[slot].name
                inspector.add(
                    StoreFinding(
                        .wrongDerivedValue,
                        entity: schema.entity.name,
                        property: name,
                        count: keys.count,
                        examples: Array(keys.prefix(StoreFinding.mostExamples)),
                        "\(objects(keys.count, schema.entity, ("has", "have"))) a value in \"\(name)\""
                            + " that its expression does not give.",
                        repair: "It is computed again."
                    )
                )
            }
        }
    }

    /// Computes the wrong values again.
    func repair() throws {
        for schema in inspector.schema.entities where !schema.entity.derivations.isEmpty {
            var changes: [(slot: Int, key: Int64, value: GraphValue)] = []
            let slots = schema.entity.derivations.filter { slot, _ in
                (schema.entity.slots[slot] as? AttributeDescription)?.isStored ?? false
            }
            try forEachWrong(schema, slots) { changes.append(($0, $1, $2)) }
            for change in changes {
                guard let column = schema.columns[change.slot]?.name else { continue }
                let update = try inspector.connection.statement(
                    "UPDATE \(quoted(schema.table.name)) SET \(quoted(column)) = ? WHERE Z_PK = ?"
                )
                try update.bind(schema.layout.argument(change.value, slot: change.slot), at: 1)
                update.bind(change.key, at: 2)
                try update.run()
            }
        }
    }

    private func forEachWrong(
        _ schema: EntitySchema,
        _ slots: [(slot: Int, derivation: Derivation)],
        _ body: (_ slot: Int, _ key: Int64, _ value: GraphValue) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            try inspector.note(0.5)
            let keys = try schema.keys(after: last, limit: DerivedCheck.batch, inspector.connection)
            guard let end = keys.last else { return }
            last = end
            let ids = keys.compactMap { store.id(number: schema.number, key: $0) }
            let objects = StoredObjects(store, inspector.schema.model)
            defer { store.rows.removeAll() }
            try objects.prepare(ids)
            for id in ids {
                guard let object = objects.object(id), let blob = store.rows.blob(id) else {
                    continue
                }
                let row = RowReader(blob, schema.layout)
                for (slot, derivation) in slots {
                    guard let attribute = schema.entity.slots[slot] as? AttributeDescription,
                        let value = DerivedCheck.value(derivation, object, attribute)
                    else { continue }
                    let column = schema.layout.columnBySlot[slot]
                    if column < 0 || row.value(column) == value { continue }
                    try body(slot, id.key, value)
                }
            }
        }
    }

    /// The value as a save would set it; `nil` for the time of a save, which cannot be checked.
    private static func value(
        _ derivation: Derivation,
        _ object: StoredObject,
        _ attribute: AttributeDescription
    ) -> GraphValue? {
        do {
            guard let value = try derivation.value(for: object) else { return nil }
            return attribute.coerced(value).flatMap { attribute.accepts($0) ? $0 : nil } ?? .null
        } catch {
            return nil
        }
    }
}
