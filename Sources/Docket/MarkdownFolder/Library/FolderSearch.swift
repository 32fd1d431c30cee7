public import ObjectGraph

/// A search in all documents of a folder and of the folders in it, part by part.
///
/// A document is found if each word is in its name, its title, its tags or its text; case and
/// accents do not matter. Texts are read only where name, title and tags do not decide, and none is
/// kept.
public struct FolderSearch {
    /// How many documents are searched.
    public private(set) var total = 0
    /// How many of them are done.
    public private(set) var done = 0
    /// Whether there are more documents than are searched.
    public let isCut: Bool

    /// The greatest number of documents that are searched.
    public static let most = 50_000

    private let context: ManagedObjectContext
    private let ids: [ManagedObjectID]
    private var words: [FetchPredicate]

    /// Lists the documents; the search is done by ``next(_:)``.
    ///
    /// - Throws: `ObjectGraphError` if the folder cannot be read.
    /// - Complexity: lists each folder once.
    public init(_ text: String, in library: FolderLibrary) throws {
        context = library.context
        var request = FetchRequest<ManagedObjectID>(of: Document.self)
        request.limit = FolderSearch.most + 1
        let found = try context.fetch(request)
        isCut = found.count > FolderSearch.most
        ids = Array(found.prefix(FolderSearch.most))
        total = ids.count
        words = FolderSearch.words(text)
    }

    /// The same documents, searched for other words from the first one on.
    public func searching(_ text: String) -> FolderSearch {
        var search = self
        search.done = 0
        search.words = FolderSearch.words(text)
        return search
    }

    /// A condition for each word.
    private static func words(_ text: String) -> [FetchPredicate] {
        text.split(whereSeparator: \.isWhitespace).map { word in
            .or(
                ["name", "title", "tags", "content.text"].map { key in
                    .comparison(
                        FetchComparison(
                            .keyPath(key),
                            .contains,
                            .constant(.string(String(word))),
                            options: [.caseInsensitive, .diacriticInsensitive]
                        )
                    )
                }
            )
        }
    }

    public var isDone: Bool { done == total }

    /// Searches the next documents.
    ///
    /// - Parameter count: how many.
    /// - Returns: those that were found among them.
    /// - Throws: `ObjectGraphError` if a file cannot be read.
    public mutating func next(_ count: Int) throws -> [ManagedObjectID] {
        let part = ids[done..<min(total, done + count)]
        done += part.count
        if words.isEmpty || part.isEmpty { return Array(part) }
        let isPart = FetchPredicate.comparison(
            FetchComparison(.evaluatedObject, .in, .constant(.array(part.map { .objectID($0) })))
        )
        return try context.fetch(
            FetchRequest<ManagedObjectID>(
                entityName: Document.entityName,
                predicate: .and([isPart] + words)
            )
        )
    }
}
