import ObjectModel
import ObjectStore

// Changed to-many relationships for the observers of a save. They are collected before anything is
// written, because the orders from before the save are needed.

extension SaveOperation {
    /// Collects the changed links and orders of all owners that have a row.
    func collectLinks() throws {
        guard observers.needLinks else { return }
        for change in plan.deleted {
            for relationship in change.entity.relationships where relationship.isOrdered {
                let members = try store.readDestinations(of: relationship, owners: [change.id])
                guard let order = members.first, !order.isEmpty else { continue }
                add(.oldOrder, order, relationship, of: change.id)
            }
        }
        if plan.links.isEmpty { return }
        let inserted = Set(insertedIDs)
        for link in plan.links {
            let owner = owner(link)
            if inserted.contains(owner) { continue }
            let relationship = link.relationship
            // Membership of a one-to-many relationship is part of the members' own changes.
            if case .memberKey(_, _, true)? = storage(link) {
            } else {
                if !link.added.isEmpty { add(.added, link.added, relationship, of: owner) }
                if !link.removed.isEmpty { add(.removed, link.removed, relationship, of: owner) }
            }
            guard let order = link.order else { continue }
            let old = try store.readDestinations(of: relationship, owners: [owner]).first ?? []
            if old == order.map({ permanentIDs.permanent($0) }) { continue }
            add(.oldOrder, old, relationship, of: owner)
            add(.newOrder, order, relationship, of: owner)
        }
    }

    private func add(
        _ change: WrittenLink.Change,
        _ members: [ManagedObjectID],
        _ relationship: RelationshipDescription,
        of owner: ManagedObjectID
    ) {
        writtenLinks[owner, default: []].append(
            WrittenLink(
                change: change,
                relationship: relationship,
                members: members.map { permanentIDs.permanent($0) }
            )
        )
    }

    /// The changed links of one object, which are reported with its row.
    func takeLinks(of id: ManagedObjectID) -> [WrittenLink] {
        writtenLinks.isEmpty ? [] : writtenLinks.removeValue(forKey: id) ?? []
    }

    /// Reports the changed links of objects whose own rows did not change.
    func reportOtherLinks() throws {
        if writtenLinks.isEmpty { return }
        for link in plan.links {
            let owner = owner(link)
            let links = takeLinks(of: owner)
            if !links.isEmpty { try observers.linksChanged(of: owner, links) }
        }
    }
}
