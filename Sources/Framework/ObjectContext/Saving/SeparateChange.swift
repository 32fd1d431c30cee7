import ObjectModel

// A change with a context of its own, on behalf of another context:
//   1. a new context, by whose merge policy its values win over those that others save meanwhile;
//   2. the work, and one save, if anything has changed;
//   3. the other context merges what was saved, also what the work has saved before it failed.

/// What a change with a context of its own has done.
package struct SeparateChange<Value> {
    /// What was saved.
    fileprivate var changes = ObjectIDChanges()
    /// What the keys of temporary IDs stand for now: the work may have handed such IDs out.
    fileprivate var permanentIDs: [(key: Int64, id: ManagedObjectID)] = []
    fileprivate let result: Result<Value, any Error>
}

extension SeparateChange: Sendable where Value: Sendable {}

extension PersistentStoreCoordinator {
    /// Runs work with a new context and saves it, on the calling thread.
    package func change<Value>(
        as name: String?,
        by author: String?,
        _ body: (ManagedObjectContext) throws -> Value
    ) -> SeparateChange<Value> {
        let context = ManagedObjectContext(coordinator: self)
        context.transactionAuthor = author
        context.mergePolicy = .mergeByPropertyObjectTrump
        var saves = ObjectIDChanges()
        let token = context.notifications.addObserver(of: ContextDidSave.self, from: context) {
            saves.add($0.changes)
        }
        defer { context.notifications.removeObserver(token) }
        let result = Result {
            try refuseIfCancelled()
            let value = try body(context)
            try refuseIfCancelled()
            try context.save(as: name)
            return context.withPermanentIDs(value)
        }
        var change = SeparateChange(result: result)
        change.changes = saves
        context.registry.forEachAlias { change.permanentIDs.append(($0, $1)) }
        return change
    }

    private func refuseIfCancelled() throws {
        guard Task.isCancelled else { return }
        throw ObjectGraphError(.cancelled, "The task was cancelled before its changes were saved.")
    }
}

extension ManagedObjectContext {
    /// Merges what a change with a context of its own has saved; its values win over pending ones.
    ///
    /// - Throws: the error of the work or of its save.
    package func take<Value>(_ change: SeparateChange<Value>) throws -> Value {
        for (key, id) in change.permanentIDs { registry.noteAlias(ofKey: key, id) }
        if !change.changes.isEmpty { mergeOver(change.changes) }
        return try change.result.get()
    }

    /// A value that work with this context returns; IDs that were temporary then are permanent.
    fileprivate func withPermanentIDs<Value>(_ value: Value) -> Value {
        switch value {
        case let id as ManagedObjectID: resolve(id) as? Value ?? value
        case let ids as [ManagedObjectID]: ids.map(resolve) as? Value ?? value
        case let ids as Set<ManagedObjectID>: Set(ids.map(resolve)) as? Value ?? value
        default: value
        }
    }
}

/// Runs changes with contexts of their own on one thread, one after the other.
package actor SeparateChanges {
    private let thread: ContextThread

    /// The thread, as the actor's executor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    package init(name: String) { thread = ContextThread(name: name) }

    /// Runs work with a new context and saves it, on the thread.
    package func run<Value: Sendable>(
        _ coordinator: PersistentStoreCoordinator,
        as name: String?,
        by author: String?,
        _ body: @Sendable (ManagedObjectContext) throws -> Value
    ) -> SeparateChange<Value> { coordinator.change(as: name, by: author, body) }
}
