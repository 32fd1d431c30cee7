import FoundationEssentials
import ObjectModel

// A save checks everything that can refuse it before it changes anything: versions, references,
// uniqueness, the state of the command to undo. The steps after that cannot fail. They have the
// same order as in the SQLite store, so that both end in the same state. A store with a file then
// writes it; if that fails, it takes back its state from before. Cached rows change at the end.

extension InMemoryStore {
    /// Lets a store with a file write everything, whatever was changed.
    func writeAll() throws {
        var changes = MemoryChanges()
        for (number, table) in state.tables.sorted(by: { $0.key < $1.key }) {
            guard let entity = model.entitiesByNumber[Int(number)] else { continue }
            for key in table.keys.sorted() {
                let id = ManagedObjectID(space: space.number, entity: number, key: key)
                backing?.noteID(id)
                changes.inserted.append(
                    object(id, entity, Set(entity.storedProperties.map(\.name)))
                )
            }
        }
        try backing?.commit(changes)
    }

    /// An object as it is, for the file.
    fileprivate func object(
        _ id: ManagedObjectID,
        _ entity: EntityDescription,
        _ keys: Set<String>
    ) -> StoreObject {
        StoreObject(
            objectID: id,
            entity: entity,
            changedKeys: keys,
            values: row(id)?.values ?? []
        ) { [self] in state.links.members(of: $0, id) }
    }

    package func save(_ plan: SavePlan) throws -> SaveReceipt {
        if isReadOnly, !plan.isEmpty || hasUnsavedMetadata {
            throw ObjectGraphError.readOnly(self)
        }
        if plan.isEmpty {
            if hasUnsavedMetadata {
                try plan.beforeWriting?()
                try backing?.commit(MemoryChanges())
            }
            hasUnsavedMetadata = false
            return SaveReceipt(transaction: 0, insertedIDs: [])
        }
        try backing?.checkPlace()
        try plan.beforeWriting?()
        let save = MemorySave(self, plan)
        try save.check()
        // Without a file nothing can fail any more, and nothing has to be copied.
        let former = backing == nil ? nil : state
        save.apply()
        let number = state.log.append(plan.transaction, save.recorder.changes)
        if let backing, let former {
            do {
                try backing.commit(save.changes)
            } catch {
                state = former
                throw error
            }
        }
        hasUnsavedMetadata = false
        save.updateRows()
        return SaveReceipt(transaction: number, insertedIDs: save.insertedIDs)
    }
}

/// One running save.
private final class MemorySave {
    private let store: InMemoryStore
    private let plan: SavePlan
    private(set) var recorder: HistoryRecorder
    private(set) var insertedIDs: [ManagedObjectID] = []
    private let permanent: PermanentIDs
    private var written: [(ManagedObjectID, EntityDescription)] = []

    /// A class, because the recorder uses it before all IDs are known.
    private final class PermanentIDs {
        var ids: [ManagedObjectID: ManagedObjectID] = [:]

        func resolve(_ id: ManagedObjectID) -> ManagedObjectID { ids[id] ?? id }
    }

    init(_ store: InMemoryStore, _ plan: SavePlan) {
        self.store = store
        self.plan = plan
        let permanent = PermanentIDs()
        self.permanent = permanent
        recorder = HistoryRecorder { permanent.resolve($0) }
    }

    // MARK: Checking

    func check() throws {
        try checkVersions()
        try store.state.log.check(plan.transaction)
        let lastKeys = try giveKeys()
        for change in plan.inserted + plan.updated { try checkReferences(of: change) }
        for link in plan.links {
            for id in link.added + (link.order ?? []) { try check(id, link.relationship) }
        }
        try checkLinks()
        try checkUniqueness()
        store.state.lastKeys = lastKeys
    }

    private func checkVersions() throws {
        if plan.ignoresVersions { return }
        var conflicts: [StoreConflict.Row] = []
        for (changes, mayBeGone) in [(plan.updated, false), (plan.deleted, true)] {
            for change in changes {
                let version = store.row(change.id)?.version
                // A row that somebody else has deleted as well is not a conflict.
                if version == change.version || (version == nil && mayBeGone) { continue }
                conflicts.append(
                    StoreConflict.Row(
                        id: change.id,
                        oldVersion: change.version,
                        newVersion: version ?? 0
                    )
                )
            }
        }
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
    }

    /// Assigns keys to new objects.
    ///
    /// - Returns: the counters after that; they are stored only if nothing refuses the save.
    private func giveKeys() throws -> [UInt16: Int64] {
        var lastKeys = store.state.lastKeys
        for change in plan.inserted {
            let counter = store.counter(of: change.entity)
            var id = change.id
            if id.isTemporaryID {
                if let backing = store.backing {
                    id = try backing.newID(for: newObject(change))
                } else {
                    let last = lastKeys[counter] ?? 0
                    if last >= ManagedObjectID.largestKey {
                        throw ObjectGraphError.noKeysLeft(change.entity)
                    }
                    id = ManagedObjectID(
                        space: store.space.number,
                        entity: change.entity.number,
                        key: last + 1
                    )
                }
                permanent.ids[change.id] = id
            } else {
                store.backing?.noteID(id)
            }
            // The key of a text is no number.
            if store.backing != nil || !id.standsForReference {
                lastKeys[counter] = max(lastKeys[counter] ?? 0, id.key)
            }
            insertedIDs.append(id)
        }
        return lastKeys
    }

