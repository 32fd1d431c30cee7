// Undo and redo are one algorithm, `perform`:
//   1. set the open groups aside and open one group that records;
//   2. run the inverses of the group, newest first; each registers its own inverse;
//   3. put what was recorded on the other stack under the same name, and restore the open groups.

extension UndoManager {
    /// Undoes the last top-level group.
    ///
    /// Closes the group first if only one is open. Does nothing if there is nothing to undo.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if a nested group
    ///   is still open or an undo or redo is running; and the error of an inverse. Then everything
    ///   is as before.
    /// - Complexity: O(actions in the group).
    public func undo() throws {
        try checkIdle("undo")
        if openGroups.count == 1 { closeInnermostGroup() }
        guard openGroups.isEmpty else {
            throw misuse(
                "undo was called with \(openGroups.count) groups open.",
                "Close the nested groups first, or call undoNestedGroup."
            )
        }
        post(Checkpoint(manager: self))
        // An observer of the checkpoint may have opened the event's group by registering.
        if openGroups.count == 1 { closeInnermostGroup() }
        try undoLastClosedGroup()
    }

    /// Undoes the last closed group, nested or not, without closing a group.
    ///
    /// That is the last closed group inside the innermost open one, or with none open the last
    /// top-level group. The event's own group is closed first if it holds actions but no group.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if the innermost
    ///   open group was opened by ``beginUndoGrouping()`` and holds no closed group, or if an undo
    ///   or redo is running; and the error of an inverse.
    /// - Complexity: O(actions in the group).
    public func undoNestedGroup() throws {
        try checkIdle("undoNestedGroup")
        post(Checkpoint(manager: self))
        guard let innermost = openGroups.last else { return try undoLastClosedGroup() }
        if let index = innermost.items.lastIndex(where: \.isGroup),
            let group = innermost.removeLastGroup()
        {
            return try perform(group, undoing: true) {
                innermost.putBack(group, at: index)
            }
        }
        guard innermost.isEventGroup else {
            throw misuse(
                "undoNestedGroup was called, but the open group holds no closed group.",
                "Close the group first."
            )
        }
        closeInnermostGroup()
        try undoLastClosedGroup()
    }

    /// Redoes the group that was undone last.
    ///
    /// Does nothing if there is nothing to redo.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if an undo or
    ///   redo is running; and the error of an inverse. Then everything is as before.
    /// - Complexity: O(actions in the group).
    public func redo() throws {
        try checkIdle("redo")
        post(Checkpoint(manager: self))
        guard let group = redoStack.popLast() else { return }
        try perform(group, undoing: false) { self.redoStack.append(group) }
    }

    private func undoLastClosedGroup() throws {
        guard let group = undoStack.popLast() else { return }
        try perform(group, undoing: true) { self.undoStack.append(group) }
    }

    private func checkIdle(_ name: String) throws {
        if isPerforming {
            throw misuse(
                "\(name) was called while \(isUndoing ? "an undo" : "a redo") is running.",
                "Call it after that has ended."
            )
        }
    }

    /// Runs a group and records its inverse; if that throws, `restore` puts the group back.
    private func perform(_ group: UndoGroup, undoing: Bool, restore: () -> Void) throws {
        post(undoing ? WillUndoChange(manager: self) : WillRedoChange(manager: self))
        let recorded = UndoGroup()
        recorded.ownName = group.name
        recorded.userInfo = group.userInfo
        // An action that is being undone can no longer be marked or joined, so do not retain it for
        // that.
        lastAction = nil
        suspendedGroups = openGroups
        openGroups = [recorded]
        isUndoing = undoing
        isRedoing = !undoing
        var failure: (any Error)?
        do {
            try run(group)
        } catch {
            failure = error
            takeBack(recorded)
            lastAction = nil
        }
        while openGroups.count > 1 { closeInnermostGroup() }
        openGroups = suspendedGroups
        suspendedGroups = []
        isUndoing = false
        isRedoing = false
        if let failure {
            restore()
            throw failure
        }
        if group.isDiscardable { recorded.markDiscardable() }
        // An empty group moves to the other stack unchanged. A group whose inverses recorded
        // nothing is not a step any more.
        if recorded.items.isEmpty, group.hasActions { return didPerform(undoing) }
        if undoing {
            redoStack.append(recorded)
        } else if let open = openGroups.last {
            open.adopt(recorded)
        } else {
            undoStack.append(recorded)
            forgetOldest()
        }
        didPerform(undoing)
    }

    private func didPerform(_ undoing: Bool) {
        post(undoing ? DidUndoChange(manager: self) : DidRedoChange(manager: self))
    }

    private func run(_ group: UndoGroup) throws {
        for item in group.items.reversed() {
            switch item {
            case .action(let action): _ = try action.perform()
            case .group(let nested): try run(nested)
            }
        }
    }

    /// Reverts the part of a failed undo that has run, so that nothing of it remains.
    private func takeBack(_ recorded: UndoGroup) {
        while openGroups.count > 1 { closeInnermostGroup() }
        let done = UndoGroup()
        done.items = recorded.items
        recorded.items = []
        disableCount += 1
        defer { disableCount -= 1 }
        // Report the first error; an inverse of an inverse can only repeat it.
        try? run(done)
    }
}

extension UndoGroup.Entry {
    fileprivate var isGroup: Bool {
        if case .group = self { return true }
        return false
    }
}
