import ObjectGraph

/// The objects of the entity Picture.
final class Picture: ManagedObject {
    // Properties of the model, written by modelgen.
    @Transformable("image") var image: Bitmap?
    @Managed("title") var title: String
    // End of the properties of the model.
}
