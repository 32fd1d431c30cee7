import ObjectModel

/// A modal form's edits of a context, with undo of their own while the form is open.
///
/// The session puts a fresh undo manager in place of the context's. Each field edit, ended by
/// ``endEdit()``, is a step of it. ``accept()`` makes all edits together one named step of the
/// context's own manager; ``cancel()`` takes them all back, so that nothing has happened, also
/// for objects inserted meanwhile.
///
///     let session = EditSession(context, name: "Edit Task")
///     task.title = "Pay the rent"
///     session.endEdit()
///     try session.undo()        // takes the field edit back
///     try session.accept()      // or session.cancel()
///
/// One session at a time for a context; nested ones are ended in reverse order.
public final class EditSession {
    public let context: ManagedObjectContext
    /// What undo calls the accepted edits.
    public var name: String
    /// The undo of single edits, while the session is open.
    public let undoManager = UndoManager()
    /// Whether neither ``accept()`` nor ``cancel()`` was called yet.
    public private(set) var isOpen = true

    private let outer: UndoManager?

    /// Opens a session; pending changes made before stay outside of it.
    public init(_ context: ManagedObjectContext, name: String) {
        self.context = context
        self.name = name
        context.processPendingChanges()
        outer = context.undoManager
        outer?.endEvent()
        undoManager.groupsByEvent = true
        context.undoManager = undoManager
    }

    /// Ends one edit, which becomes one step of the form's undo.
    public func endEdit() {
        context.processPendingChanges()
        undoManager.endEvent()
    }

    public var canUndo: Bool { undoManager.canUndo }
    public var canRedo: Bool { undoManager.canRedo }

    /// Takes the last edit back.
    public func undo() throws {
        endEdit()
        try context.undo()
    }

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
    /// Saves nothing.
    public func accept() throws {
        guard isOpen else { return }
        endEdit()
        isOpen = false
        context.undoManager = outer
        let form = undoManager
        guard let outer, form.canUndo else { return }
        outer.beginUndoGrouping()
        // Undoing the form's steps now registers their inverse with the outer manager, which is
        // in place again: that is its redo.
        try outer.registerUndo(withTarget: context) { _ in
            while form.canUndo { try form.undo() }
        }
        outer.setActionName(name)
        try outer.endUndoGrouping()
        outer.endEvent()
    }

    /// Takes every edit back and closes the session.
    public func cancel() {
        guard isOpen else { return }
        endEdit()
        isOpen = false
        do {
            while undoManager.canUndo { try undoManager.undo() }
        } catch {
            preconditionFailure("the form's own undo is balanced, yet it failed: \(error)")
        }
        context.processPendingChanges()
        undoManager.removeAllActions()
        context.undoManager = outer
    }
}
