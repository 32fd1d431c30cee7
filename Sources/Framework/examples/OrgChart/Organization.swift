import ObjectGraph

/// The objects of the entity Organization.
final class Organization: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") var name: String
    @Managed("leader") var leader: Person?
    // End of the properties of the model.
}
