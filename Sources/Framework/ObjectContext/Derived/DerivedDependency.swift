import ObjectModel

/// A derived attribute's dependency on a property of another entity.
struct DerivedDependency {
    /// The entity with the derived attribute.
    let owner: EntityDescription
    /// The path from the owner to the other object.
    let path: String
    /// Whether the path leads to several objects.
    let leadsToMany: Bool
    let entity: EntityDescription
    /// The property of the other object.
    let slot: Int

    /// The dependencies of a model's derived attributes on other objects.
    static func all(in model: ManagedObjectModel) -> [DerivedDependency] {
        model.entities.flatMap { owner in
            owner.derivations.filter { owner.slots[$0.slot].entity === owner }
                .flatMap { all(of: $0.derivation, owner) }
        }
    }

    private static func all(
        of derivation: Derivation,
        _ owner: EntityDescription
    ) -> [DerivedDependency] {
        var result: [DerivedDependency] = []
        var entity = owner
        var leadsToMany = false
        for (index, key) in derivation.keys.enumerated() {
            guard let property = entity.property(named: key) else { return result }
            if index > 0 {
                result += (entity.slots(readBy: key) ?? []).map { slot in
                    DerivedDependency(
                        owner: owner,
                        path: derivation.keys[..<index].joined(separator: "."),
                        leadsToMany: leadsToMany,
                        entity: entity,
                        slot: slot
                    )
                }
            }
            guard let relationship = property as? RelationshipDescription,
                let destination = relationship.destination
            else { return result }
            if relationship.isToMany { leadsToMany = true }
            entity = destination
        }
        return result
    }

    /// A request for the owners that depend on some objects.
    func request(for objects: [ManagedObjectID]) -> FetchDescription {
        var request = FetchDescription(entityName: owner.name)
        request.predicate = .comparison(
            FetchComparison(
                .keyPath(path),
                .in,
                .constant(.array(objects.map { .objectID($0) })),
                modifier: leadsToMany ? .any : .direct
            )
        )
        return request
    }
}
