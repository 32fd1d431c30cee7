import FoundationEssentials
import ObjectGraph

/// The objects of the entity Photo, which keep their photographer's count.
final class Photo: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("title") var title: String
    @Managed("uploaded") var uploaded: Date
    @Managed("photographer") var photographer: Photographer?
    // End of the properties of the model.

    /// Called once for each deletion, before the relationships change.
    override func prepareForDeletion() {
        super.prepareForDeletion()
        guard let photographer, !photographer.isDeleted else { return }
        photographer.photoCount -= 1
        // A photographer is known by photos; without any there is nothing to know.
        if photographer.photoCount == 0 { context?.delete(photographer) }
    }
}
