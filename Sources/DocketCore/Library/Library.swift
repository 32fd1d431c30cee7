package import FoundationEssentials
package import ObjectGraph

/// The user's open store, and every verb on it.
///
/// The interface and the command line both use it: a verb changes objects, then saves them as one
/// named step, so a command is one transaction and one step of undo. Verbs are in extensions by
/// concern, in files named `Library+….swift`.
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
    /// Keeps the context up to date with the saves of other programs.
    package let follower: StoreFollower
    var othersSteps: [String] = []
    /// The largest rank at the moment when new items got a place at the end.
    var endOfOrder: Int64?
    /// Whether saves of others were merged after new items had got their numbers.
    var hasOldNumbers = false

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

    package func close() { container.close() }

    package var now: Date { clock().now }

    /// Saves the changes of a verb as one step, named after the changed items; an error reverts
    /// them.
    ///
    /// - Returns: `nil` if nothing has changed.
    @discardableResult
    func commit(_ verb: String, of items: [Item]) throws -> SavedStep? {
        guard context.hasChanges else { return nil }
        let changed = items.filter(\.hasPersistentChangedValues)
        let subject = StepSubject(changed.isEmpty ? items : changed)
        return try commit(subject.stepName(verb), about: subject)
    }

    /// Saves the changes of a verb as one step; an error reverts them.
    ///
    /// - Returns: `nil` if nothing has changed.
    @discardableResult
    func commit(_ name: String, about subject: StepSubject) throws -> SavedStep? {
        guard context.hasChanges else { return nil }
        do {
            var info = TransactionInfo()
            info.groupName = name
            let transaction = try save(context, info)
            guard transaction > 0 else { return nil }
            return SavedStep(name: name, transaction: transaction, subject: subject)
        } catch {
            context.rollback()
            throw error
        }
    }
}
