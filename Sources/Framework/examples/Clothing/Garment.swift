import FoundationEssentials
import ObjectGraph

/// The objects of the entity Garment.
final class Garment: ManagedObject {
    // Properties of the model, written by modelgen.
    /// In centimetres.
    @Managed("chest") var chest: Int16?

    /// One letter, A to C.
    @Managed("grade") var grade: String?

    @Managed("inStock") var inStock: Bool
    @Managed("launched") var launched: Date?
    @Managed("name") var name: String
    @Managed("price") var price: Decimal?

    /// Text, for some sizes are numbers and some are letters.
    @Managed("size") var size: String?
    // End of the properties of the model.
}
