import ObjectGraph

/// The objects of the entity Circle.
final class Circle: Shape {
    // Properties of the model, written by modelgen.
    @Managed("radius") var radius: Double
    @Managed("x") var x: Double
    @Managed("y") var y: Double
    // End of the properties of the model.

    override var outline: String {
        "circle of radius \(radius.oneDigit) at \(x.oneDigit), \(y.oneDigit)"
    }
}
