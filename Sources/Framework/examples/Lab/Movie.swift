import ObjectGraph

/// The objects of the entity Movie.
final class Movie: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("rating") var rating: Double
    @Managed("title") var title: String
    @Managed("year") var year: Int16
    @Managed("actors") var actors: Set<Actor>
    @Managed("studio") var studio: Studio?
    // End of the properties of the model.
}
