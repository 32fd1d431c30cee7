package import ObjectModel

extension RelationshipDescription {
    /// Whether the members of this to-many relationship have to be written: not if the other side
    /// says the same.
    package var isWritten: Bool {
        if !isToMany { return false }
        guard let inverse else { return true }
        if isOrdered { return true }
        if !inverse.isToMany || inverse.isOrdered { return false }
        if inverse === self { return true }
        return isMainSide
    }

    /// Whether changes of the members of a relationship of many to many are reported from this side,
    /// and not from its inverse.
    package var isMainSide: Bool {
        guard let inverse, inverse !== self else { return true }
        let own = entity?.number ?? 0
        let other = inverse.entity?.number ?? 0
        return own == other ? name <= inverse.name : own < other
    }
}
