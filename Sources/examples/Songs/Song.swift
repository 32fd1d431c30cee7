import ObjectGraph

/// The objects of the entity Song.
///
/// Their properties are in `Song+Properties.swift`.
final class Song: ManagedObject {
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
