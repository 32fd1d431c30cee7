import ObjectGraph

/// The objects of the entity Note.
final class Note: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("body") var body: String?
    @Managed("title") var title: String
    // End of the properties of the model.
}
