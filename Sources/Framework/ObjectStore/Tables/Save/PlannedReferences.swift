package import ObjectModel

// No save leaves a reference to a row that is gone. Two checks, inside the transaction:
//   1. What the plan refers to exists. Rows that the store has read are there unless it has deleted
//      one or somebody else has written; before that nothing is checked.
//   2. Nobody else refers to what the plan deletes. The context has applied the delete rules to what it
//      had read; the store may hold more. One statement for each relationship to the deleted objects.
// A relationship whose inverse has the rule `noAction` may lead to what the plan deletes.

/// The references of a save that may lead to rows that are gone.
package struct PlannedReferences {
    /// By the object that they lead to.
    package private(set) var byDestination: [ManagedObjectID: [StoreConflict.Reference]] = [:]
    private let space: UInt16
    private let known: RowCache?
    private let gone: Set<ManagedObjectID>
    private let restored: Set<ManagedObjectID>

    /// Collects the references of a save.
    ///
    /// - Parameters:
    ///   - plan: the save.
    ///   - store: where it goes.
    ///   - known: the rows that are certainly there.
    package init(_ plan: SavePlan, in store: some TableStore, known: RowCache?) {
        space = store.space.number
        self.known = known
        gone = Set(plan.deleted.lazy.map(\.id))
        var restored = Set(plan.inserted.lazy.map(\.id).filter { !$0.isTemporaryID })
        // A row that somebody has deleted is written again.
        if plan.ignoresVersions { restored.formUnion(plan.updated.lazy.map(\.id)) }
        self.restored = restored
        var slots: [Int] = []
        var entity: EntityDescription?
        for (changes, areNew) in [(plan.inserted, true), (plan.updated, false)] {
            for change in changes {
                if change.entity !== entity {
                    entity = change.entity
                    slots = store.layout(change.entity).columns
                        .filter { $0.kind == .reference }.map(\.slot)
                }
                for slot in slots where areNew || change.changed.contains(slot) {
                    guard case .objectID(let id) = change.slots[slot],
                        let relationship = change.entity.slots[slot] as? RelationshipDescription
                    else { continue }
                    add(id, change.id, relationship)
                }
            }
        }
        for link in plan.links {
            for member in link.added { add(member, link.owner, link.relationship) }
            // The owner's own row is not compared where only its lists have changed.
            add(link.owner, link.owner, link.relationship)
        }
    }

    private mutating func add(
        _ id: ManagedObjectID,
        _ owner: ManagedObjectID,
        _ relationship: RelationshipDescription
    ) {
        // Whoever writes a reference to another store refuses it.
        if id.isTemporaryID || id.spaceNumber != space || restored.contains(id) { return }
        if gone.contains(id) {
            if relationship.inverse?.deleteRule == .noAction { return }
        } else if known?.contains(id) == true {
            return
        }
        byDestination[id, default: []].append(
            StoreConflict.Reference(owner: owner, relationship: relationship, destination: id)
        )
    }

    /// Adds what leads to rows that are gone to a conflict.
    ///
    /// - Parameters:
    ///   - root: the entity of a table.
    ///   - present: the keys of those rows that the table has, of all that the references lead to.
    ///   - conflict: the conflict.
    ///   - rows: the rows that the store has read.
    package func addLost(
        of root: EntityDescription,
        besides present: Set<Int64>,
        to conflict: inout StoreConflict,
        _ rows: RowCache
    ) {
        for id in byDestination.keys.sorted()
        where (root.number...root.lastNumber).contains(id.entityNumber)
            && (gone.contains(id) || !present.contains(id.key))
        {
            for reference in byDestination[id] ?? [] {
                if reference.owner != id {
                    conflict.lost.append(reference)
                } else if !conflict.rows.contains(where: { $0.id == id }) {
                    let version = rows.version(id) ?? 1
                    conflict.rows.append(
                        StoreConflict.Row(id: id, oldVersion: version, newVersion: 0)
                    )
                }
            }
        }
    }
}

/// A column that may refer to some objects.
package struct ReferringColumn {
    package let schema: EntitySchema
    package let relationship: RelationshipDescription
    /// Its name, quoted.
    package let name: String
    /// The objects, by key.
    package let destinations: [Int64: ManagedObjectID]

    /// Key, number of the entity, and the column; a condition on it follows.
    package var selecting: String {
        "SELECT Z_PK, Z_ENT, \(name) FROM \(quoted(schema.table.name)) WHERE \(name)"
    }

    /// The reference of a row; `nil` if it leads to something else.
    package func reference(
        of owner: ManagedObjectID?,
        to key: Int64
    ) -> StoreConflict.Reference? {
        guard let owner, let destination = destinations[key] else { return nil }
        return StoreConflict.Reference(
            owner: owner,
            relationship: relationship,
            destination: destination
        )
    }
}

extension StoreSchema {
    /// The columns that may refer to some objects but must not when they are deleted.
    package func columns(referringTo ids: [ManagedObjectID]) -> [ReferringColumn] {
        if ids.isEmpty { return [] }
        let byEntity = Dictionary(grouping: ids, by: \.entityNumber)
        return entities.flatMap { schema in
            schema.entity.ownSlots.compactMap { property in
                guard let relationship = property as? RelationshipDescription,
                    let column = schema.columns[relationship.slot],
                    let destination = relationship.destination,
                    relationship.inverse?.deleteRule != .noAction
                else { return nil }
                let ids = byEntity.filter { number, _ in
                    destination.number <= number && number <= destination.lastNumber
                }.values.joined()
                if ids.isEmpty { return nil }
                return ReferringColumn(
                    schema: schema,
                    relationship: relationship,
                    name: quoted(column.name),
                    destinations: Dictionary(ids.map { ($0.key, $0) }) { first, _ in first }
                )
            }
        }
    }
}
