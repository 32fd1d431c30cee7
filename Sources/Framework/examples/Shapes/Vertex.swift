import ObjectGraph

/// The objects of the entity Vertex.
final class Vertex: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("x") var x: Double
    @Managed("y") var y: Double
    @Managed("polygon") var polygon: Polygon?
    // End of the properties of the model.
}
