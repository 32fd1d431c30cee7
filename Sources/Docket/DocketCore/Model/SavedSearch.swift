package import ObjectGraph

/// The objects of the entity SavedSearch.
package final class SavedSearch: ManagedObject {
    // Properties of the model, written by modelgen.
    /// The built-in list that this row changes, by its ID; nil for a list of the user.
    @Managed("builtIn") package var builtIn: String?

    @Managed("displayOrder") package var displayOrder: Int64

    /// The grouping, by its name; nil for the usual one.
    @Managed("grouping") package var grouping: String?

    /// Whether the lists pane leaves it out.
    @Managed("hidden") package var hidden: Bool

    @Managed("name") package var name: String

    /// The search, in the language of searches; empty for the usual one of a built-in list.
    @Managed("query") package var query: String

    /// The order, by its name, with - before it if it is reversed; nil for the usual one.
    @Managed("sort") package var sort: String?
    // End of the properties of the model.
}
