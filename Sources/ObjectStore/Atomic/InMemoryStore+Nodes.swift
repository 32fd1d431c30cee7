import ObjectModel

extension InMemoryStore {
    /// Takes the objects that a store has loaded.
    ///
    /// The to-one side of a relationship counts; where it is empty, the to-many side fills it.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile``.
    func fill(_ store: AtomicStore) throws {
        let nodes = store.cacheNodes
        for node in nodes { try adoptOwners(of: node, store) }
        for node in nodes { put(node) }
        for node in nodes { try linkMembers(of: node, store) }
        for node in nodes { node.loadedMembers = [] }
    }

    /// Fills the empty to-one relationships of a node's members.
    private func adoptOwners(of node: AtomicStoreCacheNode, _ store: AtomicStore) throws {
        for (slot, ids) in node.loadedMembers {
            guard let relationship = node.entity.slots[slot] as? RelationshipDescription,
                let inverse = relationship.inverse, !inverse.isToMany
            else { continue }
            for id in ids {
                guard let member = store.cacheNode(for: id) else { continue }
                try check(id, relationship, store)
                if member.values[inverse.slot].isNull {
                    member.values[inverse.slot] = .objectID(node.objectID)
                }
            }
        }
    }

    private func put(_ node: AtomicStoreCacheNode) {
        let id = node.objectID
        state.tables[id.entityNumber, default: [:]][id.key] = MemoryState.Row(
            version: 1,
            values: node.values
        )
        state.unique.insert(id, node.entity, node.values)
        for relationship in node.entity.relationships where !relationship.isToMany {
            let target = node.values[relationship.slot]
            if target.isNull { continue }
            state.links.move(id, relationship, from: .null, to: target)
        }
    }

    private func linkMembers(of node: AtomicStoreCacheNode, _ store: AtomicStore) throws {
        for (slot, ids) in node.loadedMembers where !ids.isEmpty {
            guard let relationship = node.entity.slots[slot] as? RelationshipDescription else {
                continue
            }
            // A member that does not exist any more has no to-one side either.
            let members = ids.filter { store.cacheNode(for: $0) != nil }
            for id in members { try check(id, relationship, store) }
            let isOneToMany = relationship.inverse?.isToMany == false
            if isOneToMany && !relationship.isOrdered { continue }
            state.links.add(
                LinkChange(
                    relationship: relationship,
                    owner: node.objectID,
                    added: isOneToMany ? [] : members,
                    removed: [],
                    order: relationship.isOrdered ? members : nil
                )
            ) { $0 }
        }
        for relationship in node.entity.relationships where !relationship.isToMany {
            if case .objectID(let id) = node.values[relationship.slot] {
                try check(id, relationship, store)
            }
        }
    }

    private func check(
        _ id: ManagedObjectID,
        _ relationship: RelationshipDescription,
        _ store: AtomicStore
    ) throws {
        guard let entity = entity(id), let destination = relationship.destination,
            entity.isKind(of: destination)
        else {
            let place = "\(relationship.entity?.name ?? "").\(relationship.name)"
            throw store.damaged("\(place) leads to an object of \(id.entityName)")
        }
    }
}
