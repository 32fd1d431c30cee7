import ObjectModel

/// Records the inverses of changes, in groups, and undoes them.
///
/// A change registers its inverse. Inverses are collected in *groups*. `undo()` performs the last
/// top-level group in reverse order; the inverses that this registers become the group that
/// `redo()` performs. Groups nest; a nested one is undone as part of its parent.
///
///     func setTitle(_ title: String) throws {
///         let old = self.title
///         try undo.registerUndo(withTarget: self) { try $0.setTitle(old) }
///         undo.setActionName("Rename")
///         self.title = title
///     }
///
/// With ``groupsByEvent`` the first registration of an event opens a group. There is no run loop to
/// close it, so the program's event loop calls ``endEvent(inMode:)`` after each event, or runs the
/// event in ``event(_:)``.
///
/// Misuse for which Foundation raises an exception throws `ObjectGraphError` with code
/// ``ObjectGraphError/Code/undoState``.
///
/// A manager belongs to the context or form whose changes it records, and is used on the same
/// executor; it is not `Sendable`. Targets are held weakly: inverses of a released target are
/// skipped.
///
/// Invariants:
///  1. `openGroups` are nested in each other, the first being the outermost.
///  2. At most the first open group is an event group.
///  3. Outside `perform`, the redo stack is emptied by each registration.
///
/// The rules are those of Foundation's `UndoManager`.
public final class UndoManager {
    /// Closed top-level groups, the oldest first.
    var undoStack: [UndoGroup] = []
    var redoStack: [UndoGroup] = []
    /// The groups that are being filled, the innermost last.
    ///
    /// While an undo or redo runs these are the groups that record its inverse.
    var openGroups: [UndoGroup] = []
    /// The groups that were open when the running undo or redo began.
    var suspendedGroups: [UndoGroup] = []
    /// The last registered action; `setActionIsDiscardable` marks it.
    var lastAction: UndoAction?
    var disableCount = 0
    /// The ``EditSession`` whose edits this records.
    weak var session: AnyObject?

    public internal(set) var isUndoing = false
    public internal(set) var isRedoing = false

    /// Whether the first registration of an event opens a group automatically.
    public var groupsByEvent = true

    /// The greatest number of groups that can be undone; 0 = unlimited.
    ///
    /// Counts closed top-level groups. Lowering it deletes the oldest immediately.
    public var levelsOfUndo = 0 {
        didSet { forgetOldest() }
    }

    /// The modes of the event loop in which the end of an event closes the event's group.
    ///
    /// A modal loop that passes its own mode to ``endEvent(inMode:)`` collects all its events in
    /// one group.
    public var runLoopModes = [UndoManager.defaultRunLoopMode]

    public static let defaultRunLoopMode = "default"

    /// The words before an action's name in a menu.
    public var menuWords = (undo: "Undo", redo: "Redo")

    /// The center to which the manager posts its notifications, with itself as the sender.
    public let notificationCenter: GraphNotificationCenter

    public init(notificationCenter: GraphNotificationCenter = .default) {
        self.notificationCenter = notificationCenter
    }

    /// How many groups are open; 0 when none is.
    public var groupingLevel: Int { openGroups.count }

    public var isUndoRegistrationEnabled: Bool { disableCount == 0 }

    /// Whether there is something to undo: a closed group, even an empty one, or an open group
    /// that is not empty.
    public var canUndo: Bool {
        let open = isPerforming ? suspendedGroups : openGroups
        return !undoStack.isEmpty || open.contains { !$0.items.isEmpty }
    }

    /// Whether there is something to redo.
    ///
    /// Posts ``Checkpoint`` first, so that observers can register pending changes, which empties
    /// the redo stack.
    public var canRedo: Bool {
        if !isPerforming { post(Checkpoint(manager: self)) }
        return !redoStack.isEmpty
    }

    var isPerforming: Bool { isUndoing || isRedoing }

    /// Stops recording until ``enableUndoRegistration()`` has been called the same number of times.
    ///
    /// Registrations are ignored until then.
    public func disableUndoRegistration() { disableCount += 1 }

    /// Reverts one ``disableUndoRegistration()``.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if registration
    ///   is not disabled.
    public func enableUndoRegistration() throws {
        guard disableCount > 0 else {
            throw misuse(
                "Undo registration is not disabled.",
                "Call enableUndoRegistration once for each disableUndoRegistration."
            )
        }
        disableCount -= 1
    }

    /// Deletes everything that could be undone or redone.
    ///
    /// Open groups stay open but are emptied; disabled registration stays disabled.
    public func removeAllActions() {
        undoStack.removeAll()
        redoStack.removeAll()
        for group in openGroups + suspendedGroups { group.items.removeAll() }
        lastAction = nil
    }

    /// Deletes the inverses that were registered for a target, and closed groups that lose their
    /// last one by that; what is left of a group is still undone together.
    ///
    /// A target may call it in its `deinit`.
    ///
    /// - Complexity: O(actions recorded).
    public func removeAllActions(withTarget target: AnyObject) {
        let identifier = ObjectIdentifier(target)
        undoStack.removeAll { $0.removeActions(of: identifier) }
        redoStack.removeAll { $0.removeActions(of: identifier) }
        for group in openGroups + suspendedGroups { _ = group.removeActions(of: identifier) }
        if lastAction?.belongs(to: identifier) ?? false { lastAction = nil }
    }

    func forgetOldest() {
        guard levelsOfUndo > 0, undoStack.count > levelsOfUndo else { return }
        undoStack.removeFirst(undoStack.count - levelsOfUndo)
    }

    func post(_ notification: any GraphNotification) {
        notificationCenter.post(notification)
    }

    func misuse(_ message: String, _ recovery: String) -> ObjectGraphError {
        ObjectGraphError(.undoState, message, recovery: recovery)
    }
}
