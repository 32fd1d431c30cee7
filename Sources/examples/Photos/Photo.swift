import ObjectGraph

/// The objects of the entity Photo, which keep their photographer's count.
///
/// Their properties are in `Photo+Properties.swift`.
final class Photo: ManagedObject {
    /// Called once for each deletion, before the relationships change.
    override func prepareForDeletion() {
        super.prepareForDeletion()
        guard let photographer, !photographer.isDeleted else { return }
        photographer.photoCount -= 1
        // A photographer is known by photos; without any there is nothing to know.
        if photographer.photoCount == 0 { context?.delete(photographer) }
    }
}
