public import ObjectGraph

/// The objects of the entity Note.
public final class Note: Item {
    // Properties of the model, written by modelgen.
    /// The text, Markdown.
    @Managed("body") public var body: String?

    /// The encrypted text of a note; it has no body then.
    @Managed("sealedBody") public var sealedBody: String?
    // End of the properties of the model.
}
