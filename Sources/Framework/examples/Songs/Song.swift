import ObjectGraph

/// The objects of the entity Song.
final class Song: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("album") var album: String?
    @Managed("artist") var artist: String?
    @Managed("name") var name: String
    // End of the properties of the model.

    /// The properties in which each word of a search text was found: `beatles: artist`.
    func matches(_ text: String) throws -> [String] {
        let fields = entity.attributes.filter(\.isSearched).map(\.name).sorted()
        return try text.split(separator: " ").map { word in
            let hits = try fields.filter { field in
                // The predicate of a fetch, evaluated on one object in memory.
                try FetchPredicate(format: "%K CONTAINS[cd] %@", field, String(word))
                    .evaluate(with: .object(self))
            }
            return "\(word.lowercased()): \(hits.joined(separator: " and "))"
        }
    }
}
