package import ObjectModel

/// A saved row as an object that answers to keys.
///
/// Predicates, sort descriptors and aggregates can be evaluated on stored data with it, without a
/// context.
///
/// It shows the saved state only; transient properties read `nil`. Not thread-safe: used under the
/// coordinator's lock.
package final class StoredObject: KeyValueCoding {
    package let id: ManagedObjectID
    // Unowned: the view keeps its objects, and no object may outlive it.
    private unowned let view: StoredObjects
    package let entity: EntityDescription

    fileprivate init(_ id: ManagedObjectID, _ entity: EntityDescription, _ view: StoredObjects) {
        self.id = id
        self.entity = entity
        self.view = view
    }

    package var managedObjectID: ManagedObjectID? { id }

    package var entityNames: [String] { entity.lineage }

    package func value(forKey key: String) throws -> GraphValue {
        guard let slot = entity.slotByName[key] else {
            if entity.hierarchyNames.contains(key) { return .null }
            return try value(forUndefinedKey: key)
        }
        if let relationship = entity.slots[slot] as? RelationshipDescription,
            relationship.isToMany
        {
            return try view.members(of: relationship, id)
        }
        let layout = view.store.layout(entity)
        if let composite = entity.slots[slot] as? AttributeDescription, composite.type == .composite
        {
            guard let blob = try view.row(id) else { return .null }
            let reader = RowReader(blob, layout)
            return composite.composed { element in
                let column = layout.columnBySlot[element.slot]
                return column < 0 ? .null : reader.value(column)
            }
        }
        let column = layout.columnBySlot[slot]
        guard column >= 0, let blob = try view.row(id) else { return .null }
        let value = RowReader(blob, layout).value(column)
        if case .objectID(let other) = value, entity.slots[slot] is RelationshipDescription {
            return view.object(other).map { .object($0) } ?? .null
        }
        guard let sealed = value.sealed else { return value }
        do {
            return try sealed.open()
        } catch {
            throw ObjectGraphError.unreadable(error, entity.slots[slot], of: entity, [id])
        }
    }

    package func setValue(_ value: GraphValue, forKey key: String) throws {
        throw ObjectGraphError(
            .unsupported,
            "A stored row cannot be changed directly.",
            recovery: "Change the object in a context.",
            key: key
        )
    }
}

/// The objects of one store, each made once.
///
/// Objects are valid as long as this collection exists.
package final class StoredObjects {
    fileprivate let store: any PersistentStore
    private let model: ManagedObjectModel
    private var objects: [ManagedObjectID: StoredObject] = [:]
    private var memberSets: [MemberKey: GraphValue] = [:]

    private struct MemberKey: Hashable {
        let relationship: ObjectIdentifier
        let owner: ManagedObjectID
    }

    package init(_ store: any PersistentStore, _ model: ManagedObjectModel) {
        self.store = store
        self.model = model
    }

    /// The object with an ID; `nil` if the model does not know its entity.
    package func object(_ id: ManagedObjectID) -> StoredObject? {
        if let known = objects[id] { return known }
        guard let entity = model.entity(of: id) else { return nil }
        let object = StoredObject(id, entity, self)
        objects[id] = object
        return object
    }

    /// Loads the rows of objects whose values will be read.
    package func prepare(_ ids: [ManagedObjectID]) throws {
        let missing = ids.filter { !store.rows.contains($0) }
        if !missing.isEmpty { try store.load(missing) }
    }

    fileprivate func row(_ id: ManagedObjectID) throws -> UnsafeRawPointer? {
        if let blob = store.rows.blob(id) { return blob }
        try store.load([id])
        return store.rows.blob(id)
    }

    fileprivate func members(
        of relationship: RelationshipDescription,
        _ id: ManagedObjectID
    ) throws -> GraphValue {
        if relationship.isTransient { return relationship.isOrdered ? .array([]) : .set([]) }
        let key = MemberKey(relationship: ObjectIdentifier(relationship), owner: id)
        if let known = memberSets[key] { return known }
        let ids = try store.destinations(of: relationship, owners: [id]).first ?? []
        let members = ids.compactMap { object($0).map { GraphValue.object($0) } }
        let value: GraphValue = relationship.isOrdered ? .array(members) : .set(Set(members))
        memberSets[key] = value
        return value
    }
}
