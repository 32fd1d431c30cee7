import FoundationEssentials
package import ObjectModel

extension IncrementalStoreAdapter {
    package func allocateIDs(
        _ count: Int,
        for entity: EntityDescription
    ) throws -> [ManagedObjectID] {
        let object = StoreObject(
            objectID: ManagedObjectID(space: space.number, entity: entity.number, key: 0),
            entity: entity,
            changedKeys: [],
            values: entity.defaults
        ) { _ in [] }
        return try (0..<max(0, count)).map { _ in
            space.id(entity.number, try store.newReferenceObject(for: object))
        }
    }

    package func save(_ plan: SavePlan) throws -> SaveReceipt {
        if plan.isEmpty, !hasUnsavedMetadata {
            return SaveReceipt(transaction: 0, insertedIDs: [])
        }
        if isReadOnly { throw ObjectGraphError.readOnly(self) }
        try plan.beforeWriting?()
        try checkVersions(plan)
        let save = IncrementalSave(self, plan)
        try save.giveIDs()
        try save.check()
        do {
            try store.execute(save.request())
        } catch let error as ObjectGraphError where error.code == .mergeConflict {
            throw try conflict(error.objectIDs, plan)
        } catch let error as ObjectGraphError {
            throw save.withTemporaryIDs(error)
        }
        hasUnsavedMetadata = false
        save.updateRows()
        return SaveReceipt(transaction: 0, insertedIDs: save.insertedIDs)
    }

    /// Finds the rows that another context has saved since.
    private func checkVersions(_ plan: SavePlan) throws {
        if plan.ignoresVersions { return }
        let unknown = plan.updated.map(\.id).filter { !rows.contains($0) }
        if !unknown.isEmpty { try load(unknown) }
        let gone = plan.updated.filter { !rows.contains($0.id) }.map {
            StoreConflict.Row(id: $0.id, oldVersion: $0.version, newVersion: 0)
        }
        let stale = (plan.updated + plan.deleted).compactMap { change -> StoreConflict.Row? in
            guard let present = rows.version(change.id), present != change.version else {
                return nil
            }
            return StoreConflict.Row(id: change.id, oldVersion: change.version, newVersion: present)
        }
        if !gone.isEmpty || !stale.isEmpty { throw StoreConflict(rows: gone + stale) }
    }

    /// What the store refused, with the versions that it has now.
    private func conflict(_ ids: [ManagedObjectID], _ plan: SavePlan) throws -> StoreConflict {
        try load(ids)
        let old = Dictionary(
            (plan.updated + plan.deleted).map { ($0.id, $0.version) }
        ) { first, _ in first }
        return StoreConflict(
            rows: ids.map { id in
                StoreConflict.Row(
                    id: id,
                    oldVersion: old[id] ?? 0,
                    newVersion: rows.version(id) ?? 0
                )
            }
        )
    }
}

/// One running save of an incremental store.
private final class IncrementalSave {
    private let adapter: IncrementalStoreAdapter
    private let plan: SavePlan
    private(set) var insertedIDs: [ManagedObjectID] = []
    private var permanent: [ManagedObjectID: ManagedObjectID] = [:]
    private var linksByOwner: [ManagedObjectID: [LinkChange]] = [:]
    private lazy var edits = MemberEdits(plan, insertedIDs, resolve)
    private lazy var deleted = Set(plan.deleted.map(\.id))

    init(_ adapter: IncrementalStoreAdapter, _ plan: SavePlan) {
        self.adapter = adapter
        self.plan = plan
    }

    private func resolve(_ id: ManagedObjectID) -> ManagedObjectID { permanent[id] ?? id }

    func giveIDs() throws {
        for change in plan.inserted {
            var id = change.id
            if id.isTemporaryID {
                let reference = try adapter.store.newReferenceObject(for: newObject(change))
                id = adapter.space.id(change.entity.number, reference)
                permanent[change.id] = id
            }
            insertedIDs.append(id)
        }
        linksByOwner = Dictionary(grouping: plan.links) { resolve($0.owner) }
    }

