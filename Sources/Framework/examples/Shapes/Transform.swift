import ObjectGraph

/// The objects of the entity Transform.
final class Transform: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("scale") var scale: Double
    @Managed("canvas") var canvas: Canvas?
    // End of the properties of the model.
}
