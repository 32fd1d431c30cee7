import FoundationEssentials
import ObjectGraph

/// The objects of the entity Thing.
class Thing: ManagedObject {
    // Properties of the model, written by modelgen.
    @Transformable("color") var color: Color?
    @Managed("count") var count: Int16
    @Managed("flag") var flag: Bool
    @Managed("fold") var fold: String?
    @Managed("link") var link: URL?
    @Managed("picture") var picture: Data?
    @Managed("place") var place: Point?
    @Managed("price") var price: Decimal?
    @Managed("shown") var shown: GraphValue
    @Managed("title") var title: String
    @Managed("uuid") var uuid: UUID?
    @Managed("when") var when: Date?
    @Managed("parts") var parts: [Component]
    @Fetched("recent") var recent: [Component]
    // End of the properties of the model.
}
