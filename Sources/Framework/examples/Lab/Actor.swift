import ObjectGraph

/// The objects of the entity Actor.
final class Actor: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") var name: String
    @Managed("movies") var movies: Set<Movie>
    // End of the properties of the model.
}
