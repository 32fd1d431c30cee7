import ObjectContext
public import ObjectModel

// What the engine stores is in entities of the same model and store, so that a save writes it
// together with the objects on every store type. The bases are outside of undo: what was agreed with
// a remote stays agreed when a pull is undone, so the next push sends the former values.

/// The entities in which the engine keeps what was agreed with remotes, for every model whose objects
/// are exchanged.
///
///     let model = try ManagedObjectModel.merging([mine, SyncModel.make()])
public enum SyncModel {
    static let base = "SyncBase"
    static let state = "SyncState"
    package static let conflict = "SyncConflict"
    static let names = [base, state, conflict]

    /// A model of these entities, to be merged into the program's.
    public static func make() -> ManagedObjectModel {
        let base = EntityDescription(
            SyncModel.base,
            [
                // Remote, entity and name in one text, so that they are unique together.
                AttributeDescription("key", .string, optional: false),
                AttributeDescription("remote", .string, optional: false),
                AttributeDescription("href", .string),
                AttributeDescription("version", .string),
                AttributeDescription("record", .binary, optional: false),
                AttributeDescription("sent", .binary),
                AttributeDescription("carried", .binary),
                AttributeDescription("waiting", .binary),
                AttributeDescription("moment", .date),
                AttributeDescription("isDirty", .boolean, default: .bool(false)),
            ]
        )
        base.uniquenessConstraints = [["key"]]
        let state = EntityDescription(
            SyncModel.state,
            [
                AttributeDescription("remote", .string, optional: false),
                AttributeDescription("token", .string),
                AttributeDescription("surveyed", .binary),
                AttributeDescription("moment", .date),
            ]
        )
        state.uniquenessConstraints = [["remote"]]
        for entity in [base, state] { entity.isOutsideUndo = true }
        let conflict = EntityDescription(
            SyncModel.conflict,
            [
                AttributeDescription("remote", .string, optional: false),
                AttributeDescription("entity", .string, optional: false),
                AttributeDescription("name", .string, optional: false),
                AttributeDescription("property", .string, optional: false),
                AttributeDescription("value", .binary, optional: false),
                AttributeDescription("stamp", .date),
                AttributeDescription("date", .date),
                AttributeDescription("isOurs", .boolean, default: .bool(false)),
            ]
        )
        return ManagedObjectModel([base, state, conflict])
    }
}
