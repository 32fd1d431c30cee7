import ObjectModel

/// The edits of a modal form in a context, with a separate undo while the form is open.
///
/// The session replaces the undo manager of the context by a new one. Each field edit, ended by
/// ``endEdit()``, is one step of it. ``accept()`` makes all edits together one named step of the
/// context's own manager; ``cancel()`` undoes them all, also for objects that were inserted.
///
///     let session = EditSession(context, name: "Edit Task")
///     task.title = "Pay the rent"
///     session.endEdit()
///     try session.undo()        // undoes the field edit
///     try session.accept()      // or session.cancel()
///
/// A context has one active session; nested ones end in reverse order: to accept the outer one first
/// is an error, to cancel it cancels the inner ones too.
public final class EditSession {
    public let context: ManagedObjectContext
    /// The name of the undo step of the accepted edits.
    public var name: String
    /// The undo of single edits, while the session is open.
    public let undoManager = UndoManager()
    /// Whether neither ``accept()`` nor ``cancel()`` was called.
    public private(set) var isOpen = true

    private let outer: UndoManager?

    /// Opens a session; it does not include earlier pending changes.
    public init(_ context: ManagedObjectContext, name: String) {
        self.context = context
        self.name = name
        context.processPendingChanges()
        outer = context.undoManager
        outer?.endEvent()
        undoManager.groupsByEvent = true
        undoManager.session = self
        context.undoManager = undoManager
    }

    /// Ends one edit, which becomes one step of the session's undo.
    public func endEdit() {
        context.processPendingChanges()
        undoManager.endEvent()
    }

    public var canUndo: Bool { undoManager.canUndo }
    public var canRedo: Bool { undoManager.canRedo }

    /// Undoes the last edit.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if the session has
    ///   ended, or another one is open inside it; and what ``UndoManager/undo()`` throws.
    public func undo() throws {
        try checkIsActive()
        endEdit()
        try context.undo()
    }

    /// Redoes the edit that was undone last.
    ///
    /// - Throws: as ``undo()``.
    public func redo() throws {
        try checkIsActive()
        endEdit()
        try context.redo()
    }

    /// Whether anything was edited.
    public var hasEdits: Bool {
        endEdit()
        return undoManager.canUndo
    }

    /// Keeps the edits, as one step of the context's own undo manager.
    ///
    /// Does not save. Does nothing if the session has ended. Undo groups that are still open in it are
    /// closed.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if another session
    ///   is open inside this one, which then stays open; and what the context's undo manager throws
    ///   when the step is registered.
    public func accept() throws {
        guard isOpen else { return }
        try checkIsActive()
        try endGroups()
        isOpen = false
        context.undoManager = outer
        let form = undoManager
        guard let outer, form.canUndo else { return }
        outer.beginUndoGrouping()
        // Undoing the session's steps now registers their inverse with the context's own manager,
        // which is active again: that is its redo.
        try outer.registerUndo(withTarget: context) { _ in
            while form.canUndo { try form.undo() }
        }
        outer.setActionName(name)
        try outer.endUndoGrouping()
        outer.endEvent()
    }

    /// Undoes every edit and closes the session, and those that are open inside it.
    ///
    /// Does nothing if the session has ended.
    public func cancel() {
        guard isOpen else { return }
        while let inner = context.undoManager?.session as? EditSession, inner.isInside(self) {
            inner.cancel()
        }
        isOpen = false
        do {
            try endGroups()
            while undoManager.canUndo { try undoManager.undo() }
        } catch {
            preconditionFailure("the session \"\(name)\" cannot be cancelled: \(error)")
        }
        context.processPendingChanges()
        undoManager.removeAllActions()
        context.undoManager = outer
    }

    // MARK: Misuse

    private func checkIsActive() throws {
        if isOpen, context.undoManager === undoManager { return }
        let inner = context.undoManager?.session as? EditSession
        throw ObjectGraphError(
            .undoState,
            !isOpen
                ? "The session \"\(name)\" has ended."
                : inner.map { "The session \"\($0.name)\" is open inside \"\(name)\"." }
                    ?? "\(context.label) has another undo manager than the session \"\(name)\".",
            recovery: !isOpen
                ? "Undo the step of the context, or open another session."
                : inner == nil
                    ? "Set that of the session again." : "Accept or cancel that one first."
        )
    }

    private func isInside(_ other: EditSession) -> Bool {
        guard isOpen, self !== other, let around = outer?.session as? EditSession else {
            return false
        }
        return around === other || around.isInside(other)
    }

    /// Ends the last edit, and the groups that the program has begun and not ended.
    private func endGroups() throws {
        endEdit()
        while undoManager.groupingLevel > 0 { try undoManager.endUndoGrouping() }
    }
}
