public import CivilTime
public import FoundationEssentials
import ObjectContext
public import ObjectGraph

/// The user's open store, and every verb on it.
///
/// The interface and the command line both use it: a verb changes objects, then saves them as one
/// named step, so a command is one transaction and one step of undo. Verbs may call verbs
/// (`Library+Change.swift`). They are in extensions by concern, in files named `Library+….swift`.
///
/// A verb that throws has changed nothing.
public final class Library {
    public let coordinator: PersistentStoreCoordinator
    /// What keeps the store open; `nil` if that is only the coordinator.
    private let document: ManagedDocument?
    /// The context of everything on screen.
    public let context: ManagedObjectContext
    /// The time, the time zone and the first day of the week; read at each use.
    public let clock: () -> DateContext
    /// The greatest number of items that one transaction changes; more are a ``LongCommand``.
    public var largestChange = 50_000
    /// How many items one of its parts changes: some ten milliseconds, so that keys do not wait.
    public var partSize = 2048
    /// Whether items may be put into lists that do not exist.
    public var newLists = NewLists.yes
    /// The store's file.
    public let path: String
    /// Whether the store is in a database on a server, which has backups of its own.
    public let isOnServer: Bool
    private let author: String
    /// The credentials and the keys of encrypted notes; not opened before it is unlocked.
    public private(set) lazy var vault = Vault(
        path: Vault.path(beside: path),
        author: author,
        isReadOnly: isReadOnly
    )
    /// The owner's programs that see items before they are saved.
    public var hooks: ItemHooks?
    /// Shows what a hook says.
    public var whenHookSpeaks: (String) -> Void = { _ in }
    /// The items for the hooks of the program's end.
    var hookedItems: Set<UUID> = []
    /// Whether the work of a verb is running; see `Library+Change.swift`.
    var isChanging = false
    /// Looks at the changes of a verb that is only tried; see ``trying(_:seeing:)``.
    var trial: (() throws -> Void)?
    /// Whether the saves of others were merged in this event; `nil` outside of one.
    var hasMerged: Bool?
    /// The first error of a verb inside another one.
    var innerError: (any Error)?
    /// The rows of the smart lists, held because the context tells nothing of what others change in
    /// objects that nobody holds.
    var smartListRows: [SavedSearch] = []
    /// Keeps the context up to date with the saves of other programs.
    public let follower: StoreFollower
    var othersSteps: [String] = []
    /// The largest rank at the moment when new items got a place at the end.
    var endOfOrder: Int64?
    /// Whether saves of others were merged after new items had got their numbers.
    var hasOldNumbers = false
    /// The occurrences that the pending changes complete or skip; see
    /// `Series/Library+SeriesTogether.swift`.
    var movedOn: [Task] = []
    /// Called once, if pages of the store were read that may be damaged: by ``tellDoubts()``, at the
    /// latest at the end.
    public var whenDoubtful: ((PageReport) -> Void)?

    /// The backup of the library as an older version of Docket had left it, if opening has brought
    /// it to the form of this version.
    public let former: Backup?

    /// The copy that is read instead of a library of an older version, which cannot be written.
    private var copy: UpgradedCopy?

    /// Opens a store, or creates it if the file does not exist.
    ///
    /// A library of an older version of Docket is backed up and brought to the form of this one; for
    /// reading only, a copy of it.
    ///
    /// - Parameters:
    ///   - url: the store's file.
    ///   - author: who saves, for the history.
    ///   - isReadOnly: whether nothing may be written.
    ///   - report: is told how far an upgrade is, see ``UpgradeReport``.
    ///   - clock: the time, the time zone and the first day of the week.
    /// - Throws: `ObjectGraphError` with a sentence for a damaged, foreign or locked file, and for
    ///   one of a newer version.
    public convenience init(
        url: URL,
        author: String,
        isReadOnly: Bool = false,
        report: @escaping UpgradeReport = { _, _ in true },
        clock: @escaping () -> DateContext
    ) throws {
        let opened = try Library.open(url, isReadOnly: isReadOnly, report)
        try self.init(url, opened.container.viewContext, nil, author, opened.former, clock)
        copy = opened.copy
    }

    /// A library whose store is open.
    convenience init(
        _ document: ManagedDocument,
        at url: URL,
        _ author: String,
        _ former: Backup?,
        _ clock: @escaping () -> DateContext
    ) throws {
        let context = try document.newContext()
        // The library's follower tells what it merges.
        context.automaticallyMergesChangesFromParent = false
        try self.init(url, context, document, author, former, clock)
    }

    private init(
        _ url: URL,
        _ context: ManagedObjectContext,
        _ document: ManagedDocument?,
        _ author: String,
        _ former: Backup?,
        _ clock: @escaping () -> DateContext
    ) throws {
        self.clock = clock
        self.context = context
        self.document = document
        let member = LibraryPlace(url).member()
        self.author = member ?? author
        // Where from, where the author is who.
        if member != nil { context.name = author }
        self.former = former
        path = LibraryPlace(url).path
        isOnServer = LibraryPlace(url).isOnServer
        coordinator = context.coordinator
        // The interface draws from notifications.
        context.tracksObservation = false
        context.transactionAuthor = self.author
        context.coordinator.undoesByAuthor = member != nil
        context.mergePolicy = .mergeByPropertyObjectTrump
        // Two items with one short ID are two items; see `save(_:_:)`.
        context.constraintPolicy = .error
        follower = try StoreFollower(context, scope: .otherCoordinators)
        // Typed text has to be kept first.
        follower.reopensReplacedStores = false
        try finishErasing()
        followOldLinks()
    }

    deinit {
        runExitHooks()
        tellDoubts()
        copy?.remove()
    }

    public func close() {
        runExitHooks()
        tellDoubts()
        if let document {
            let done = Completion()
            document.begin { document in
                // Nothing is unsaved: commands are saved one by one.
                try? await document.close()
                done.signal()
            }
            done.wait()
        } else {
            coordinator.closeAll()
        }
        copy?.remove()
    }

    /// Messages about the opening for the user, one sentence each.
    public var openingNotices: [String] {
        let notices = coordinator.openStores.flatMap(\.notices)
        guard copy != nil else { return notices }
        return notices + [
            localized(
                "The library has the form of an older version of Docket and cannot be written; it is open"
                    + " read-only."
            )
        ]
    }

    public var now: Date { clock().now }
}
