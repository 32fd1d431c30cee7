public import ObjectGraph

/// The objects of the entity Category.
public final class Category: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("displayOrder") public var displayOrder: Int64

    /// What the user named it; encrypted, as it may come from another program's folders.
    @Managed("name") public var name: String?

    /// A category that every vault has, by its name: not secret.
    ///
    /// One of the user has none.
    @Managed("seed") public var seed: String?

    @Managed("credentials") public var credentials: Set<Credential>
    // End of the properties of the model.
}
