package import ObjectGraph

/// The objects of the entity Tag.
package final class Tag: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") package var name: String
    @Managed("items") package var items: Set<Item>
    // End of the properties of the model.
}
