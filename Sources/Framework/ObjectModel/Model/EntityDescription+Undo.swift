extension EntityDescription {
    private static let undoKey = "ObjectGraph.isOutsideUndo"

    /// Whether undo and redo of saved commands leave the objects of the entity as they are.
    ///
    /// For what a program notes in the same save as a user's change but that is not part of it, such as
    /// what was agreed with a server. The history names these changes, so that others follow them; an
    /// SQLite store keeps no values with them. The model's files have it in ``userInfo``;
    /// subentities do not inherit it.
    public var isOutsideUndo: Bool {
        get { userInfo[EntityDescription.undoKey] == "YES" }
        set { userInfo[EntityDescription.undoKey] = newValue ? "YES" : nil }
    }
}
