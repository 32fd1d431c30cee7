/// What a save does when somebody else changed or deleted a row since it was read.
///
/// [≠] Apple's page has the summaries of the two property policies swapped; the names mean what
/// is written here.
public enum MergePolicy: Hashable, Sendable {
    /// The save fails with code 133020 and says which objects.
    case error
    /// Per property: what changed here wins over the store; the rest is the store's.
    case mergeByPropertyObjectTrump
    /// Per property: what changed in the store wins; what changed here alone stays.
    case mergeByPropertyStoreTrump
    /// The whole object is written as it is here. A deleted row comes back.
    case overwrite
    /// The changes here are dropped for the objects in conflict. A deleted row stays deleted.
    case rollback
}
