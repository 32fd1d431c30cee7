import ObjectModel

/// The owners of the values under uniqueness constraints.
struct UniqueValues {
    fileprivate var holders: [UniqueKey: ManagedObjectID] = [:]

    /// A row's values under a constraint; `nil` if one of them is `nil`.
    fileprivate func key(
        _ constraint: UniquenessConstraint,
        _ entity: EntityDescription,
        _ values: [GraphValue]
    ) -> UniqueKey? {
        UniqueKey(constraint) { name in entity.slotByName[name].map { values[$0] } }
    }

    mutating func remove(_ id: ManagedObjectID, _ entity: EntityDescription, _ values: [GraphValue])
    {
        for constraint in UniquenessConstraint.all(of: entity) {
            guard let key = key(constraint, entity, values), holders[key] == id else { continue }
            holders[key] = nil
        }
    }

    /// Enters a row's values, which no other row has.
    mutating func insert(_ id: ManagedObjectID, _ entity: EntityDescription, _ values: [GraphValue])
    {
        for constraint in UniquenessConstraint.all(of: entity) {
            if let key = key(constraint, entity, values) { holders[key] = id }
        }
    }

    func check() -> Check { Check(values: self) }

    /// Checks whether a save keeps the constraints, before anything changes.
    struct Check {
        fileprivate let values: UniqueValues
        private var freed: Set<UniqueKey> = []
        private var claimed: [UniqueKey: ManagedObjectID] = [:]

        fileprivate init(values: UniqueValues) { self.values = values }

        /// A row gives up its values.
        mutating func free(_ entity: EntityDescription, _ row: [GraphValue]) {
            for constraint in UniquenessConstraint.all(of: entity) {
                if let key = values.key(constraint, entity, row) { freed.insert(key) }
            }
        }

        /// A row takes its new values.
        ///
        /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/constraintConflict`` if
        ///   another object has them.
        mutating func claim(_ id: ManagedObjectID, _ change: ObjectChange) throws {
            let constraints = UniquenessConstraint.all(of: change.entity)
            if constraints.isEmpty { return }
            let row = Array(
                UnsafeBufferPointer(start: change.slots, count: change.entity.slots.count)
            )
            for constraint in constraints {
                guard let key = values.key(constraint, change.entity, row) else { continue }
                let holder = claimed[key] ?? (freed.contains(key) ? nil : values.holders[key])
                if let holder, holder != id {
                    throw ObjectGraphError.notUnique(
                        constraint.names,
                        of: change.entity,
                        [change.id, holder]
                    )
                }
                claimed[key] = id
            }
        }
    }
}
