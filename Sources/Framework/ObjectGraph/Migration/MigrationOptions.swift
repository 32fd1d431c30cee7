public import FoundationEssentials
import ObjectContext
public import ObjectMigration
public import ObjectModel
public import ObjectStore

/// How a store that was made with another version of the model is opened.
///
/// By default it is migrated: a program that adds a property to a class just works with its old
/// stores. See <doc:Migration>.
public struct MigrationOptions: Sendable {
    /// Whether the store is migrated; otherwise opening it is an error,
    /// ``ObjectGraphError/Code/incompatibleVersion``.
    public var migratesAutomatically = true
    /// Whether a mapping may be inferred from the two models; otherwise only ``mappings`` are used.
    public var infersMapping = true
    /// Whether the version hashes are not compared at all.
    ///
    /// Opening the store then fails only if a table or a column is missing.
    public var ignoresVersions = false
    /// Older versions of the model, the oldest first.
    ///
    /// A store keeps the model that it was made with, so a version is only needed here for a mapping
    /// model, for a way over several versions, or to allow that data are removed.
    public var versions: [ManagedObjectModel] {
        get { makeVersions() }
        set { makeVersions = { newValue } }
    }
    /// Makes ``versions``; called only when a store of another version is opened, so a program can
    /// have many versions and start as fast as without.
    public var makeVersions: @Sendable () -> [ManagedObjectModel] = { [] }
    /// Mapping models between versions, in any order.
    public var mappings: [MappingModel] = []
    /// The stages, if the program wants to decide every step; ``mappings`` are not used then.
    public var stages: StagedMigration?
    /// Whether a store may lose entities and properties that this model does not have, although the
    /// model that it was made with is not among ``versions``, or return to a model that it had
    /// before.
    ///
    /// Both happen when an older version of a program opens the store of a newer one.
    public var allowsLoss = false
    /// What can read the stores that this program makes or migrates, for the message of a version of
    /// it that cannot: `"Docket 2.1 or later"`.
    public var readableBy: String?
    /// Whether the store as it was is kept beside the migrated one as `~name` (`~2-name` and so on if
    /// that exists), until somebody removes it.
    public var keepsBackup = false
    /// Called before a migration changes anything, for a backup or a question; an error ends it.
    public var beforeMigration: (@Sendable (PendingMigration) throws -> Void)?
    /// Receives the progress, and can cancel.
    public var monitor: MigrationMonitor?

    public init() {}
}

/// A migration that is about to begin.
public struct PendingMigration {
    /// The store's file, which is not open.
    public let url: URL
    /// The metadata of the store.
    public let metadata: StoreMetadata
    /// From how many versions to the next it leads.
    public let stepCount: Int
    /// Whether the file itself is changed; otherwise a new file replaces it.
    public let isInPlace: Bool
    /// The model that the store was made with.
    public let model: ManagedObjectModel
    let type: StoreType
    /// The part of the model that the store holds; `nil` = all of it.
    let configuration: String?

    /// Writes the store, as it is before the migration, into one file.
    ///
    /// - Parameters:
    ///   - target: the place of the backup; a file there is replaced.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the backup.
    /// - Throws: `ObjectGraphError`, as described for
    ///   ``PersistentStoreCoordinator/backUp(_:to:progress:)``.
    /// - Complexity: O(bytes of the store).
    public func backUp(to target: URL, progress: ((Double) throws -> Void)? = nil) throws {
        let coordinator = try PersistentStoreCoordinator(model: model)
        defer { coordinator.closeAll() }
        var options = StoreOptions()
        options.type = type
        options.isReadOnly = true
        options.configuration = configuration
        options.migration.migratesAutomatically = false
        let store = try coordinator.addStore(StoreDescription(url: url, options: options))
        try coordinator.backUp(store, to: target, progress: progress)
    }
}
