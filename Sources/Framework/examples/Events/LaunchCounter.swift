import ObjectGraph

/// The objects of the entity LaunchCounter.
final class LaunchCounter: ManagedObject {
    // Properties of the model, written by modelgen.
    /// How often the program was started on this store.
    @Managed("launches") var launches: Int64
    // End of the properties of the model.
}
