import ObjectGraph

/// What a cancelled form held.
struct FormDraft {
    /// The item; `nil` for a new one.
    var itemID: ManagedObjectID?
    var isNote: Bool
    var texts: [String]
}
