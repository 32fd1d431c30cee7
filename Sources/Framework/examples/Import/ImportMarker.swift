import ObjectGraph

/// The objects of the entity ImportMarker.
final class ImportMarker: ManagedObject {
    // Properties of the model, written by modelgen.
    /// How many rows of the source are in the store; saved with them.
    @Managed("rows") var rows: Int64
    // End of the properties of the model.
}
