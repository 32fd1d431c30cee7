package import FoundationEssentials
package import ObjectGraph

/// The user's open store, and every verb on it.
///
/// The interface and the command line both go through it: a verb changes objects, then saves
/// them as one named step, so a command is one transaction and one step of undo. Verbs live in
/// extensions by concern: `+Find`, `+Add`, `+Change`, `+Order`, `+Trash`, `+Lists`, `+Undo`,
/// `+Records`, `+Import`, `+Export`, `+Refresh`.
///
/// A verb that throws has changed nothing.
package final class Library {
    package let container: PersistentContainer
    /// The context of everything on screen.
    package let context: ManagedObjectContext
    /// The time, the time zone and the first day of the week, asked for at each use.
    package let clock: () -> DateContext
    /// The store's file.
    package let path: String
    /// The newest transaction that the context knows of.
    var seenTransaction: Int64 = 0

    /// Opens a store, making it if there is none.
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
        context.transactionAuthor = author
        context.mergePolicy = .mergeByPropertyObjectTrump
        // Two items with one short ID are two items; see `saveWithUniqueNumbers`.
        context.constraintPolicy = .error
        seenTransaction = try latestTransaction()
    }

    package func close() { container.close() }

    package var now: Date { clock().now }

    /// Saves what a verb changed as one step; on failure takes it back.
    ///
    /// Does nothing if nothing changed.
    @discardableResult
    func commit(_ name: String) throws -> Bool {
        guard context.hasChanges else { return false }
        do {
            var info = TransactionInfo()
            info.groupName = name
            noteSaved(try saveWithUniqueNumbers(info))
            return true
        } catch {
            context.rollback()
            throw error
        }
    }

    /// Two processes may give out one short ID at the same moment: the second gets new ones.
    ///
    /// - Returns: the transaction's number.
    func saveWithUniqueNumbers(_ info: TransactionInfo) throws -> Int64 {
        for attempt in 0... {
            do {
                return try context.save(info)
            } catch let error as ObjectGraphError
                where error.code == .constraintConflict && attempt < 20
            {
                try renumberNewItems()
            }
        }
        return 0
    }
}

/// How a step is called: "Complete Task", "Complete 3 Tasks".
enum StepName {
    static func of(_ verb: String, _ items: [Item]) -> String {
        let kinds = Set(items.map { $0 is Note ? "Note" : "Task" })
        let kind = kinds.count == 1 ? kinds.first ?? "Item" : "Item"
        return items.count == 1 ? "\(verb) \(kind)" : "\(verb) \(items.count) \(kind)s"
    }
}
