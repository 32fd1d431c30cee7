package import FoundationEssentials
package import ObjectGraph

/// The user's open store, and every verb on it.
///
/// The interface and the command line both use it: a verb changes objects, then saves them as one
/// named step, so a command is one transaction and one step of undo. Verbs may call verbs
/// (`Library+Change.swift`). They are in extensions by concern, in files named `Library+….swift`.
///
/// A verb that throws has changed nothing.
package final class Library {
    package let container: PersistentContainer
    /// The context of everything on screen.
    package let context: ManagedObjectContext
    /// The time, the time zone and the first day of the week; read at each use.
    package let clock: () -> DateContext
    /// The greatest number of items that one transaction changes; more are a ``LongCommand``.
    package var largestChange = 50_000
    /// How many items one of its parts changes: some ten milliseconds, so that keys do not wait.
    package var partSize = 2048
    /// The store's file.
    package let path: String
    /// Whether the work of a verb is running; see `Library+Change.swift`.
    var isChanging = false
    /// The first error of a verb inside another one.
    var innerError: (any Error)?
    /// Keeps the context up to date with the saves of other programs.
    package let follower: StoreFollower
    var othersSteps: [String] = []
    /// The largest rank at the moment when new items got a place at the end.
    var endOfOrder: Int64?
    /// Whether saves of others were merged after new items had got their numbers.
    var hasOldNumbers = false
    /// Called at the end, if pages of the store were read that may be damaged.
    package var whenDoubtful: ((PageReport) -> Void)?

    /// Opens a store, or creates it if the file does not exist.
    ///
    /// - Throws: `ObjectGraphError` with a sentence for a damaged, foreign or locked file.
    package init(
        url: URL,
        author: String,
        isReadOnly: Bool = false,
        clock: @escaping () -> DateContext
    ) throws {
        self.clock = clock
        path = url.path
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        options.configuration = "Main"
        // There is only one version of the model yet; a store of another one is a newer one.
        options.migration.migratesAutomatically = false
        container = try PersistentContainer(
            model: DocketModel.make(),
            classes: DocketModel.classes,
            url: url,
            options: options
        )
        context = container.viewContext
        // The interface draws from notifications.
        context.tracksObservation = false
        context.transactionAuthor = author
        context.mergePolicy = .mergeByPropertyObjectTrump
        // Two items with one short ID are two items; see `save(_:_:)`.
        context.constraintPolicy = .error
        follower = try StoreFollower(context, scope: .otherCoordinators)
        // Typed text has to be kept first.
        follower.reopensReplacedStores = false
    }

    deinit { tellDoubts() }

    package func close() {
        tellDoubts()
        container.close()
    }

    package var now: Date { clock().now }
}
