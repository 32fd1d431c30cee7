public import FoundationEssentials
public import ObjectGraph

/// The objects of the entity Attachment.
public final class Attachment: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("data") public var data: Data?
    @Managed("fileName") public var fileName: String
    @Managed("mediaType") public var mediaType: String?

    /// A small picture of the content, PNG.
    @Managed("thumbnail") public var thumbnail: Data?

    @Managed("item") public var item: Item?
    // End of the properties of the model.
}
