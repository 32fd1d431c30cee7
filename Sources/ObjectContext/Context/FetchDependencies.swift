import ObjectModel
import ObjectStore

/// On which objects the result of a fetch depends: those of its entity, and those that its
/// predicate, its order and its sections follow relationships to.
struct FetchDependencies {
    let entity: EntityDescription
    private let includesSubentities: Bool
    /// The relationships followed, each with those that lead there; `nil` if that cannot be told,
    /// as for a closure, so that it may be any.
    private let chains: [[RelationshipDescription]]?

    init(
        _ description: FetchDescription,
        _ entity: EntityDescription,
        sectionNameKeyPath: String? = nil
    ) {
        self.entity = entity
        includesSubentities = description.includesSubentities
        var use = KeyPathUse(description.predicate, description.sortDescriptors)
        if let sectionNameKeyPath { use.add(keyPath: sectionNameKeyPath) }
        chains = use.relationships(from: entity)
    }

    /// Whether an object can be a result itself.
    func isCandidate(_ object: ManagedObject) -> Bool {
        includesSubentities ? object.entity.isKind(of: entity) : object.entity === entity
    }

    /// Whether a change of an object of some entity can alter the results.
    func concerns(_ other: EntityDescription) -> Bool {
        if other.isKind(of: entity) { return true }
        guard let chains else { return true }
        return chains.contains { chain in
            chain.last?.destination.map { other.isKind(of: $0) } ?? false
        }
    }

    /// Adds the possible results that the change of an object can touch: itself, and those from
    /// which the relationships followed lead to it, as they stand now.
    ///
    /// An object from which they led to it only before the change has changed itself.
    ///
    /// - Returns: false if it may be any.
    func collect(_ object: ManagedObject, into result: inout Set<ManagedObject>) -> Bool {
        guard let chains else { return false }
        if isCandidate(object) { result.insert(object) }
        for chain in chains {
            guard let destination = chain.last?.destination, object.entity.isKind(of: destination)
            else { continue }
            guard let sources = sources(of: chain, to: object) else { return false }
            for source in sources where isCandidate(source) { result.insert(source) }
        }
        return true
    }

    private func sources(
        of chain: [RelationshipDescription],
        to object: ManagedObject
    ) -> Set<ManagedObject>? {
        var current: Set<ManagedObject> = [object]
        for relationship in chain.reversed() {
            guard let inverse = relationship.inverse, !relationship.isTransient else { return nil }
            var next: Set<ManagedObject> = []
            for object in current where object.owns(inverse) {
                next.formUnion(object.destinationObjects(inverse))
            }
            current = next
        }
        return current
    }
}

extension ManagedObject {
    fileprivate final func owns(_ relationship: RelationshipDescription) -> Bool {
        entity.slots.count > relationship.slot && entity.slots[relationship.slot] === relationship
    }
}
