import ObjectGraph

/// The objects of the entity Ellipse.
final class Ellipse: Shape {
    // Properties of the model, written by modelgen.
    @Managed("horizontalRadius") var horizontalRadius: Double
    @Managed("verticalRadius") var verticalRadius: Double
    @Managed("x") var x: Double
    @Managed("y") var y: Double
    // End of the properties of the model.

    override var outline: String {
        "ellipse \(horizontalRadius.oneDigit) × \(verticalRadius.oneDigit)"
            + " at \(x.oneDigit), \(y.oneDigit)"
    }
}
