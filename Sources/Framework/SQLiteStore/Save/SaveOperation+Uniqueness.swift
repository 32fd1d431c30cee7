import FoundationEssentials
import ObjectModel
import ObjectStore

extension SaveOperation {
    /// A violated constraint as the framework's error, with entity, attributes and objects.
    func explain(
        _ error: SQLiteError,
        _ schema: EntitySchema,
        _ id: ManagedObjectID
    ) -> ObjectGraphError {
        let names = violatedAttributes(error, schema)
        if names.isEmpty { return error.error }
        var ids = [id]
        if let change = (plan.inserted + plan.updated).first(where: { $0.id == id }),
            let other = holder(of: names, change, schema)
        {
            ids.append(other)
        }
        return .notUnique(names, of: schema.entity, ids, underlying: [error])
    }

    /// The attributes that SQLite's message names, by columns or by index.
    private func violatedAttributes(_ error: SQLiteError, _ schema: EntitySchema) -> [String] {
        var entity: EntityDescription? = schema.entity
        while let current = entity {
            for constraint in current.uniquenessConstraints {
                let index = StoreSchema.constraintIndexName(current, constraint)
                let columns = constraint.compactMap { name in
                    current.slotByName[name].flatMap { schema.columns[$0]?.name }
                }
                let list = columns.map { "\(schema.table.name).\($0)" }.joined(separator: ", ")
                if error.message.hasSuffix(": " + list)
                    || error.message.contains("'\(index)'")
                {
                    return constraint
                }
            }
            entity = current.superentity
        }
        return []
    }

    /// The object in the file that already has the values.
    private func holder(
        of names: [String],
        _ change: ObjectChange,
        _ schema: EntitySchema
    ) -> ManagedObjectID? {
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        for name in names {
            guard let slot = schema.entity.slotByName[name], let column = schema.columns[slot],
                let argument = SQLValue(change.slots[slot], column.attribute)
            else { return nil }
            conditions.append("\(quoted(column.name)) = ?")
            arguments.append(argument)
        }
        let sql =
            "SELECT Z_ENT, Z_PK FROM \(quoted(schema.table.name))"
            + " WHERE \(conditions.joined(separator: " AND ")) AND Z_PK <> ? LIMIT 1"
        guard let statement = try? connection.statement(sql) else { return nil }
        defer { statement.reset() }
        arguments.append(.integer(change.id.isTemporaryID ? 0 : change.id.key))
        guard (try? statement.bind(arguments)) != nil, (try? statement.step()) == true else {
            return nil
        }
        return store.id(number: statement.integer(0), key: statement.integer(1))
    }
}

extension SQLValue {
    /// A property's value as an argument; `nil` if it cannot be one.
    init?(_ value: GraphValue, _ attribute: AttributeDescription?) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .integer(flag ? 1 : 0)
        case .int(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .decimal(let number): self = DecimalForm.argument(number)
        case .string(let text): self = .text(text)
        case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
        case .data(let data): self = .blob(data)
        case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .url(let url): self = .text(url.absoluteString)
        case .objectID(let id): self = .integer(id.key)
        case .object, .array, .set, .dictionary, .opaque: return nil
        }
    }
}
