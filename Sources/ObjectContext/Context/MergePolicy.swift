/// What a save does when somebody else changed or deleted a row since it was read, and when objects
/// collide under a uniqueness constraint.
///
/// [≠] Apple's page has the summaries of the two property policies swapped; the names mean what
/// is written here.
///
/// A collision (code 133021) is decided by ``ManagedObjectContext/constraintPolicy``, which follows the
/// merge policy unless it is set. A new object that wants what a saved one has, or an earlier new
/// one, is merged into that one, which survives: relationships move, both sides kept, and the
/// new object leaves the context as an insertion taken back. Decided, where Core Data's
/// documentation is silent [K]:
/// - *Set* is a value other than the model's default; nobody can tell a default that was set.
///   To-many members of both are united.
/// - A new object that collides with a changed saved one is merged into the saved one.
/// - A saved object changed to what another row has: under *object trump* and *overwrite* it wins as
///   in Core Data, and the other is deleted, its relationships having moved over (to-one ones
///   where the winner has none). Of two changed ones the older wins. Under *store trump* the
///   values under the constraint go back to what was read; under *rollback* all changes do.
/// - *Rollback* takes new objects that the dropped one owns by a cascade along; saved objects go
///   back to where they were.
/// - Nothing can become an object of another entity: where the survivor lacks properties of the
///   one to be merged, the save fails with 133021, except under *rollback*.
/// - The merged objects are validated again; `willSave` is not called again. It is one event, which
///   undo takes back; a save that fails after it leaves it done.
public enum MergePolicy: Hashable, Sendable {
    /// The save fails with code 133020 or 133021 and says which objects.
    case error
    /// Per property: what changed here wins over the store; the rest is the store's.
    ///
    /// At a collision the new object's set values win: an *upsert*.
    case mergeByPropertyObjectTrump
    /// Per property: what changed in the store wins; what changed here alone stays.
    ///
    /// At a collision the new object's values fill in what is `nil`.
    case mergeByPropertyStoreTrump
    /// The whole object is written as it is here. A deleted row comes back.
    ///
    /// At a collision all attributes and to-one relationships of the new object are taken.
    case overwrite
    /// The changes here are dropped for the objects in conflict. A deleted row stays deleted.
    ///
    /// At a collision the new object is dropped.
    case rollback
}
