import ObjectModel
import ObjectStore

// No save leaves a reference to a row that is gone. Two checks, inside the transaction:
//   1. What the plan refers to exists. Rows that this connection has read are there unless it has
//      deleted one or somebody else has written; before that nothing is checked.
//   2. Nobody else refers to what the plan deletes. The context has applied the delete rules to what it
//      had read; the file may hold more. One statement for each relationship to the deleted objects.
// A relationship whose inverse has the rule `noAction` may lead to what the plan deletes.

extension SaveOperation {
    /// Throws ``StoreConflict`` with the references that lead nowhere.
    func checkReferences() throws {
        if !plan.checksReferences { return }
        var conflict = try findLost()
        conflict.left = try findLeft()
        if !conflict.isEmpty { throw conflict }
    }

    // MARK: What the plan refers to

    private func findLost() throws -> StoreConflict {
        var conflict = StoreConflict()
        let hasForeign = store.connection.hasForeignWrites
        if !hasForeign, !store.hasDeletedRows, plan.deleted.isEmpty { return conflict }
        let gone = Set(deletedIDs)
        let restored = Set(plan.inserted.lazy.map(\.id).filter { !$0.isTemporaryID })
        var wanted = ReferencesByDestination()
        func note(_ id: ManagedObjectID, _ owner: ManagedObjectID, _ by: RelationshipDescription) {
            if id.isTemporaryID || restored.contains(id) { return }
            if gone.contains(id) {
                if by.inverse?.deleteRule == .noAction { return }
            } else if !hasForeign, store.rows.contains(id) {
                return
            }
            wanted.add(StoreConflict.Reference(owner: owner, relationship: by, destination: id))
        }
        var slots: [Int] = []
        var entity: EntityDescription?
        func noteReferences(of change: ObjectChange, _ changed: SlotSet?) {
            if change.entity !== entity {
                entity = change.entity
                slots = store.layout(change.entity).columns
                    .filter { $0.kind == .reference }.map(\.slot)
            }
            for slot in slots where changed?.contains(slot) ?? true {
                guard case .objectID(let id) = change.slots[slot],
                    let relationship = change.entity.slots[slot] as? RelationshipDescription
                else { continue }
                note(id, change.id, relationship)
            }
        }
        for change in plan.inserted { noteReferences(of: change, nil) }
        for change in plan.updated { noteReferences(of: change, change.changed) }
        for link in plan.links {
            for member in link.added { note(member, link.owner, link.relationship) }
            // The owner's own row is not compared where only its lists have changed.
            note(link.owner, link.owner, link.relationship)
        }
        for id in try missing(among: wanted.byID.keys.sorted()) {
            for reference in wanted.byID[id] ?? [] {
                if reference.owner != id {
                    conflict.lost.append(reference)
                } else if !conflict.rows.contains(where: { $0.id == id }) {
                    let version = store.rows.version(id) ?? 1
                    conflict.rows.append(
                        StoreConflict.Row(id: id, oldVersion: version, newVersion: 0)
                    )
                }
            }
        }
        return conflict
    }

    private struct ReferencesByDestination {
        private(set) var byID: [ManagedObjectID: [StoreConflict.Reference]] = [:]

        mutating func add(_ reference: StoreConflict.Reference) {
            byID[reference.destination, default: []].append(reference)
        }
    }

    /// Those of some objects that have no row.
    private func missing(among ids: [ManagedObjectID]) throws -> [ManagedObjectID] {
        var keys: [UInt16: [Int64]] = [:]
        for id in ids where id.spaceNumber == store.space.number {
            guard let schema = store.schema(of: id) else { continue }
            keys[schema.entity.root.number, default: []].append(id.key)
        }
        var found: [UInt16: Set<Int64>] = [:]
        for (number, keys) in keys {
            guard let root = store.schema.byModelNumber[Int(number)] else { continue }
            var present: Set<Int64> = []
            for chunk in KeyChunks(keys) {
                let statement = try connection.statement(
                    "SELECT Z_PK FROM \(quoted(root.table.name)) WHERE Z_PK IN \(chunk.marks)"
                )
                defer { statement.reset() }
                chunk.bind(to: statement, from: 1)
                while try statement.step() { present.insert(statement.integer(0)) }
            }
            found[number] = present
        }
        return ids.filter { id in
            guard let schema = store.schema(of: id) else { return false }
            return found[schema.entity.root.number]?.contains(id.key) == false
        }
    }

    // MARK: Who refers to what the plan deletes

    private func findLeft() throws -> [StoreConflict.Reference] {
        if deletedIDs.isEmpty { return [] }
        var result: [StoreConflict.Reference] = []
        let byEntity = Dictionary(grouping: deletedIDs, by: \.entityNumber)
        for schema in store.schema.entities {
            for case let relationship as RelationshipDescription in schema.entity.ownSlots {
                guard let column = schema.columns[relationship.slot],
                    let destination = relationship.destination,
                    relationship.inverse?.deleteRule != .noAction
                else { continue }
                let keys = byEntity.filter { number, _ in
                    destination.number <= number && number <= destination.lastNumber
                }
                if keys.isEmpty { continue }
                result += try references(
                    by: relationship,
                    column.name,
                    of: schema,
                    to: keys.values.flatMap { $0 }
                )
            }
        }
        return result
    }

    private func references(
        by relationship: RelationshipDescription,
        _ column: String,
        of schema: EntitySchema,
        to ids: [ManagedObjectID]
    ) throws -> [StoreConflict.Reference] {
        let byKey = Dictionary(ids.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var result: [StoreConflict.Reference] = []
        for chunk in KeyChunks(ids.map(\.key)) {
            let statement = try connection.statement(
                "SELECT Z_PK, Z_ENT, \(quoted(column)) FROM \(quoted(schema.table.name))"
                    + " WHERE \(quoted(column)) IN \(chunk.marks)"
            )
            defer { statement.reset() }
            chunk.bind(to: statement, from: 1)
            while try statement.step() {
                guard
                    let owner = store.id(number: statement.integer(1), key: statement.integer(0)),
                    let destination = byKey[statement.integer(2)]
                else { continue }
                result.append(
                    StoreConflict.Reference(
                        owner: owner,
                        relationship: relationship,
                        destination: destination
                    )
                )
            }
        }
        return result
    }
}
