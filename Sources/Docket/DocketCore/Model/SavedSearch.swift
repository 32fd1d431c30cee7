public import ObjectGraph

/// The objects of the entity SavedSearch.
public final class SavedSearch: ManagedObject {
    // Properties of the model, written by modelgen.
    /// The built-in list that this row changes, by its ID; nil for a list of the user.
    @Managed("builtIn") public var builtIn: String?

    @Managed("displayOrder") public var displayOrder: Int64

    /// The grouping, by its name; nil for the usual one.
    @Managed("grouping") public var grouping: String?

    /// Whether the lists pane leaves it out.
    @Managed("hidden") public var hidden: Bool

    @Managed("name") public var name: String

    /// The search, in the language of searches; empty for the usual one of a built-in list.
    @Managed("query") public var query: String

    /// The order, by its name, with - before it if it is reversed; nil for the usual one.
    @Managed("sort") public var sort: String?
    // End of the properties of the model.
}
