import ObjectGraph

/// The objects of the entity Category.
final class Category: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") var name: String
    @Managed("systems") var systems: Set<System>
    // End of the properties of the model.
}
