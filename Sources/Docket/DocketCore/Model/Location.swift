public import ObjectGraph

/// The objects of the entity Location.
public final class Location: ManagedObject {
    // Properties of the model, written by modelgen.
    /// Degrees, north positive.
    @Managed("latitude") public var latitude: Double?

    /// Degrees, east positive.
    @Managed("longitude") public var longitude: Double?

    @Managed("name") public var name: String
    @Managed("tasks") public var tasks: Set<Task>
    // End of the properties of the model.
}
