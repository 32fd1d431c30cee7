import ObjectGraph

/// The objects of the entity Canvas.
final class Canvas: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("title") var title: String

    /// From back to front.
    @Managed("shapes") var shapes: [Shape]

    @Managed("transform") var transform: Transform?
    // End of the properties of the model.
}
