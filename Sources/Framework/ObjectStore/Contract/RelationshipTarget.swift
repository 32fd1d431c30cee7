package import ObjectModel

/// The errors of a relationship with a destination that the store cannot refer to.
package enum RelationshipTarget {
    /// The error for an ID that a store cannot refer to: of an unsaved object, or of another store.
    package static func error(
        _ id: ManagedObjectID,
        _ property: PropertyDescription
    ) -> ObjectGraphError {
        let place = "\(property.entity?.name ?? "").\(property.name)"
        if id.isTemporaryID {
            return ObjectGraphError(
                .referentialIntegrity,
                "\(place) leads to an object that is not saved.",
                recovery: "Save it together with its owner, or remove it from the relationship.",
                objectIDs: [id],
                key: property.name
            )
        }
        return ObjectGraphError(
            .externalRelationship,
            "\(place) leads to an object of another store.",
            recovery: "Use a fetched property, or keep both in one store.",
            objectIDs: [id],
            key: property.name
        )
    }
}
