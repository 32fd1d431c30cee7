import ObjectGraph

/// The objects of the entity Shape, which is abstract: every shape is of a kind below it.
///
/// Their properties are in `Shape+Properties.swift`.
class Shape: ManagedObject {
    /// The kind and place of the shape.
    var outline: String { entity.name }
}
