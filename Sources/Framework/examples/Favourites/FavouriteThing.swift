import ObjectGraph

/// The objects of the entity FavouriteThing.
final class FavouriteThing: ManagedObject {
    // Properties of the model, written by modelgen.
    /// Where the thing stands; with gaps, so that others fit in between.
    @Managed("displayOrder") var displayOrder: Int64

    @Managed("name") var name: String
    // End of the properties of the model.
}
