package import ObjectModel

extension EntityDescription {
    /// The attributes under a uniqueness constraint of the entity or an ancestor.
    package var uniqueNames: Set<String> {
        var names: Set<String> = []
        var entity: EntityDescription? = self
        while let current = entity {
            for constraint in current.uniquenessConstraints { names.formUnion(constraint) }
            entity = current.superentity
        }
        return names
    }
}

/// Permanent IDs by temporary ones.
///
/// Temporary keys are serial numbers, so a page table serves.
package struct IDMap {
    private var pages = EntityPages()
    private var isEmpty = true

    package init() {}

    @inline(__always)
    package func permanent(_ id: ManagedObjectID) -> ManagedObjectID {
        guard id.isTemporaryID, !isEmpty else { return id }
        let word = pages.get(id)
        return word == 0 ? id : ManagedObjectID(raw: UInt64(word))
    }

    /// The permanent ID of an object that a property of a store leads to.
    ///
    /// - Throws: `ObjectGraphError` if the object is of another store, or not saved.
    @inline(__always)
    package func resolve(
        _ id: ManagedObjectID,
        in space: IDSpace,
        _ property: PropertyDescription
    ) throws -> ManagedObjectID {
        let target = permanent(id)
        if target.spaceNumber == space.number, !target.isTemporaryID { return target }
        throw RelationshipTarget.error(target, property)
    }

    package mutating func add(_ temporary: ManagedObjectID, _ permanent: ManagedObjectID) {
        isEmpty = false
        pages.set(temporary, UInt(permanent.raw))
    }
}
