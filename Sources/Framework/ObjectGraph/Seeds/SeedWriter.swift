import ObjectContext
import ObjectModel

/// Makes objects of the rows of a plan.
struct SeedWriter {
    private let context: ManagedObjectContext
    private let plan: String
    /// Rows of versions above the first and up to the second are added.
    private let done: Int
    private let wanted: Int
    private(set) var inserted: [ManagedObject] = []
    /// Objects by the labels of their rows.
    private var labels: [String: ManagedObject] = [:]
    private var links: [Link] = []
    private let coercion = ValueCoercion()

    /// A relationship that is set when all objects are there.
    private struct Link {
        let object: ManagedObject
        let relationship: RelationshipDescription
        let values: [GraphValue]
        /// The key of the destination; `nil` for a label.
        let key: String?
        let creates: Bool
        let place: String
    }

    init(_ context: ManagedObjectContext, _ plan: String, from done: Int, to wanted: Int) {
        self.context = context
        self.plan = plan
        self.done = done
        self.wanted = wanted
    }

    // MARK: Objects

    mutating func insert(_ table: SeedTable) throws {
        guard let entity = context.model.entity(named: table.entityName) else {
            throw refusal("there is no entity \"\(table.entityName)\"", "the plan")
        }
        let rows = try table.rows()
        let unique = table.unique ?? entity.uniqueKey
        let column = unique.flatMap { key in table.column(ofAttribute: key, in: rows) }
        let known =
            try unique.map { key in
                let values = rows.compactMap { column.flatMap($0.value(of:)) }
                return try objects(of: entity, key, try values.map { try value($0, entity, key) })
            } ?? [:]
        for row in rows {
            let since = try self.since(row, table)
            if since <= done { continue }
            if let column, let unique, let given = row.value(of: column) {
                let value = try value(given, entity, unique, at: row.place(of: column))
                if known[value] != nil { continue }
            }
            let object = try context.insert(entityNamed: entity.name)
            inserted.append(object)
            for (column, value) in row.values.sorted(by: { $0.key < $1.key }) {
                try set(value, of: column, table, object, at: row.place(of: column))
            }
        }
    }

    private func since(_ row: SeedRow, _ table: SeedTable) throws -> Int {
        let column = row.values.keys.first { table.role(of: $0).isSince }
        guard let column, let given = row.value(of: column) else { return 1 }
        guard case .int(let version)? = coercion.value(given, as: .integer64), version >= 1 else {
            throw refusal("the version is not a number from 1", row.place(of: column))
        }
        if version > wanted {
            throw refusal(
                "the row is of version \(version), but the plan of version \(wanted)",
                row.place(of: column)
            )
        }
        return Int(version)
    }

    private mutating func set(
        _ value: GraphValue,
        of column: String,
        _ table: SeedTable,
        _ object: ManagedObject,
        at place: String
    ) throws {
        if value.isNull { return }
        switch table.role(of: column) {
        case .since, .ignored: return
        case .label:
            guard case .string(let label)? = coercion.value(value, as: .string) else {
                throw refusal("the label is not a text", place)
            }
            if labels.updateValue(object, forKey: label) != nil {
                throw refusal("two rows have the label \"\(label)\"", place)
            }
        case .attribute(let key):
            try setting(at: place) {
                try object.setValue(self.value(value, object.entity, key, at: place), forKey: key)
            }
        case .custom(let body): try setting(at: place) { try body(value, object) }
        case .row(let name):
            let relationship = try relationship(name, of: object, at: place)
            links.append(
                Link(
                    object: object,
                    relationship: relationship,
                    values: members(of: value, relationship),
                    key: nil,
                    creates: false,
                    place: place
                )
            )
        case .object(let name, let key, let creates):
            let relationship = try relationship(name, of: object, at: place)
            let destination = try destination(of: relationship, at: place)
            links.append(
                Link(
                    object: object,
                    relationship: relationship,
                    values: try members(of: value, relationship).map {
                        try self.value($0, destination, key, at: place)
                    },
                    key: key,
                    creates: creates,
                    place: place
                )
            )
        }
    }

    /// The members that a value of a relationship names.
    private func members(
        of value: GraphValue,
        _ relationship: RelationshipDescription
    ) -> [GraphValue] {
        guard relationship.isToMany else { return [value] }
        if let elements = value.elements { return elements }
        guard case .string(let text) = value else { return [value] }
        return text.split(separator: ";").map { part in
            let part = part.drop(while: \.isWhitespace)
            let end = part.lastIndex { !$0.isWhitespace }
            return .string(end.map { String(part[...$0]) } ?? "")
        }
    }

    // MARK: Relationships

