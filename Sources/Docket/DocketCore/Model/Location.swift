package import ObjectGraph

/// The objects of the entity Location.
package final class Location: ManagedObject {
    // Properties of the model, written by modelgen.
    /// Degrees, north positive.
    @Managed("latitude") package var latitude: Double?

    /// Degrees, east positive.
    @Managed("longitude") package var longitude: Double?

    @Managed("name") package var name: String
    @Managed("tasks") package var tasks: Set<Task>
    // End of the properties of the model.
}
