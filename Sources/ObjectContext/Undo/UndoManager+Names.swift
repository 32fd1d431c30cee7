extension UndoManager {
    /// Names the current open group, or if none is open the group closed last, for a menu.
    ///
    /// A group without a name of its own shows the name of the last named group nested in it. An
    /// empty text removes the name.
    public func setActionName(_ name: String) {
        (openGroups.last ?? undoStack.last)?.ownName = name
    }

    /// The name of what `undo()` would undo; empty if it has none or there is nothing.
    public var undoActionName: String { topUndoGroup?.name ?? "" }

    /// The name of what `redo()` would redo; empty if it has none or there is nothing.
    public var redoActionName: String { redoStack.last?.name ?? "" }

    /// The complete menu item, such as "Undo Rename".
    public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The complete menu item, such as "Redo Rename".
    public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// "Undo" with the name after it; a `nil` or empty name gives "Undo" alone.
    public func undoMenuTitle(forUndoActionName name: String?) -> String {
        title(menuWords.undo, name)
    }

    /// "Redo" with the name after it; a `nil` or empty name gives "Redo" alone.
    public func redoMenuTitle(forUndoActionName name: String?) -> String {
        title(menuWords.redo, name)
    }

    private func title(_ word: String, _ name: String?) -> String {
        guard let name, !name.isEmpty else { return word }
        return "\(word) \(name)"
    }

    /// Keeps something of the program's with the current open group, or the group closed last.
    ///
    /// It moves along when the group is undone and redone; `nil` removes it.
    public func setActionUserInfoValue(_ value: Any?, forKey key: String) {
        (openGroups.last ?? undoStack.last)?.userInfo[key] = value
    }

    /// What was kept with the group that `undo()` would undo.
    public func undoActionUserInfoValue(forKey key: String) -> Any? {
        topUndoGroup?.userInfo[key]
    }

    /// What was kept with the group that `redo()` would redo.
    public func redoActionUserInfoValue(forKey key: String) -> Any? {
        redoStack.last?.userInfo[key]
    }

    /// The group that `undo()` would perform: the outermost open one, else the last closed.
    var topUndoGroup: UndoGroup? {
        let open = isPerforming ? suspendedGroups : openGroups
        guard let outermost = open.first else { return undoStack.last }
        // A group that is still open is named by the groups open inside it, until it closes.
        if open.contains(where: { !$0.items.isEmpty }) {
            return outermost.name.isEmpty
                ? open.last { !$0.name.isEmpty } ?? outermost : outermost
        }
        return undoStack.last
    }
}
