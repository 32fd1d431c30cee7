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
/// A context has one active session; nested ones end in reverse order.
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
    /// - Throws: what ``UndoManager/undo()`` throws.
    public func undo() throws {
        endEdit()
        try context.undo()
    }

    /// Redoes the edit that was undone last.
    ///
    /// - Throws: what ``UndoManager/redo()`` throws.
    public func redo() throws {
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
    /// Does not save.
    ///
    /// - Throws: what the context's undo manager throws when the step is registered.
    public func accept() throws {
        guard isOpen else { return }
        endEdit()
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

    /// Undoes every edit and closes the session.
    public func cancel() {
        guard isOpen else { return }
        endEdit()
        isOpen = false
        do {
            while undoManager.canUndo { try undoManager.undo() }
        } catch {
            preconditionFailure("the session's undo failed although it is balanced: \(error)")
        }
        context.processPendingChanges()
        undoManager.removeAllActions()
        context.undoManager = outer
    }
}
