package import ObjectGraph

/// The objects of the entity Category.
package final class Category: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("displayOrder") package var displayOrder: Int64
    @Managed("name") package var name: String
    @Managed("credentials") package var credentials: Set<Credential>
    // End of the properties of the model.
}
