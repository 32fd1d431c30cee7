import ObjectGraph

/// The objects of the entity Part.
final class Component: Thing {
    // Properties of the model, written by modelgen.
    @Managed("weight") var weight: Float
    @Managed("big") var big: Int64
    @Managed("default") var `default`: Bool?
    @Managed("whole") var whole: Thing?
    // End of the properties of the model.

    override class var entityName: String { "Part" }
}