    /// A new object before it has an ID.
    private func newObject(_ change: ObjectChange) -> StoreObject {
        let slots = UnsafeBufferPointer(start: change.slots, count: change.entity.slots.count)
        return StoreObject(
            objectID: change.id,
            entity: change.entity,
            changedKeys: Set(change.entity.storedProperties.map(\.name)),
            values: Array(slots)
        ) { [links = plan.links] relationship in
            links.first { $0.owner == change.id && $0.relationship === relationship }?.added ?? []
        }
    }

    private func checkReferences(of change: ObjectChange) throws {
        for column in store.layout(change.entity).columns where column.kind == .reference {
            if case .objectID(let other) = change.slots[column.slot] {
                try check(other, change.entity.slots[column.slot])
            }
        }
    }

    private func check(_ id: ManagedObjectID, _ property: PropertyDescription) throws {
        let target = permanent.resolve(id)
        if target.spaceNumber != store.space.number || target.isTemporaryID {
            throw RelationshipTarget.error(target, property)
        }
    }

    /// No save leaves a reference to a row that is gone, or an order that nobody has seen.
    private func checkLinks() throws {
        var conflict = StoreConflict()
        if plan.checksReferences {
            findLost(&conflict)
            findLeft(&conflict)
        }
        if !plan.ignoresVersions {
            for link in plan.links {
                guard let read = link.readOrder, store.row(link.owner) != nil else { continue }
                let order = store.state.links.members(of: link.relationship, link.owner)
                if order == read.map(permanent.resolve) { continue }
                conflict.orders.append(
                    StoreConflict.Order(
                        owner: link.owner,
                        relationship: link.relationship,
                        order: order
                    )
                )
            }
        }
        if !conflict.isEmpty { throw conflict }
    }

    /// References of the plan to rows that are not there.
    private func findLost(_ conflict: inout StoreConflict) {
        if !store.state.hasDeletedRows, plan.deleted.isEmpty { return }
        let gone = Set(plan.deleted.map(\.id))
        let new = Set(insertedIDs)
        func isLost(_ id: ManagedObjectID) -> Bool {
            let id = permanent.resolve(id)
            return !new.contains(id) && (store.row(id) == nil || gone.contains(id))
        }
        func note(_ id: ManagedObjectID, _ owner: ManagedObjectID, _ by: RelationshipDescription) {
            if !isLost(id) { return }
            if by.inverse?.deleteRule == .noAction, gone.contains(permanent.resolve(id)) { return }
            conflict.lost.append(
                StoreConflict.Reference(owner: owner, relationship: by, destination: id)
            )
        }
        for (changes, areNew) in [(plan.inserted, true), (plan.updated, false)] {
            for change in changes {
                for column in store.layout(change.entity).columns
                where column.kind == .reference
                    && (areNew || change.changed.contains(column.slot))
                {
                    guard case .objectID(let id) = change.slots[column.slot],
                        let relationship = change.entity.slots[column.slot]
                            as? RelationshipDescription
                    else { continue }
                    note(id, change.id, relationship)
                }
            }
        }
        for link in plan.links {
            if isLost(link.owner) {
                conflict.rows.append(
                    StoreConflict.Row(id: link.owner, oldVersion: 1, newVersion: 0)
                )
                continue
            }
            for member in link.added { note(member, link.owner, link.relationship) }
        }
    }

