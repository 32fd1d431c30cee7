import ObjectModel

extension InMemoryStore {
    /// Takes the objects that a store has loaded.
    ///
    /// The to-one side of a relationship counts; where it is empty, the to-many side fills it.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile``.
    func fill(_ store: AtomicStore) throws {
        let nodes = store.loadedNodes
        store.loadedNodes = []
        try adoptOwners(nodes, store)
        // Local while many rows come: an access of a property of a class is checked each time.
        var state = state
        self.state = MemoryState()
        defer { self.state = state }
        for (number, count) in StoreCount.byEntity(nodes) {
            state.tables[number, default: [:]].reserveCapacity(count)
        }
        for node in nodes where !put(node, in: &state) { throw store.twice(node) }
        for node in nodes {
            try checkDestinations(of: node, store)
            if !node.loadedMembers.isEmpty { try linkMembers(of: node, store, in: &state) }
            node.loadedMembers = []
        }
    }

    /// Fills the empty to-one relationships of members that only their owners have.
    private func adoptOwners(_ nodes: [AtomicStoreCacheNode], _ store: AtomicStore) throws {
        var nodeByID: [ManagedObjectID: AtomicStoreCacheNode] = [:]
        for node in nodes {
            for (slot, ids) in node.loadedMembers {
                guard let relationship = node.entity.slots[slot] as? RelationshipDescription,
                    let inverse = relationship.inverse, !inverse.isToMany
                else { continue }
                if nodeByID.isEmpty {
                    nodeByID = Dictionary(nodes.map { ($0.objectID, $0) }) { first, _ in first }
                }
                for id in ids {
                    guard let member = nodeByID[id] else { continue }
                    try check(id, relationship, store)
                    if member.values[inverse.slot].isNull {
                        member.values[inverse.slot] = .objectID(node.objectID)
                    }
                }
            }
        }
    }

    /// - Returns: whether there was no row with the ID yet.
    private func put(_ node: AtomicStoreCacheNode, in state: inout MemoryState) -> Bool {
        let id = node.objectID
        let row = MemoryState.Row(version: 1, values: node.values)
        let former = state.tables[id.entityNumber, default: [:]].updateValue(row, forKey: id.key)
        state.unique.insert(id, node.entity, node.values)
        for relationship in node.entity.relationships where !relationship.isToMany {
            if case .objectID(let owner) = node.values[relationship.slot] {
                state.links.enter(id, relationship, owner)
            }
        }
        return former == nil
    }

    private func linkMembers(
        of node: AtomicStoreCacheNode,
        _ store: AtomicStore,
        in state: inout MemoryState
    ) throws {
        for (slot, ids) in node.loadedMembers where !ids.isEmpty {
            guard let relationship = node.entity.slots[slot] as? RelationshipDescription else {
                continue
            }
            // A member that does not exist any more has no to-one side either.
            let members = ids.filter { state.row($0) != nil }
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
    }

    private func checkDestinations(of node: AtomicStoreCacheNode, _ store: AtomicStore) throws {
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
        guard let entity = model.entity(of: id), let destination = relationship.destination,
            entity.isKind(of: destination)
        else {
            let place = "\(relationship.entity?.name ?? "").\(relationship.name)"
            throw store.damaged("\(place) leads to an object of \(id.entityName)")
        }
    }
}

/// How many nodes there are of each entity.
private enum StoreCount {
    static func byEntity(_ nodes: [AtomicStoreCacheNode]) -> [UInt16: Int] {
        var counts: [UInt16: Int] = [:]
        var start = 0
        while start < nodes.count {
            let number = nodes[start].objectID.entityNumber
            var end = start + 1
            while end < nodes.count, nodes[end].objectID.entityNumber == number { end += 1 }
            counts[number, default: 0] += end - start
            start = end
        }
        return counts
    }
}
