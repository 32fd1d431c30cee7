package import ObjectGraph

/// The objects of the entity SavedSearch.
package final class SavedSearch: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("displayOrder") package var displayOrder: Int64

    /// The key path by which the result is grouped.
    @Managed("grouping") package var grouping: String?

    @Managed("name") package var name: String

    /// The condition in predicate format.
    @Managed("predicate") package var predicate: String

    /// The order, as the interface spells it.
    @Managed("sort") package var sort: String?
    // End of the properties of the model.
}
