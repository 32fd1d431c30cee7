import FoundationEssentials
package import ObjectModel

/// A uniqueness constraint with the entity that declares it; it also applies to the subentities.
package struct UniquenessConstraint: Hashable {
    package let entity: EntityDescription
    package let names: [String]

    package static func all(of entity: EntityDescription) -> [UniquenessConstraint] {
        var result: [UniquenessConstraint] = []
        var current: EntityDescription? = entity
        while let here = current {
            result += here.uniquenessConstraints.map {
                UniquenessConstraint(entity: here, names: $0)
            }
            current = here.superentity
        }
        return result
    }

    package static func == (left: UniquenessConstraint, right: UniquenessConstraint) -> Bool {
        left.entity === right.entity && left.names == right.names
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(entity.number)
        hasher.combine(names)
    }
}

/// An object's values under a constraint, compared in the same way by every store.
package struct UniqueKey: Hashable {
    private let entity: UInt16
    private let names: [String]
    private let values: [GraphValue]

    /// `nil` if one of the values is `nil`, because `nil` equals nothing here.
    package init?(_ constraint: UniquenessConstraint, _ value: (_ name: String) -> GraphValue?) {
        var found: [GraphValue] = []
        for name in constraint.names {
            guard let value = value(name), !value.isNull else { return nil }
            // Text is compared literally, as in SQLite.
            if case .string(let text) = value {
                found.append(.data(Data(text.utf8)))
            } else {
                found.append(value)
            }
        }
        entity = constraint.entity.number
        names = constraint.names
        values = found
    }
}
