import ObjectGraph

/// The objects of the entity FeedItem.
final class FeedItem: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("read") var read: Bool
    @Managed("title") var title: String
    @Managed("server") var server: Server?
    // End of the properties of the model.
}
