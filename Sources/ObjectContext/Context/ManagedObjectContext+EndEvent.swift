extension ManagedObjectContext {
    /// Ends an event as one step of undo: what a program's event loop calls after each command.
    ///
    /// Ends the context's event (see ``processPendingChanges()``), names the step that it became, and
    /// ends the undo manager's event. A group that the program has opened goes on, and keeps its name
    /// until it is closed.
    ///
    /// - Parameter name: what a menu calls the step, such as "Edit Task"; `nil` leaves it as it is.
    ///   Nothing is named if the event changed nothing.
    public func endEvent(as name: String? = nil) {
        let last = undoManager?.undoStack.last
        processPendingChanges()
        guard let undoManager else { return }
        let isRecorded = undoManager.groupingLevel > 0 || undoManager.undoStack.last !== last
        if let name, isRecorded { undoManager.setActionName(name) }
        undoManager.endEvent()
    }

    /// Ends the step of undo that a save has written, and names it.
    ///
    /// A group that the program has opened goes on; it gets the name only if it has none.
    ///
    /// - Parameters:
    ///   - name: what undo calls the step.
    ///   - last: the newest closed group when the save began; steps after it are the save's.
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
