import ObjectGraph

/// The objects of the entity Photographer.
final class Photographer: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") var name: String

    /// Kept by the photos as they come and go.
    @Managed("photoCount") var photoCount: Int32

    @Managed("photos") var photos: Set<Photo>
    // End of the properties of the model.
}
