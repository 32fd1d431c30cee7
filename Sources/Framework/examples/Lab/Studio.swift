import ObjectGraph

/// The objects of the entity Studio.
final class Studio: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") var name: String
    @Managed("movies") var movies: Set<Movie>
    // End of the properties of the model.
}
