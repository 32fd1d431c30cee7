import ObjectGraph

/// The objects of the entity CategorySeed.
final class CategorySeed: ManagedObject {
    // Properties of the model, written by modelgen.
    /// The newest version of the seed data that this store has.
    @Managed("version") var version: Int16
    // End of the properties of the model.
}