    /// A new object before it has an ID; its relationships to other new objects are not known yet.
    private func newObject(_ change: ObjectChange) -> StoreObject {
        StoreObject(
            objectID: change.id,
            entity: change.entity,
            changedKeys: Set(change.entity.storedProperties.map(\.name)),
            values: change.entity.slots.map { property in
                (property as? RelationshipDescription)?.isToMany == true
                    ? .null : change.slots[property.slot]
            }
        ) { _ in [] }
    }

    /// Checks whether all destinations are objects of this store.
    func check() throws {
        for change in plan.inserted + plan.updated {
            for relationship in change.entity.relationships
            where !relationship.isToMany && !relationship.isTransient {
                if case .objectID(let id) = change.slots[relationship.slot] {
                    try check(id, relationship)
                }
            }
        }
        for link in plan.links {
            for id in link.added + (link.order ?? []) { try check(id, link.relationship) }
        }
    }

    private func check(_ id: ManagedObjectID, _ property: PropertyDescription) throws {
        let target = resolve(id)
        if target.spaceNumber != adapter.space.number || target.isTemporaryID {
            throw RelationshipTarget.error(target, property)
        }
    }

    /// An error of the store in the IDs of the caller, whose new objects are still temporary.
    func withTemporaryIDs(_ error: ObjectGraphError) -> ObjectGraphError {
        let temporary = Dictionary(permanent.map { ($1, $0) }) { first, _ in first }
        var error = error
        error.objectIDs = error.objectIDs.map { temporary[$0] ?? $0 }
        return error
    }

    func request() throws -> StoreSaveRequest {
        var updated = plan.updated.map { object($0.id, $0, isNew: false) }
        let written = Set(updated.map(\.objectID)).union(insertedIDs).union(plan.deleted.map(\.id))
        // Owners of which only relationships have changed.
        for owner in linksByOwner.keys.sorted() where !written.contains(owner) {
            if let object = try owned(owner) { updated.append(object) }
        }
        return StoreSaveRequest(
            inserted: zip(plan.inserted, insertedIDs).map { object($1, $0, isNew: true) },
            updated: updated,
            deleted: plan.deleted.map(\.id),
            versions: Dictionary(
                (plan.updated + plan.deleted).compactMap { change in
                    adapter.versions[change.id]?.store.map { (change.id, $0) }
                }
            ) { first, _ in first },
            author: plan.transaction.author
        )
    }

    private func object(_ id: ManagedObjectID, _ change: ObjectChange, isNew: Bool) -> StoreObject {
        let slots = UnsafeBufferPointer(start: change.slots, count: change.entity.slots.count)
        var values = slots.map { value -> GraphValue in
            if case .objectID(let other) = value { return .objectID(resolve(other)) }
            return value
        }
        for relationship in change.entity.relationships where relationship.isToMany {
            values[relationship.slot] = .null
        }
        let keys =
            isNew
            ? Set(change.entity.storedProperties.map(\.name))
            : Set(change.changed.map { change.entity.slots[$0].name })
        return StoreObject(
            objectID: id,
            entity: change.entity,
            changedKeys: keys.union(linksByOwner[id]?.map(\.relationship.name) ?? []),
            values: values
        ) { [self] in try members(of: $0, id, isNew: isNew) }
    }

    /// An object of which only relationships have changed.
    private func owned(_ id: ManagedObjectID) throws -> StoreObject? {
        if !adapter.rows.contains(id) { try adapter.load([id]) }
        guard let entity = adapter.model.entity(of: id), let blob = adapter.rows.blob(id) else {
            return nil
        }
        let layout = adapter.layout(entity)
        var values = [GraphValue](repeating: .null, count: entity.slots.count)
        for (column, slot) in layout.slots.enumerated() {
            values[slot] = RowReader(blob, layout).value(column)
        }
        return StoreObject(
            objectID: id,
            entity: entity,
            changedKeys: Set(linksByOwner[id]?.map(\.relationship.name) ?? []),
            values: values
        ) { [self] in try members(of: $0, id, isNew: false) }
    }

