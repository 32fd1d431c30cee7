import ObjectGraph

// A sheet that shares the list's undo manager.
//
// Opening it opens a group, and each edit is a group inside it. Accepting closes the outer group
// and names it; cancelling closes and undoes it. This needs no manager for each sheet, but a
// cancelled sheet stays on the redo stack and must be removed from it.

extension TestList {
    func addWithGroup(name: String, number: Int32) throws {
        guard let undo = context.undoManager else { return }
        undo.beginUndoGrouping()
        let entity = context.insert(TestEntity.self)
        try edit { entity.name = name }
        try edit { entity.number = number }
        try close(.add)
        try show(Action.add.rawValue)
    }

    func editWithGroup(numbers: [Int32], undoing steps: Int, accepting: Bool) throws {
        guard let undo = context.undoManager, let entity = try newest() else { return }
        undo.beginUndoGrouping()
        for number in numbers { try edit { entity.number = number } }
        try show("in the sheet")
        for _ in 0..<steps {
            try undo.undoNestedGroup()
            try show("in the sheet, undone")
        }
        try close(.edit)
        if accepting { return try show("\(Action.edit.rawValue), accepted") }
        try context.undo()
        try show("\(Action.edit.rawValue), cancelled")
        output("  left behind: \(undo.redoMenuItemTitle)")
    }

    /// One edit: a group inside the sheet's group.
    private func edit(_ body: () -> Void) throws {
        guard let undo = context.undoManager else { return }
        undo.beginUndoGrouping()
        body()
        context.processPendingChanges()
        try undo.endUndoGrouping()
    }

    private func close(_ action: Action) throws {
        guard let undo = context.undoManager else { return }
        context.processPendingChanges()
        undo.setActionName(action.rawValue)
        try undo.endUndoGrouping()
        // The group's own event ends with it.
        undo.endEvent()
    }
}
