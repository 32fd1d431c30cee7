/// A permanent ID is written as its URI, which outlives the process.
///
/// `#Predicate` takes IDs too: `#Predicate<Book> { $0.author?.objectID == id }`.
extension ManagedObjectID: Codable {
    /// - Throws: `DecodingError` if the text is not the URI of a permanent ID, or if its store was not
    ///   opened in this process.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let uri = try container.decode(String.self)
        guard let id = IDSpace.id(uri: uri) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "\"\(uri)\" is not the ID of an object in a store that is open. Open the"
                    + " store first."
            )
        }
        self = id
    }

    /// - Throws: `EncodingError` for a temporary ID; save the object first.
    public func encode(to encoder: any Encoder) throws {
        if isTemporaryID {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription:
                        "A temporary ID has no meaning elsewhere. Save the object first."
                )
            )
        }
        var container = encoder.singleValueContainer()
        try container.encode(uri)
    }
}