    /// The members of a relationship after the save.
    private func members(
        of relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        isNew: Bool
    ) throws -> [ManagedObjectID] {
        let edit = edits.of(relationship, owner)
        if let order = edit?.order { return order }
        var result: [ManagedObjectID] = []
        if !isNew {
            result = try adapter.destinations(of: relationship, owners: [owner]).first ?? []
            result.removeAll { deleted.contains($0) || edit?.removed.contains($0) == true }
        }
        guard let edit else { return result }
        let known = Set(result)
        return result + edit.added.filter { !known.contains($0) }
    }

    /// Brings the cached rows up to date; the next access asks for changed relationships.
    func updateRows() {
        for change in plan.deleted { adapter.forget(change.id) }
        for (change, id) in zip(plan.inserted, insertedIDs) {
            adapter.versions[id] = IncrementalStoreAdapter.Versions(row: change.version)
            store(change, id)
        }
        for change in plan.updated {
            adapter.versions[change.id, default: .init(row: change.version)].saved()
            store(change, change.id)
        }
        // The store may count a change of a relationship as one of its owner.
        for owner in linksByOwner.keys { adapter.versions[owner]?.store = nil }
        // Other objects can be members of what has changed.
        adapter.members = [:]
    }

    private func store(_ change: ObjectChange, _ id: ManagedObjectID) {
        do {
            try RowWriter.store(
                change.slots,
                version: adapter.versions[id]?.row ?? 1,
                id: id,
                layout: adapter.layout(change.entity),
                in: adapter.rows,
                resolving: resolve
            )
        } catch {
            // The value was storable when the save began; reading the row reports it.
            adapter.rows.remove(id)
        }
    }
}

/// What a save changes in to-many relationships, from either side; made once for a save.
///
/// Cost: O(changed objects and links).
private struct MemberEdits {
    struct Edit {
        var added: [ManagedObjectID] = []
        var removed: Set<ManagedObjectID> = []
        /// All members, if the save sets their order.
        var order: [ManagedObjectID]?
    }

    private struct Key: Hashable {
        let relationship: ObjectIdentifier
        let owner: ManagedObjectID
    }

    private var edits: [Key: Edit] = [:]

    init(
        _ plan: SavePlan,
        _ insertedIDs: [ManagedObjectID],
        _ resolve: (ManagedObjectID) -> ManagedObjectID
    ) {
        for (change, id) in zip(plan.inserted, insertedIDs) { follow(change, id, resolve) }
        for change in plan.updated { follow(change, change.id, resolve) }
        for link in plan.links {
            let owner = resolve(link.owner)
            edit(link.relationship, owner) { edit in
                edit.added += link.added.map(resolve)
                edit.removed.formUnion(link.removed)
                edit.order = link.order?.map(resolve)
            }
            // A relationship of many to many is reported from one side.
            guard let inverse = link.relationship.inverse, inverse.isToMany else { continue }
            for member in link.added { edit(inverse, resolve(member)) { $0.added.append(owner) } }
            for member in link.removed { edit(inverse, member) { $0.removed.insert(owner) } }
        }
    }

    /// The to-one relationships of a member say where it belongs.
    private mutating func follow(
        _ change: ObjectChange,
        _ id: ManagedObjectID,
        _ resolve: (ManagedObjectID) -> ManagedObjectID
    ) {
        for relationship in change.entity.relationships where !relationship.isToMany {
            guard let inverse = relationship.inverse, inverse.isToMany else { continue }
            let old = change.snapshot?[relationship.slot] ?? .null
            let new = change.slots[relationship.slot]
            if old == new { continue }
            if case .objectID(let owner) = old { edit(inverse, owner) { $0.removed.insert(id) } }
            if case .objectID(let owner) = new {
                edit(inverse, resolve(owner)) { $0.added.append(id) }
            }
        }
    }

    private mutating func edit(
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID,
        _ body: (inout Edit) -> Void
    ) {
        let key = Key(relationship: ObjectIdentifier(relationship), owner: owner)
        body(&edits[key, default: Edit()])
    }

    func of(_ relationship: RelationshipDescription, _ owner: ManagedObjectID) -> Edit? {
        edits[Key(relationship: ObjectIdentifier(relationship), owner: owner)]
    }
}
