/// What a save does when somebody else has changed or deleted a row since it was read, and when
/// objects collide under a uniqueness constraint.
///
/// The names of the cases say what they do; Apple's page has the summaries of the two property
/// policies exchanged.
///
/// Relationships are compared too, and no save leaves a reference to a row that is gone:
/// - The order of an ordered relationship is compared like a property of its owner. Members that
///   others have added or removed are another order. *Store trump* and *rollback* take the store's
///   order, with the members that were added here at the end; *object trump* and *overwrite* keep the
///   order here, with the members that others have added at the end.
/// - A delete rule acts on the members that were read. If somebody else has let another object lead to
///   a deleted one since, *store trump* and *rollback* take the deletion back; *object trump* and
///   *overwrite* apply the delete rule to that object too (under `deny` the save fails with 1600).
/// - If an object here is to lead to one that somebody else has deleted, *object trump* and *overwrite*
///   restore that one if it has pending changes here, and a link to it by a relationship with an inverse
///   is one. In every other case the reference becomes `nil`, or the member is left out.
/// - The pairs of a many-to-many relationship are added and removed one by one, so these changes do not
///   conflict. A relationship whose rule is `noAction` may keep references to deleted objects.
/// - An incremental store answers for its references itself.
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
    /// The save fails with code 133020 or 133021 and names the objects, those at both ends of a
    /// reference.
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
