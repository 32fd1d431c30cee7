public import ObjectModel

/// One object in the memory of an ``AtomicStore``.
///
/// A store makes a node for each object of its file, sets the values, and adds the node with
/// ``AtomicStore/addCacheNodes(_:)``.
public final class AtomicStoreCacheNode {
    public let objectID: ManagedObjectID
    public let entity: EntityDescription
    /// The attributes and to-one relationships by slot.
    package var values: [GraphValue]
    /// The members of to-many relationships as they were read, until the store has all nodes.
    package var loadedMembers: [(slot: Int, ids: [ManagedObjectID])] = []
    /// Knows the members of to-many relationships.
    package weak var store: AtomicStore?

    /// A node without values.
    ///
    /// - Parameters:
    ///   - objectID: from ``AtomicStore/objectID(for:withReferenceObject:)``.
    ///   - entity: the concrete entity of the ID.
    public convenience init(objectID: ManagedObjectID, entity: EntityDescription) {
        self.init(objectID, entity, Array(repeating: .null, count: entity.slots.count))
    }

    package init(_ id: ManagedObjectID, _ entity: EntityDescription, _ values: [GraphValue]) {
        objectID = id
        self.entity = entity
        self.values = values
    }

    /// The value of a stored attribute, the object ID of a to-one relationship, or the array of the
    /// object IDs of a to-many relationship.
    ///
    /// The value of an encrypted attribute is its encrypted data, `.data`.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey``.
    /// - Complexity: O(1), for a to-many relationship O(members).
    public func value(forKey key: String) throws -> GraphValue {
        let property = try storedProperty(key)
        guard let relationship = property as? RelationshipDescription, relationship.isToMany else {
            return try values[property.slot].dataIfSealed()
        }
        if let read = loadedMembers.last(where: { $0.slot == property.slot }) {
            return .array(read.ids.map { .objectID($0) })
        }
        let members = store?.members(of: relationship, objectID) ?? []
        return .array(members.map { .objectID($0) })
    }

    /// Sets a value, while the store loads.
    ///
    /// Both sides of a relationship may be set, or one. If they contradict each other, the to-one
    /// side counts.
    ///
    /// - Parameters:
    ///   - value: for a to-one relationship an object ID; for a to-many relationship an array of
    ///     them, which is in order if the relationship is ordered; for an encrypted attribute its
    ///     encrypted data.
    ///   - key: the name of a stored property.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey``, or
    ///   ``ObjectGraphError/Code/wrongValueKind`` if the property does not take such a value.
    public func setValue(_ value: GraphValue, forKey key: String) throws {
        let property = try storedProperty(key)
        switch (property, value) {
        case (let relationship as RelationshipDescription, .array(let members))
        where relationship.isToMany:
            let ids = members.compactMap { member -> ManagedObjectID? in
                if case .objectID(let id) = member { return id }
                return nil
            }
            if ids.count < members.count { throw refusal(property, value) }
            loadedMembers.append((property.slot, ids))
        case (let relationship as RelationshipDescription, .null) where relationship.isToMany:
            loadedMembers.append((property.slot, []))
        case (let relationship as RelationshipDescription, .objectID),
            (let relationship as RelationshipDescription, .null):
            if relationship.isToMany { throw refusal(property, value) }
            values[property.slot] = value
        case (let attribute as AttributeDescription, _):
            guard let taken = attribute.taken(value) else { throw refusal(property, value) }
            values[property.slot] = taken
        default: throw refusal(property, value)
        }
    }

    /// All values that are not `nil`, by name.
    public var propertyCache: [String: GraphValue] {
        var result: [String: GraphValue] = [:]
        for property in entity.storedProperties {
            if let value = try? value(forKey: property.name), !value.isNull {
                result[property.name] = value
            }
        }
        return result
    }

    private func storedProperty(_ key: String) throws -> PropertyDescription {
        guard let property = entity.property(named: key), property.isInStore else {
            throw ObjectGraphError.notStored(key, entity)
        }
        return property
    }

    private func refusal(_ property: PropertyDescription, _ value: GraphValue) -> ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "\(entity.name).\(property.name) does not take \(value.kindWithArticle).",
            recovery: "Convert the value before it is set.",
            objectIDs: [objectID],
            key: property.name
        )
    }
}

extension AtomicStoreCacheNode: Hashable {
    public static func == (left: AtomicStoreCacheNode, right: AtomicStoreCacheNode) -> Bool {
        left.objectID == right.objectID
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }
}
