import FileEvents
import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore

/// A store that was opened for a document.
struct OpenedStore: Sendable {
    let place: DocumentPlace
    let store: StoreReference
    /// The folder of its additional content.
    let content: String?
    /// The store's file as it was before it was read, if only reading opened it: a writer that comes
    /// between has to be noticed.
    let fileBefore: FileIdentity?
}

/// What a document has while it is open: the contexts, and what watches its files.
///
/// Edits are made in `context`, whose parent is `root`. A save moves them into the root, which is
/// quick, and another thread writes them from there, while the context is used.
final class OpenDocument {
    let place: DocumentPlace
    let root: ManagedObjectContext
    let context: ManagedObjectContext
    private(set) var store: StoreReference
    private(set) var follower: StoreFollower
    /// The folder of additional content that belongs to the state in memory.
    var content: String?
    /// The store's file after the last save, for stores that are one file without a log.
    private var identity: FileIdentity?
    private var watchers: [DatabaseWatcher] = []
    private let coordinator: PersistentStoreCoordinator
    private let claimant: UUID
    private var isReleased = false
    /// A conflict that a save has found, and that nobody has decided.
    var conflict: ObjectGraphError?

    init(
        _ opened: OpenedStore,
        _ coordinator: PersistentStoreCoordinator,
        _ options: DocumentOptions,
        _ claimant: UUID
    ) throws {
        self.coordinator = coordinator
        self.claimant = claimant
        place = opened.place
        store = opened.store
        content = opened.content
        root = ManagedObjectContext(coordinator: coordinator)
        root.name = "document"
        root.mergePolicy = options.mergePolicy
        context = ManagedObjectContext(parent: root)
        context.name = "document"
        context.mergePolicy = options.mergePolicy
        root.confineToCurrentThread()
        context.confineToCurrentThread()
        follower = try StoreFollower(root)
        follower.reopensReplacedStores = false
        context.automaticallyMergesChangesFromParent = true
        if options.keepsUndo { context.undoManager = UndoManager() }
        noteOpening(opened)
    }

    deinit { release() }

    var hasChanges: Bool { context.hasChanges || root.hasChanges }

    /// Calls a closure after each change of the files, by anybody, and when they are moved away.
    func watch(_ wake: @escaping @Sendable () -> Void) {
        follower.wake = wake
        // The follower watches the files of an SQLite store.
        var paths = store.type == .sqlite ? [] : [place.store.path]
        if place.form == .package { paths.append(place.path) }
        watchers = paths.compactMap { DatabaseWatcher.start(path: $0, wake: wake) }
        // Somebody may have written since the file was read.
        if store.type != .sqlite { wake() }
    }

    /// Moves the edits into the root; what the root and the context have both changed is decided by
    /// a policy.
    func push(_ policy: MergePolicy) throws {
        let usual = context.mergePolicy
        context.mergePolicy = policy
        defer { context.mergePolicy = usual }
        try context.save()
    }

    /// Moves all edits into the root, for a copy: a conflict with others stays undecided.
    func pushForCopy() throws {
        do {
            try context.save()
        } catch let error as ObjectGraphError where error.code == .mergeConflict {
            try push(.mergeByPropertyObjectTrump)
            conflict = error
        }
    }

    /// Decides a conflict that a copy has left undecided.
    ///
    /// - Throws: the conflict, if the policy does not decide it.
    func decide(_ policy: MergePolicy) throws {
        guard let conflict else { return }
        switch policy {
        case .error: throw conflict
        case .mergeByPropertyObjectTrump, .overwrite: break
        case .mergeByPropertyStoreTrump, .rollback:
            for id in conflict.objectIDs {
                root.registeredObject(for: id).map { root.refresh($0, mergeChanges: false) }
                context.registeredObject(for: id).map { context.refresh($0, mergeChanges: false) }
            }
        }
        self.conflict = nil
    }

    private func noteOpening(_ opened: OpenedStore) {
        noteOwnWrite()
        if identity != nil { identity = opened.fileBefore ?? identity }
    }

    /// Notes that the store's file is as this document has written it.
    func noteOwnWrite() {
        identity = store.type == .sqlite ? nil : FileIdentity(place.store.path)
    }

    /// Merges what others have saved.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeReplaced``.
    func catchUp() throws -> Bool {
        guard store.type != .sqlite else { return try !follower.catchUp().isEmpty }
        guard let identity else { return false }
        if let now = FileIdentity(place.store.path), now.isSameFile(as: identity),
            now.size == identity.size
        {
            return try !follower.catchUp().isEmpty
        }
        let what =
            FileIdentity(place.store.path) == nil
            ? "was deleted" : "was changed by another program"
        throw ObjectGraphError(
            .storeReplaced,
            "The document \"\(place.name)\" \(what) while it was open.",
            recovery: "Revert it, or save it elsewhere."
        )
    }

    /// Goes on with another opening of the same place; contexts forget everything.
    func replace(with opened: OpenedStore, _ wake: @escaping @Sendable () -> Void) throws {
        store = opened.store
        content = opened.content
        conflict = nil
        context.reset()
        root.reset()
        follower = try StoreFollower(root)
        follower.reopensReplacedStores = false
        follower.wake = wake
        noteOpening(opened)
    }

    /// Closes the store and gives the place free; can take as long as the disk does.
    func release() {
        if isReleased { return }
        isReleased = true
        for watcher in watchers { watcher.stop() }
        try? coordinator.removeStore(store)
        DocumentRegistry.release(place, of: claimant)
    }
}
