import ObjectGraph

/// The objects of the entity Circle.
///
/// Their properties are in `Circle+Properties.swift`.
final class Circle: Shape {
    override var outline: String {
        "circle of radius \(radius.oneDigit) at \(x.oneDigit), \(y.oneDigit)"
    }
}
