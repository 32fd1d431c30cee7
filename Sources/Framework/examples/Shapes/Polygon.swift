import ObjectGraph

/// The objects of the entity Polygon.
final class Polygon: Shape {
    // Properties of the model, written by modelgen.
    /// In the order in which the line visits them.
    @Managed("vertices") var vertices: [Vertex]
    // End of the properties of the model.

    override var outline: String {
        let points = vertices.map { "\($0.x.oneDigit), \($0.y.oneDigit)" }
        return "polygon \(points.joined(separator: " → "))"
    }
}
