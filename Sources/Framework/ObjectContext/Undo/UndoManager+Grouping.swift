extension UndoManager {
    /// Opens a group; every registration goes into the innermost open one.
    ///
    /// At level 0 with ``groupsByEvent`` the event's group is opened first, so the level becomes 2.
    /// Posts ``Checkpoint`` (not while undoing) and ``DidOpenUndoGroup``.
    public func beginUndoGrouping() {
        openEventGroupIfNeeded()
        if !isPerforming { post(Checkpoint(manager: self)) }
        open(UndoGroup())
    }

    /// Closes the innermost open group.
    ///
    /// Posts ``Checkpoint``, ``WillCloseUndoGroup`` and ``DidCloseUndoGroup``. A closed group
    /// counts as one step even if it is empty.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if no group is
    ///   open.
    public func endUndoGrouping() throws {
        // A running undo records its inverse in a group that the caller must not close.
        guard openGroups.count > (isPerforming ? 1 : 0) else {
            throw misuse(
                "endUndoGrouping was called without an open group.",
                "Call it once for each beginUndoGrouping."
            )
        }
        closeInnermostGroup()
    }

    /// Ends an event: closes the group that the event's first registration opened.
    ///
    /// Does nothing while a group that ``beginUndoGrouping()`` opened is still open, so such a
    /// group may span events. Does nothing either if the mode is not one of ``runLoopModes``.
    ///
    /// - Complexity: O(1).
    public func endEvent(inMode mode: String = UndoManager.defaultRunLoopMode) {
        guard !isPerforming, runLoopModes.contains(mode), openGroups.count == 1,
            openGroups[0].isEventGroup
        else { return }
        closeInnermostGroup()
    }

    /// Runs one event and ends it.
    ///
    /// - Throws: what `body` throws; the event ends then too.
    public func event<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { endEvent() }
        return try body()
    }

    /// Runs a body in a separate group, which is closed also if the body throws.
    ///
    /// Groups that the body leaves open are closed with it.
    ///
    /// - Throws: what `body` throws.
    public func group<Result>(
        named name: String = "",
        _ body: () throws -> Result
    ) rethrows
        -> Result
    {
        beginUndoGrouping()
        let level = openGroups.count
        defer {
            if openGroups.count >= level {
                while openGroups.count > level { closeInnermostGroup() }
                if !name.isEmpty { setActionName(name) }
                closeInnermostGroup()
            }
        }
        return try body()
    }

    func openEventGroupIfNeeded() {
        if openGroups.isEmpty, groupsByEvent { open(UndoGroup(isEventGroup: true)) }
    }

    private func open(_ group: UndoGroup) {
        openGroups.append(group)
        post(DidOpenUndoGroup(manager: self))
    }

    func closeInnermostGroup() {
        if !isPerforming { post(Checkpoint(manager: self)) }
        guard let group = openGroups.last else { return }
        let isDiscardable = group.isDiscardable
        post(WillCloseUndoGroup(manager: self, isDiscardable: isDiscardable))
        openGroups.removeLast()
        if let parent = openGroups.last {
            parent.adopt(group)
        } else if !(group.isEventGroup && group.items.isEmpty) {
            undoStack.append(group)
            forgetOldest()
        }
        post(DidCloseUndoGroup(manager: self, isDiscardable: isDiscardable))
    }
}
