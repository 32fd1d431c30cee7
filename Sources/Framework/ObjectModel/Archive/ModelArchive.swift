public import FoundationEssentials

/// A model as data, value for value: for a file, for another process, or to compare versions.
///
///     let data = ModelArchive(model).data
///     let copy = try ModelArchive(data: data).model()
///     // copy.differences(from: model) is empty
///
/// The data are JSON text. They are the same for equal models, whatever the order in which entities
/// and properties were added. Every SQLite store that this framework made keeps the archive of its
/// model in the table `OG_MODEL`, so that it can be migrated without the old model.
///
/// Code has no text: a predicate with a closure, a sort descriptor with a comparator and a default
/// value that is an object are left out, and ``omissions`` names their places.
public struct ModelArchive: Hashable, Sendable {
    public let data: Data
    /// What the archive does not hold because it is code, by its place in the model.
    public let omissions: [String]

    /// - Complexity: O(properties).
    public init(_ model: ManagedObjectModel) {
        var notes = ArchiveNotes()
        let archived = ArchivedModel(model, &notes)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The archived form holds strings, integers and Booleans alone, which cannot fail.
        data = (try? encoder.encode(archived)) ?? Data()
        omissions = notes.omissions
    }

    /// An archive from data that ``data`` gave; ``model()`` checks them.
    public init(data: Data) {
        self.data = data
        omissions = []
    }

    /// The model, not frozen.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if the data are
    ///   not an archive, or were written by a newer version; with
    ///   ``ObjectGraphError/Code/invalidFormat`` for a predicate that cannot be parsed, for example
    ///   because it uses a function that is not registered.
    /// - Complexity: O(properties).
    public func model() throws -> ManagedObjectModel { try decoded().model(withConditions: true) }

    /// The model as far as it says what is stored: without predicates of requests and rules.
    ///
    /// Those may use functions that this program does not have.
    package func storedModel() throws -> ManagedObjectModel {
        try decoded().model(withConditions: false)
    }

    private func decoded() throws -> ArchivedModel {
        do {
            let archived = try JSONDecoder().decode(ArchivedModel.self, from: data)
            if archived.format <= ArchivedModel.currentFormat { return archived }
        } catch {
            throw ObjectGraphError(
                .damagedFile,
                "The archive of a model is damaged.",
                recovery: "Use the model itself, or a backup.",
                underlying: [error]
            )
        }
        throw ObjectGraphError(
            .damagedFile,
            "The archive of a model was written by a newer version of this program.",
            recovery: "Use that version."
        )
    }
}

/// What an archive leaves out, collected while it is made.
struct ArchiveNotes {
    private(set) var omissions: [String] = []

    mutating func leaveOut(_ place: String) { omissions.append(place) }
}
