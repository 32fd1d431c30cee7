import ObjectGraph

/// The objects of the entity Shape, which is abstract: every shape is of a kind below it.
///
/// Their properties are in `Shape+Properties.swift`.
class Shape: ManagedObject {
    /// What kind of shape this is, and where.
    var outline: String { entity.name }
}
