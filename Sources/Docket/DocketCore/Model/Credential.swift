package import FoundationEssentials
package import ObjectGraph

/// The objects of the entity Credential.
package final class Credential: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("address") package var address: String?
    @Managed("created") package var created: Date?
    @Managed("modified") package var modified: Date?
    @Managed("name") package var name: String?
    @Managed("notes") package var notes: String?
    @Managed("password") package var password: String?

    /// One line of at most 256 characters; the rule is checked on the plain value.
    @Managed("userID") package var userID: String?

    @Managed("category") package var category: Category?
    // End of the properties of the model.
}