    /// References in the store to rows that the plan deletes.
    private func findLeft(_ conflict: inout StoreConflict) {
        if plan.deleted.isEmpty { return }
        let gone = Set(plan.deleted.map(\.id))
        let updated = Dictionary(
            plan.updated.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for relationship in store.model.entities.flatMap(\.ownReferences) {
            guard let destination = relationship.destination,
                relationship.inverse?.deleteRule != .noAction
            else { continue }
            for change in plan.deleted where change.entity.isKind(of: destination) {
                let referrers = store.state.links.referrers(by: relationship, to: change.id)
                for id in referrers where !gone.contains(id) {
                    // What the plan itself lets lead elsewhere; if it leads here, it is a lost one.
                    if updated[id]?.changed.contains(relationship.slot) == true { continue }
                    conflict.left.append(
                        StoreConflict.Reference(
                            owner: id,
                            relationship: relationship,
                            destination: change.id
                        )
                    )
                }
            }
        }
    }

    private func checkUniqueness() throws {
        var check = store.state.unique.check()
        for change in plan.deleted + plan.updated {
            if let row = store.row(change.id) { check.free(change.entity, row.values) }
        }
        for (change, id) in zip(plan.inserted, insertedIDs) {
            try check.claim(id, change)
        }
        for change in plan.updated { try check.claim(change.id, change) }
    }

    // MARK: Applying

    func apply() {
        for link in plan.links { store.state.links.remove(link, permanent.resolve) }
        deleteRows()
        // First free the values that rows give up, so that the order of the rows does not matter.
        for change in plan.updated {
            guard let row = store.row(change.id) else { continue }
            store.state.unique.remove(change.id, change.entity, row.values)
        }
        for (change, id) in zip(plan.inserted, insertedIDs) {
            recorder.insert(id)
            put(change, id, version: change.version)
        }
        for change in plan.updated {
            let present = store.row(change.id)?.version
            if present == nil { recorder.insert(change.id) } else { recorder.update(change) }
            put(change, change.id, version: (present ?? change.version) + 1)
        }
        for link in plan.links {
            recorder.link(link)
            store.state.links.add(link, permanent.resolve)
        }
    }

    private func deleteRows() {
        // Read orders before the first row is removed: a cascade may remove members before their
        // owner.
        var orders: [ManagedObjectID: [(RelationshipDescription, [ManagedObjectID])]] = [:]
        for change in plan.deleted {
            orders[change.id] = change.entity.relationships.filter(\.isOrdered).map {
                ($0, store.state.links.members(of: $0, change.id))
            }
        }
        for change in plan.deleted {
            guard let row = store.row(change.id) else { continue }
            store.state.unique.remove(change.id, change.entity, row.values)
            for relationship in change.entity.relationships where !relationship.isToMany {
                store.state.links.move(
                    change.id,
                    relationship,
                    from: row.values[relationship.slot],
                    to: .null
                )
            }
            recorder.delete(
                change,
                row: row.values,
                links: store.state.links.removeAll(of: change.id, change.entity),
                orders: (orders[change.id] ?? []).filter { !$0.1.isEmpty }
            )
            store.state.tables[change.id.entityNumber]?[change.id.key] = nil
            store.state.hasDeletedRows = true
        }
    }

    private func put(_ change: ObjectChange, _ id: ManagedObjectID, version: Int64) {
        let old = store.row(id)?.values
        var row = MemoryState.Row(
            version: version,
            values: Array(repeating: .null, count: change.entity.slots.count)
        )
        for column in store.layout(change.entity).columns {
            let slot = column.slot
            guard column.kind == .reference else {
                row.values[slot] = change.slots[slot].orNullIfNotANumber
                continue
            }
            if case .objectID(let other) = change.slots[slot] {
                row.values[slot] = .objectID(permanent.resolve(other))
            }
            let before = old?[slot] ?? .null
            if let relationship = change.entity.slots[slot] as? RelationshipDescription,
                before != row.values[slot]
            {
                store.state.links.move(id, relationship, from: before, to: row.values[slot])
            }
        }
        store.state.unique.insert(id, change.entity, row.values)
        store.state.tables[id.entityNumber, default: [:]][id.key] = row
        written.append((id, change.entity))
    }

    // MARK: After the save

    func updateRows() {
        for change in plan.deleted { store.rows.remove(change.id) }
        for (id, entity) in written {
            guard let row = store.row(id) else { continue }
            do {
                try store.cache(row, id, entity, in: store.rows)
            } catch {
                // The value was storable when the save began; reading the row reports it.
                store.rows.remove(id)
            }
        }
    }

    /// The saved objects, for the file.
    var changes: MemoryChanges {
        var changes = MemoryChanges()
        var changedLinks: [ManagedObjectID: Set<String>] = [:]
        for link in plan.links {
            let owner = permanent.resolve(link.owner)
            changedLinks[owner, default: []].insert(link.relationship.name)
        }
        for (change, id) in zip(plan.inserted, insertedIDs) {
            let keys = Set(change.entity.storedProperties.map(\.name))
            changes.inserted.append(store.object(id, change.entity, keys))
            changedLinks[id] = nil
        }
        for change in plan.updated {
            let keys = Set(change.changed.map { change.entity.slots[$0].name })
            let links = changedLinks.removeValue(forKey: change.id) ?? []
            changes.updated.append(store.object(change.id, change.entity, keys.union(links)))
        }
        changes.deleted = plan.deleted.map(\.id)
        for (id, keys) in changedLinks {
            guard let entity = store.model.entity(of: id), store.row(id) != nil else { continue }
            changes.updated.append(store.object(id, entity, keys))
        }
        return changes
    }
}

extension EntityDescription {
    /// The stored to-one relationships that this entity declares.
    fileprivate var ownReferences: [RelationshipDescription] {
        ownProperties.compactMap { property in
            guard let relationship = property as? RelationshipDescription,
                !relationship.isToMany, !relationship.isTransient
            else { return nil }
            return relationship
        }
    }
}

extension GraphValue {
    /// The value, or `nil` for what is not a number: SQLite cannot store that, so no store does.
    fileprivate var orNullIfNotANumber: GraphValue {
        switch self {
        case .double(let number) where number.isNaN: .null
        case .decimal(let number) where number.isNaN: .null
        case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN: .null
        default: self
        }
    }
}
