import FoundationEssentials
import ObjectModel
import ObjectStore

extension PostgreSQLSave {
    /// A violated constraint as the framework's error, with entity, attributes and objects.
    func explain(
        _ error: PostgreSQLError,
        _ schema: EntitySchema,
        _ id: ManagedObjectID
    ) -> ObjectGraphError {
        let names = violatedAttributes(error, schema)
        if names.isEmpty { return error.error }
        return .notUnique(names, of: schema.entity, [id], underlying: [error])
    }

    /// The error of a save, with the other object that has the same values: it is looked for when
    /// the transaction is over, because it takes no more statements after an error.
    func explained(_ error: any Error) -> any Error {
        guard let failure = error as? UniquenessFailure, let id = failure.error.objectIDs.first,
            let change = (plan.inserted + plan.updated).first(where: { $0.id == id }),
            let schema = store.schema.schema(of: change.entity), let key = failure.error.key
        else { return error }
        let names = key.split(separator: ", ").map(String.init)
        guard let other = planned(names, change) ?? holder(of: names, change, schema) else {
            return error
        }
        return UniquenessFailure(
            error: .notUnique(
                names,
                of: schema.entity,
                [id, other],
                underlying: failure.error.underlying
            )
        )
    }

    private func violatedAttributes(
        _ error: PostgreSQLError,
        _ schema: EntitySchema
    ) -> [String] {
        var entity: EntityDescription? = schema.entity
        while let current = entity {
            for constraint in current.uniquenessConstraints {
                let full = StoreSchema.constraintIndexName(current, constraint)
                let index = store.dialect.indexName(full)
                // The database writes a name without quotes in lower case.
                if error.constraint == (quoted(index) == index ? index.lowercased() : index) {
                    return constraint
                }
            }
            entity = current.superentity
        }
        return []
    }

    /// Another new object of the save with the same values.
    private func planned(_ names: [String], _ change: ObjectChange) -> ManagedObjectID? {
        let slots = names.compactMap { change.entity.slotByName[$0] }
        return plan.inserted.first { other in
            other.id != change.id && other.entity.root === change.entity.root
                && slots.count == names.count
                && slots.allSatisfy {
                    $0 < other.entity.slots.count && other.slots[$0] == change.slots[$0]
                }
        }?.id
    }

    /// The object in the database that already has the values.
    private func holder(
        of names: [String],
        _ change: ObjectChange,
        _ schema: EntitySchema
    ) -> ManagedObjectID? {
        var conditions: [String] = []
        var fields = FieldWriter()
        var types: [ServerType] = []
        for name in names {
            guard let slot = schema.entity.slotByName[name], let column = schema.columns[slot]
            else { return nil }
            let layout = schema.layout.columns[schema.layout.columnBySlot[slot]]
            types.append(ServerType(column.kind))
            conditions.append("\(quoted(column.name)) = $\(types.count)")
            if case .objectID(let id) = change.slots[slot] {
                fields.add(permanentIDs.permanent(id).key)
            } else if (try? fields.add(change.slots[slot], layout)) == nil {
                return nil
            }
        }
        fields.add(change.id.isTemporaryID ? 0 : change.id.key)
        let sql =
            "SELECT Z_ENT, Z_PK FROM \(quoted(schema.table.name))"
            + " WHERE \(conditions.joined(separator: " AND ")) AND Z_PK <> $\(types.count + 1)"
            + " LIMIT 1"
        let statement = connection.statement(sql, types + [.integer])
        guard let found = try? connection.run(statement, fields), found.count == 1 else {
            return nil
        }
        return store.id(number: found.integer(0, 0), key: found.integer(0, 1))
    }
}

extension PostgreSQLError {
    /// The row of a COPY at which it failed, from 1 on.
    var copiedRow: Int? {
        guard let range = context.firstRange(of: "line ") else { return nil }
        return Int(context[range.upperBound...].prefix { $0.isNumber })
    }
}
