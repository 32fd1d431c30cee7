import ObjectGraph

/// The objects of the entity System.
final class System: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") var name: String
    @Managed("password") var password: String?

    /// 3 to 10 letters and digits.
    @Managed("userID") var userID: String

    @Managed("category") var category: Category?
    // End of the properties of the model.
}
