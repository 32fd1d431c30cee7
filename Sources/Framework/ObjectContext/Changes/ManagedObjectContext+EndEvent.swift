extension ManagedObjectContext {
    /// Ends an event as one step of undo; call it in the program's event loop after each command.
    ///
    /// Ends the context's event (see ``processPendingChanges()``), names the new step, and ends the
    /// undo manager's event. A group that the program has opened stays open, and keeps its name
    /// until it is closed.
    ///
    /// - Parameter name: the name of the step in a menu, such as "Edit Task"; `nil` does not change
    ///   it. If the event changed nothing, nothing is named.
    public func endEvent(as name: String? = nil) {
        let last = undoManager?.undoStack.last
        processPendingChanges()
        guard let undoManager else { return }
        let isRecorded = undoManager.groupingLevel > 0 || undoManager.undoStack.last !== last
        if let name, isRecorded { undoManager.setActionName(name) }
        undoManager.endEvent()
    }

    /// Ends the undo step of a save, and names it.
    ///
    /// A group that the program has opened stays open; it gets the name only if it has none.
    ///
    /// - Parameters:
    ///   - name: the name of the step.
    ///   - last: the newest closed group at the start of the save; later ones belong to the save.
    func endSavedStep(as name: String?, after last: UndoGroup?) {
        guard let undoManager, !undoManager.isPerforming else { return }
        if let name {
            if let open = undoManager.openGroups.last {
                if open.isEventGroup || open.ownName.isEmpty { open.ownName = name }
            } else {
                for step in undoManager.undoStack.reversed() {
                    if step === last { break }
                    if step.ownName.isEmpty { step.ownName = name }
                }
            }
        }
        undoManager.endEvent()
    }
}
