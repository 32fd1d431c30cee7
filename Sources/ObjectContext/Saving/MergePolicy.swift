/// What a save does when somebody else has changed or deleted a row since it was read, and when
/// objects collide under a uniqueness constraint.
///
/// The names of the cases say what they do; Apple's page has the summaries of the two property
/// policies exchanged.
///
/// ``ManagedObjectContext/constraintPolicy`` decides about a collision (code 133021); it follows
/// the merge policy unless it is set. A new object that wants the values of a saved one, or of an
/// earlier new one, is merged into that one, which survives. Its relationships move, both sides are
/// updated, and the new object leaves the context as if its insertion was undone. Rules (ours,
/// where Core Data's documentation says nothing):
/// - A value counts as *set* if it differs from the model's default; a default that was set
///   explicitly cannot be recognised. To-many members of both are united.
/// - A new object that collides with a changed saved one is merged into the saved one.
/// - A saved object may be changed to the values of another row. Under *object trump* and
///   *overwrite* it wins, as in Core Data: its relationships take those of the other (to-one ones
///   where the winner has none), and the other is deleted. Of two changed objects the older one
///   wins. Under *store trump* the values under the constraint are reset to those that were read;
///   under *rollback* all changes are reverted.
/// - *Rollback* also removes new objects that the dropped one owns by a cascade; saved objects
///   return to their former owners.
/// - No object can become an object of another entity: if the survivor does not have all properties
///   of the object to merge, the save fails with 133021, except under *rollback*.
/// - The merged objects are validated again; `willSave` is not called again. The merge is one
///   event, which undo reverts. If the save fails later, the merge stays.
public enum MergePolicy: Hashable, Sendable {
    /// The save fails with code 133020 or 133021 and names the objects.
    case error
    /// Per property: a change here wins over the store; all other values are the store's.
    ///
    /// At a collision the set values of the new object win: an *upsert*.
    case mergeByPropertyObjectTrump
    /// Per property: a change in the store wins; a change only here stays.
    ///
    /// At a collision the new object's values replace those that are `nil`.
    case mergeByPropertyStoreTrump
    /// The whole object is written as it is here. A deleted row is restored.
    ///
    /// At a collision all attributes and to-one relationships of the new object are used.
    case overwrite
    /// The changes here are dropped for the objects in conflict. A deleted row stays deleted.
    ///
    /// At a collision the new object is dropped.
    case rollback
}
