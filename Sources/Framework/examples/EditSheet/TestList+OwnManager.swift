import ObjectGraph

// A sheet with its own undo manager.
//
// While it is open, undo reverts single edits. Accepted, they are one step of the list's undo;
// cancelled, nothing has changed: even an object that was added for the sheet is removed.

extension TestList {
    func addWithSheet(name: String, number: Int32) throws {
        let session = EditSession(context, name: Action.add.rawValue)
        let entity = context.insert(TestEntity.self)
        entity.name = name
        session.endEdit()
        entity.number = number
        session.endEdit()
        try session.accept()
        try show(session.name)
    }

    func editWithSheet(numbers: [Int32], undoing steps: Int, accepting: Bool) throws {
        guard let entity = try newest() else { return }
        let session = EditSession(context, name: Action.edit.rawValue)
        for number in numbers {
            entity.number = number
            session.endEdit()
        }
        try show("in the sheet")
        for _ in 0..<steps {
            try session.undo()
            try show("in the sheet, undone")
        }
        if accepting {
            try session.accept()
            try show("\(session.name), accepted")
        } else {
            session.cancel()
            try show("\(session.name), cancelled")
        }
    }
}
