import ObjectGraph

/// The objects of the entity TestEntity.
final class TestEntity: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") var name: String
    @Managed("number") var number: Int32
    // End of the properties of the model.
}
