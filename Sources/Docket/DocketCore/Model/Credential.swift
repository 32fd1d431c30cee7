public import FoundationEssentials
public import ObjectGraph

/// The objects of the entity Credential.
public final class Credential: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("address") public var address: String?
    @Managed("created") public var created: Date?
    @Managed("modified") public var modified: Date?
    @Managed("name") public var name: String?
    @Managed("notes") public var notes: String?
    @Managed("password") public var password: String?

    /// One line of at most 256 characters; the rule is checked on the plain value.
    @Managed("userID") public var userID: String?

    @Managed("category") public var category: Category?
    // End of the properties of the model.
}
