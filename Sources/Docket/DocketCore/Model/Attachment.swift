package import FoundationEssentials
package import ObjectGraph

/// The objects of the entity Attachment.
package final class Attachment: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("data") package var data: Data?
    @Managed("fileName") package var fileName: String
    @Managed("mediaType") package var mediaType: String?

    /// A small picture of the content, PNG.
    @Managed("thumbnail") package var thumbnail: Data?

    @Managed("item") package var item: Item?
    // End of the properties of the model.
}
