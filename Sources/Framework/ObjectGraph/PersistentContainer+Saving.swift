public import ObjectContext

extension PersistentContainer {
    /// Changes objects in the background and saves them; the caller goes on when its own context
    /// shows them.
    ///
    ///     let id = try await container.saveInBackground(as: "Import") { context in
    ///         let book = context.insert(Book.self)
    ///         book.title = "Emma"
    ///         return book.objectID
    ///     }
    ///     let book = container.viewContext.object(with: id)
    ///
    /// The work has a context of its own, on a thread of the container, where such calls run one after
    /// the other. If it has changed nothing, nothing is saved and nothing is posted.
    ///
    /// Its values win: over what others have saved since it read the objects, over a saved object with
    /// the same unique values, and in ``viewContext`` over pending changes of the same properties.
    /// Other pending changes there stay, deletions too.
    ///
    /// Work on much data saves and resets its context from time to time. What it has saved stays, also
    /// if it fails later.
    ///
    /// - Parameters:
    ///   - name: the name of the change, for the history.
    ///   - isolation: where the container is; by default where the caller is.
    ///   - body: the work. What it returns must be `Sendable`, such as object IDs; an ID, or an array
    ///     or a set of them, is permanent when it arrives.
    /// - Returns: what the work returns, where the caller is, after ``viewContext`` has merged the save.
    /// - Throws: what the work throws, or `ObjectGraphError`: an error of the save, or code
    ///   ``ObjectGraphError/Code/cancelled`` if the task was cancelled before it. Then nothing of the
    ///   work is saved that it has not saved itself, and the container is as before.
    @discardableResult
    public func saveInBackground<Result: Sendable>(
        as name: String? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        let author = viewContext.transactionAuthor
        let change = await separateChanges.run(coordinator, as: name, by: author, body)
        return try viewContext.take(change)
    }

    /// Changes objects in a context of their own and saves them; ``viewContext`` shows them when the
    /// call returns.
    ///
    /// As ``saveInBackground(as:isolation:_:)``, but here and now.
    ///
    /// - Throws: as there.
    @discardableResult
    public func save<Result: Sendable>(
        as name: String? = nil,
        _ body: (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        try viewContext.take(coordinator.change(as: name, by: viewContext.transactionAuthor, body))
    }
}
