import ObjectGraph

/// The objects of the entity Shape, which is abstract: every shape is of a kind below it.
class Shape: ManagedObject {
    // Properties of the model, written by modelgen.
    @Transformable("color") var color: Color?
    @Managed("canvas") var canvas: Canvas?
    // End of the properties of the model.

    /// The kind and place of the shape.
    var outline: String { entity.name }
}
