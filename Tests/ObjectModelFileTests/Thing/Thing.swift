import FoundationEssentials
import ObjectGraph

/// The objects of the entity Thing.
class Thing: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("count") var count: Int16
    @Managed("title") var title: String
    @Managed("price") var price: Decimal?
    @Managed("when") var when: Date?
    @Transformable("color") var color: Color?
    @Managed("place") var place: Point?
    @Managed("link") var link: URL?
    @Managed("parts") var parts: [Component]
    // End of the properties of the model.
}
