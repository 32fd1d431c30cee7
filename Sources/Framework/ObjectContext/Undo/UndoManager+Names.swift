extension UndoManager {
    /// Names the current open group, or if none is open the last closed group, for a menu.
    ///
    /// A group without its own name shows the name of the last named group nested in it. An empty
    /// text removes the name.
    public func setActionName(_ name: String) {
        (openGroups.last ?? undoStack.last)?.ownName = name
    }

    /// The name of the group that `undo()` would undo; empty if there is none.
    public var undoActionName: String { topUndoGroup?.name ?? "" }

    /// The name of the group that `redo()` would redo; empty if there is none.
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

    /// Stores a value of the program with the current open group, or with the last closed group.
    ///
    /// The value stays with the group when it is undone and redone; `nil` removes it.
    public func setActionUserInfoValue(_ value: Any?, forKey key: String) {
        (openGroups.last ?? undoStack.last)?.userInfo[key] = value
    }

    /// The value that was stored with the group that `undo()` would undo.
    public func undoActionUserInfoValue(forKey key: String) -> Any? {
        topUndoGroup?.userInfo[key]
    }

    /// The value that was stored with the group that `redo()` would redo.
    public func redoActionUserInfoValue(forKey key: String) -> Any? {
        redoStack.last?.userInfo[key]
    }

    /// The group that `undo()` would perform: the outermost open one, else the last closed one.
    var topUndoGroup: UndoGroup? {
        let open = isPerforming ? suspendedGroups : openGroups
        guard let outermost = open.first else { return undoStack.last }
        // An open group has the name of the groups that are open inside it, until it closes.
        if open.contains(where: { !$0.items.isEmpty }) {
            return outermost.name.isEmpty
                ? open.last { !$0.name.isEmpty } ?? outermost : outermost
        }
        return undoStack.last
    }
}
