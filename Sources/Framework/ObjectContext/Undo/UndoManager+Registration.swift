extension UndoManager {
    /// Registers the inverse of a change: a closure that reverts the change of the target.
    ///
    /// The target is not retained. The handler is, with all its captures, so it should use the
    /// target from its argument. Outside undo and redo this empties the redo stack. Ignored while
    /// registration is disabled.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if no group is
    ///   open and ``groupsByEvent`` is off.
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

    /// Adds an action to the innermost group; opens a group for the event if needed.
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

    /// A target whose next call is registered instead of executed.
    ///
    ///     try undo.prepare(withInvocationTarget: counter) { $0.value = 5 }
    ///     let inverse = undo.prepare(withInvocationTarget: counter)
    ///     try inverse { $0.value = 5 }
    public func prepare<Target: AnyObject>(
        withInvocationTarget target: Target
    ) -> Invocation<Target> {
        Invocation(manager: self, target: target)
    }

    /// Registers the call in the closure; see ``registerUndo(withTarget:handler:)``.
    ///
    /// - Throws: as ``registerUndo(withTarget:handler:)``.
    public func prepare<Target: AnyObject>(
        withInvocationTarget target: Target,
        _ invocation: @escaping (Target) throws -> Void
    ) throws {
        try registerUndo(withTarget: target, handler: invocation)
    }

    /// The result of ``UndoManager/prepare(withInvocationTarget:)``: calling it with a closure
    /// registers the closure.
    public struct Invocation<Target: AnyObject> {
        let manager: UndoManager
        let target: Target

        /// Registers the call in the closure.
        ///
        /// - Throws: as ``UndoManager/registerUndo(withTarget:handler:)``.
        public func callAsFunction(_ invocation: @escaping (Target) throws -> Void) throws {
            try manager.registerUndo(withTarget: target, handler: invocation)
        }
    }

    /// Marks the last registered action as unimportant, such as a selection.
    ///
    /// A document need not count a group with only such actions as an edit.
    public func setActionIsDiscardable(_ isDiscardable: Bool) {
        lastAction?.isDiscardable = isDiscardable
    }

    /// Whether the group that `undo()` would perform holds discardable actions only.
    public var undoActionIsDiscardable: Bool { topUndoGroup?.isDiscardable ?? false }

    /// Whether the group that `redo()` would perform holds discardable actions only.
    public var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }
}