    /// Sets the relationships, when all objects are there.
    mutating func connect() throws {
        var known: [String: [GraphValue: ManagedObject]] = [:]
        for link in links {
            guard let key = link.key, let destination = link.relationship.destination else {
                continue
            }
            let place = "\(destination.name).\(key)"
            if known[place] != nil { continue }
            let wanted = links.filter {
                $0.key == key && $0.relationship.destination === destination
            }
            known[place] = try objects(of: destination, key, wanted.flatMap(\.values))
        }
        for link in links {
            var found: [ManagedObject] = []
            for value in link.values {
                guard let key = link.key, let destination = link.relationship.destination else {
                    found.append(try labelled(value, link))
                    continue
                }
                let place = "\(destination.name).\(key)"
                if let object = known[place]?[value] {
                    found.append(object)
                    continue
                }
                guard link.creates else {
                    throw refusal(
                        "there is no \(destination.name) with this \"\(key)\"",
                        link.place
                    )
                }
                let object = try context.insert(entityNamed: destination.name)
                try setting(at: link.place) { try object.setValue(value, forKey: key) }
                known[place, default: [:]][value] = object
                found.append(object)
            }
            try setting(at: link.place) { try set(found, link) }
        }
    }

    private func set(_ objects: [ManagedObject], _ link: Link) throws {
        let name = link.relationship.name
        if link.relationship.isToMany {
            try link.object.setValue(.array(objects.map { .object($0) }), forKey: name)
        } else if let object = objects.first {
            try link.object.setValue(.object(object), forKey: name)
        }
    }

    private func labelled(_ value: GraphValue, _ link: Link) throws -> ManagedObject {
        guard case .string(let label)? = coercion.value(value, as: .string),
            let object = labels[label]
        else { throw refusal("no row has this label", link.place) }
        return object
    }

    /// The objects that have one of some values, pending ones too.
    private func objects(
        of entity: EntityDescription,
        _ key: String,
        _ values: [GraphValue]
    ) throws -> [GraphValue: ManagedObject] {
        if values.isEmpty { return [:] }
        let predicate = try FetchPredicate(
            format: "%K IN %@",
            argumentArray: [.string(key), .array(values)]
        )
        var found: [GraphValue: ManagedObject] = [:]
        let request = FetchRequest(entityName: entity.name, predicate: predicate)
        for object in try context.fetch(request) where found[try object.value(forKey: key)] == nil {
            found[try object.value(forKey: key)] = object
        }
        return found
    }

    // MARK: Values

    private func value(
        _ given: GraphValue,
        _ entity: EntityDescription,
        _ key: String,
        at place: String = "the plan"
    ) throws -> GraphValue {
        guard let attribute = entity.property(named: key) as? AttributeDescription else {
            throw refusal("\(entity.name) has no attribute \"\(key)\"", place)
        }
        guard let value = coercion.value(given, as: attribute.type) else {
            throw refusal("the value is not a valid \(attribute.type.shownName)", place)
        }
        return value
    }

    private func relationship(
        _ name: String,
        of object: ManagedObject,
        at place: String
    ) throws -> RelationshipDescription {
        if let found = object.entity.property(named: name) as? RelationshipDescription {
            return found
        }
        throw refusal("\(object.entity.name) has no relationship \"\(name)\"", place)
    }

    private func destination(
        of relationship: RelationshipDescription,
        at place: String
    ) throws -> EntityDescription {
        if let destination = relationship.destination { return destination }
        throw refusal("the relationship \"\(relationship.name)\" leads nowhere", place)
    }

    /// Runs a setter; its error gets the place of the value.
    private func setting(at place: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            let known = error as? ObjectGraphError
            if known?.code == .invalidFormat { throw error }
            throw ObjectGraphError(
                .invalidFormat,
                "The seeds \"\(plan)\" are wrong in \(place).",
                recovery: "Correct the value there.",
                underlying: [error]
            )
        }
    }

    private func refusal(_ reason: String, _ place: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidFormat,
            "The seeds \"\(plan)\" are wrong in \(place): \(reason).",
            recovery: "Correct them there."
        )
    }
}

extension SeedTable {
    fileprivate func role(of column: String) -> SeedColumn.Role {
        if let known = columns[column] { return known.role }
        return column == "since" ? .since : .attribute(column)
    }

    fileprivate func column(ofAttribute key: String, in rows: [SeedRow]) -> String? {
        Set(rows.flatMap(\.values.keys)).sorted().first { column in
            if case .attribute(key) = role(of: column) { return true }
            return false
        }
    }
}

extension SeedRow {
    /// A value that is there.
    fileprivate func value(of column: String) -> GraphValue? {
        values[column].flatMap { $0.isNull ? nil : $0 }
    }
}

extension SeedColumn.Role {
    fileprivate var isSince: Bool { if case .since = self { true } else { false } }
}

extension EntityDescription {
    /// The attribute whose values are unique, if there is one.
    fileprivate var uniqueKey: String? {
        let own = uniquenessConstraints + (superentity?.uniquenessConstraints ?? [])
        return own.first { $0.count == 1 }?.first
    }
}
