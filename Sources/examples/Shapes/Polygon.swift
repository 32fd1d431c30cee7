import ObjectGraph

/// The objects of the entity Polygon.
///
/// Their properties are in `Polygon+Properties.swift`.
final class Polygon: Shape {
    override var outline: String {
        let points = vertices.map { "\($0.x.oneDigit), \($0.y.oneDigit)" }
        return "polygon \(points.joined(separator: " → "))"
    }
}
