import ObjectGraph

/// A list of test entities, and a sheet to edit one of them, with both ways of undo.
struct EditSheetExample: Example {
    let name = "editsheet"
    let summary = "a form to edit an object: undo inside the form, accept and cancel"

    func run(in environment: ExampleEnvironment) throws {
        let container = try environment.open(EditSheetModel.make(), EditSheetModel.classes)
        let context = container.viewContext
        context.undoManager = UndoManager()
        let list = TestList(context: context, output: environment.output)

        environment.output("The sheet has an undo manager of its own")
        try list.addWithSheet(name: "First", number: 1)
        try list.editWithSheet(numbers: [2, 3, 4], undoing: 1, accepting: true)
        try list.editWithSheet(numbers: [98, 99], undoing: 0, accepting: false)
        try list.delete()
        try list.undoAll()
        try list.redoAll()

        environment.output.heading("Sheet and list share one undo manager")
        context.undoManager = UndoManager()
        try list.addWithGroup(name: "Second", number: 10)
        try list.editWithGroup(numbers: [20, 30, 40], undoing: 1, accepting: true)
        try list.editWithGroup(numbers: [98, 99], undoing: 0, accepting: false)
        try list.delete()
        try list.undoAll()
        try list.redoAll()
        try context.save()
    }
}
