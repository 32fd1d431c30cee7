import ObjectGraph

/// The objects of the entity Reading.
final class Reading: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("celsius") var celsius: Double
    @Managed("number") var number: Int64
    @Managed("station") var station: String
    // End of the properties of the model.
}
