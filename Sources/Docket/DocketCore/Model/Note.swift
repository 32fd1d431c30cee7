package import ObjectGraph

/// The objects of the entity Note.
package final class Note: Item {
    // Properties of the model, written by modelgen.
    /// The text, Markdown.
    @Managed("body") package var body: String?

    /// The encrypted text of a note; it has no body then.
    @Managed("sealedBody") package var sealedBody: String?
    // End of the properties of the model.
}
