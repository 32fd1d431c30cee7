public import ObjectGraph

/// The objects of the entity Tag.
public final class Tag: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") public var name: String
    @Managed("items") public var items: Set<Item>
    // End of the properties of the model.
}
