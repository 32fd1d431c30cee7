import ObjectGraph

/// The list behind the sheet: it adds, edits and deletes its newest object.
struct TestList {
    let context: ManagedObjectContext
    let output: Output

    /// The names of the three actions in the undo menu.
    enum Action: String {
        case add = "Add Test Entity"
        case edit = "Edit Test Entity"
        case delete = "Delete Test Entity"
    }

    func newest() throws -> TestEntity? {
        try TestEntity.first(in: context, sortedBy: \.number.descending)
    }

    func delete() throws {
        guard let undo = context.undoManager, let entity = try newest() else { return }
        context.delete(entity)
        context.processPendingChanges()
        undo.setActionName(Action.delete.rawValue)
        undo.endEvent()
        try show("\(Action.delete.rawValue)")
    }

    func undoAll() throws {
        while let undo = context.undoManager, undo.canUndo {
            let title = undo.undoMenuItemTitle
            try context.undo()
            try show(title)
        }
    }

    func redoAll() throws {
        while let undo = context.undoManager, undo.canRedo {
            let title = undo.redoMenuItemTitle
            try context.redo()
            try show(title)
        }
    }

    /// Prints the last action, the present objects, and the items of the menu.
    func show(_ title: String) throws {
        let entities = try TestEntity.all(in: context, sortedBy: \.name)
        let list = entities.map { "\($0.name) \($0.number)" }.joined(separator: ", ")
        output("  \(title): \(list.isEmpty ? "nothing" : list)")
    }
}
