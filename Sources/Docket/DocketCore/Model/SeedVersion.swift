public import ObjectGraph

/// The objects of the entity SeedVersion.
public final class SeedVersion: ManagedObject {
    // Properties of the model, written by modelgen.
    /// The set of seed data.
    @Managed("name") public var name: String

    /// The newest version of it that was applied.
    @Managed("version") public var version: Int64
    // End of the properties of the model.
}
