import ObjectContext
import ObjectModel

/// A property mapping prepared to be used for many objects.
final class PreparedMapping {
    private let name: String
    private let expression: FetchExpression
    /// For `$source.key`: the key, which needs no evaluation.
    private let key: String?

    init?(_ mapping: PropertyMapping) {
        guard let expression = mapping.valueExpression else { return nil }
        name = mapping.name
        self.expression = expression
        if case .keyPathOf(.variable("source"), let path) = expression, !path.contains("@") {
            key = path
        } else {
            key = nil
        }
    }

    /// Sets the property of a new object.
    ///
    /// - Throws: `ObjectGraphError` with the mapping, the entity and the property.
    func set(
        in mapping: EntityMapping,
        _ source: ManagedObject?,
        _ destination: ManagedObject,
        _ policy: EntityMigrationPolicy,
        _ manager: MigrationManager
    ) throws {
        do {
            let value: GraphValue
            if let key, let source {
                if destination.takeSealedValue(forKey: name, of: source, forKey: key) { return }
                value = try source.value(forKeyPath: key)
            } else {
                value = try expression.value(
                    with: source.map { .object($0) } ?? .null,
                    bindings: [
                        "source": source.map { .object($0) } ?? .null,
                        "destination": .object(destination),
                        "manager": .object(manager),
                        "entityMapping": .object(MappingKeys(mapping)),
                        "entityPolicy": .object(policy),
                        "context": .opaque(manager.destinationContext),
                    ]
                )
            }
            try destination.setMigrated(value, forKey: name)
        } catch let error as ObjectGraphError where error.code != .cancelled {
            throw ObjectGraphError(
                error.code,
                "The mapping \(mapping.name) cannot set \(destination.entity.name).\(name): "
                    + error.message,
                recovery: error.recovery,
                key: name,
                underlying: [error]
            )
        }
    }
}

extension ManagedObject {
    /// Sets a property; a relationship takes one object, a list of them, or nothing, and an element
    /// of a composite attribute is set within the whole.
    fileprivate func setMigrated(_ value: GraphValue, forKey name: String) throws {
        guard let relationship = entity.property(named: name) as? RelationshipDescription else {
            let property = entity.property(named: name)
            if let element = property as? AttributeDescription, element.composite != nil {
                return try setElement(element, value)
            }
            return try setValue(value, forKey: name)
        }
        let members = (value.elements ?? [value]).filter { !$0.isNull }
        if !relationship.isToMany {
            if members.count > 1 {
                throw ObjectGraphError(
                    .migration,
                    "it takes one object, and there are \(members.count).",
                    recovery: "Let the value expression choose one."
                )
            }
            return try setValue(members.first ?? .null, forKey: name)
        }
        try setValue(relationship.isOrdered ? .array(members) : .set(Set(members)), forKey: name)
    }

    private func setElement(_ element: AttributeDescription, _ value: GraphValue) throws {
        guard let whole = element.composite, whole.composite == nil else {
            return try setValue(value, forKeyPath: element.name)
        }
        var entries: [String: GraphValue] = [:]
        if case .dictionary(let known) = try self.value(forKey: whole.name) { entries = known }
        entries[element.elementName] = value.isNull ? nil : value
        try setValue(entries.isEmpty ? .null : .dictionary(entries), forKey: whole.name)
    }
}

/// What `$entityMapping` answers in an expression.
final class MappingKeys: KeyValueCoding {
    private let mapping: EntityMapping

    init(_ mapping: EntityMapping) { self.mapping = mapping }

    func value(forKey key: String) throws -> GraphValue {
        switch key {
        case "name": .string(mapping.name)
        case "sourceEntityName": mapping.sourceEntityName.map { .string($0) } ?? .null
        case "destinationEntityName": mapping.destinationEntityName.map { .string($0) } ?? .null
        case "userInfo": .dictionary(mapping.userInfo.mapValues { .string($0) })
        default: try value(forUndefinedKey: key)
        }
    }

    func setValue(_ value: GraphValue, forKey key: String) throws {
        try setValue(value, forUndefinedKey: key)
    }
}
