extension UndoManager {
    /// Registers the inverse of a change: what to do with the target to take it back.
    ///
    /// The target is not retained; the handler is, with all it captures, so it should reach the
    /// target by its argument. Outside undo and redo this empties the redo stack. Ignored while
    /// registration is disabled.
    ///
    /// - Throws: `.undoState` if no group is open and ``groupsByEvent`` is off.
    public func registerUndo<Target: AnyObject>(
        withTarget target: Target,
        handler: @escaping (Target) throws -> Void
    ) throws {
        try register { _ in
            UndoAction(target) { object in
                guard let target = object as? Target else { return }
                try handler(target)
            }
        }
    }

    /// Adds an action to the innermost group, which it opens for an event.
    func register(_ makeAction: (UndoGroup) -> UndoAction) throws {
        guard isUndoRegistrationEnabled else { return }
        openEventGroupIfNeeded()
        guard let group = openGroups.last else {
            throw misuse(
                "An undo was registered while no group is open.",
                "Call beginUndoGrouping first, or set groupsByEvent."
            )
        }
        let action = makeAction(group)
        group.items.append(.action(action))
        lastAction = action
        if !isPerforming { redoStack.removeAll() }
    }

    /// A target whose next call is to be registered, not made.
    ///
    ///     try undo.prepare(withInvocationTarget: counter) { $0.value = 5 }
    ///     let inverse = undo.prepare(withInvocationTarget: counter)
    ///     try inverse { $0.value = 5 }
    public func prepare<Target: AnyObject>(
        withInvocationTarget target: Target
    ) -> Invocation<Target> {
        Invocation(manager: self, target: target)
    }

    /// Registers the call that the closure makes; see ``registerUndo(withTarget:handler:)``.
    public func prepare<Target: AnyObject>(
        withInvocationTarget target: Target,
        _ invocation: @escaping (Target) throws -> Void
    ) throws {
        try registerUndo(withTarget: target, handler: invocation)
    }

    /// What ``UndoManager/prepare(withInvocationTarget:)`` returns: called with a closure, it
    /// registers it.
    public struct Invocation<Target: AnyObject> {
        let manager: UndoManager
        let target: Target

        public func callAsFunction(_ invocation: @escaping (Target) throws -> Void) throws {
            try manager.registerUndo(withTarget: target, handler: invocation)
        }
    }

    /// Marks the action registered last as one whose loss matters to nobody, such as a selection.
    ///
    /// A document need not count a group of such actions as an edit.
    public func setActionIsDiscardable(_ isDiscardable: Bool) {
        lastAction?.isDiscardable = isDiscardable
    }

    /// Whether the group that `undo()` would perform holds discardable actions only.
    public var undoActionIsDiscardable: Bool { topUndoGroup?.isDiscardable ?? false }

    /// Whether the group that `redo()` would perform holds discardable actions only.
    public var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }
}
