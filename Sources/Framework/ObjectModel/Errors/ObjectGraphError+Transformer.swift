// Errors of transformers, with the attribute that they are about.

extension ObjectGraphError {
    /// A stored value that its transformer cannot read.
    package static func unreadable(
        _ error: any Error,
        _ property: PropertyDescription,
        of entity: EntityDescription,
        _ ids: [ManagedObjectID]
    ) -> ObjectGraphError {
        about(error, "read", property, of: entity, ids)
    }

    /// A value that cannot be sealed for an attribute.
    package static func unsealable(
        _ error: any Error,
        _ property: PropertyDescription,
        of entity: EntityDescription,
        _ ids: [ManagedObjectID]
    ) -> ObjectGraphError {
        about(error, "set", property, of: entity, ids)
    }

    /// The value itself is left out: it is secret, or there is none.
    private static func about(
        _ error: any Error,
        _ verb: String,
        _ property: PropertyDescription,
        of entity: EntityDescription,
        _ ids: [ManagedObjectID]
    ) -> ObjectGraphError {
        if let known = error as? ObjectGraphError, known.key != nil { return known }
        let cause = error as? ObjectGraphError
        let isLocked = cause?.code == .valuesLocked
        let reason = isLocked ? "its values are locked" : "its transformer reports an error"
        return ObjectGraphError(
            isLocked ? .valuesLocked : .unreadableValue,
            "\(entity.name).\(property.name) cannot be \(verb): \(reason).",
            recovery: cause?.recovery ?? "",
            objectIDs: ids,
            key: property.name,
            underlying: [error]
        )
    }
}
