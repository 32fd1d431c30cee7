import FoundationEssentials
import ObjectModel

/// Who has which values of the attributes under uniqueness constraints.
struct UniqueValues {
    fileprivate struct Key: Hashable {
        let entity: UInt16
        let names: [String]
        let values: [Value]
    }

    fileprivate var holders: [Key: ManagedObjectID] = [:]

    /// The constraints of an entity and its ancestors.
    static func constraints(
        of entity: EntityDescription
    ) -> [(entity: EntityDescription, names: [String])] {
        var result: [(EntityDescription, [String])] = []
        var current: EntityDescription? = entity
        while let here = current {
            result += here.uniquenessConstraints.map { (here, $0) }
            current = here.superentity
        }
        return result
    }

    /// A row's values under a constraint; `nil` if one of them is `nil`, which equals nothing.
    fileprivate func key(
        _ constraint: (entity: EntityDescription, names: [String]),
        _ entity: EntityDescription,
        _ values: [Value]
    ) -> Key? {
        var found: [Value] = []
        for name in constraint.names {
            guard let slot = entity.slotByName[name], !values[slot].isNull else { return nil }
            // Text is compared literally, as in a file.
            if case .string(let text) = values[slot] {
                found.append(.data(Data(text.utf8)))
            } else {
                found.append(values[slot])
            }
        }
        return Key(entity: constraint.entity.number, names: constraint.names, values: found)
    }

    mutating func remove(_ id: ManagedObjectID, _ entity: EntityDescription, _ values: [Value]) {
        for constraint in UniqueValues.constraints(of: entity) {
            guard let key = key(constraint, entity, values), holders[key] == id else { continue }
            holders[key] = nil
        }
    }

    /// Enters a row's values, which nobody else has.
    mutating func insert(_ id: ManagedObjectID, _ entity: EntityDescription, _ values: [Value]) {
        for constraint in UniqueValues.constraints(of: entity) {
            if let key = key(constraint, entity, values) { holders[key] = id }
        }
    }

    func check() -> Check { Check(values: self) }

    /// Finds out whether a save keeps the constraints, before anything changes.
    struct Check {
        fileprivate let values: UniqueValues
        private var freed: Set<Key> = []
        private var claimed: [Key: ManagedObjectID] = [:]

        fileprivate init(values: UniqueValues) { self.values = values }

        /// A row gives up its values.
        mutating func free(_ entity: EntityDescription, _ row: [Value]) {
            for constraint in UniqueValues.constraints(of: entity) {
                if let key = values.key(constraint, entity, row) { freed.insert(key) }
            }
        }

        /// A row wants its new values.
        /// - Throws: `ObjectGraphError` if another object has them.
        mutating func claim(_ id: ManagedObjectID, _ change: ObjectChange) throws {
            let constraints = UniqueValues.constraints(of: change.entity)
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
