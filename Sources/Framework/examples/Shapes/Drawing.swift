import ObjectGraph

/// Somebody who draws on a canvas, step by step.
struct Drawing {
    private let context: ManagedObjectContext
    private let canvas: Canvas
    private let output: Output
    private let undo: UndoManager

    init(_ context: ManagedObjectContext, _ canvas: Canvas, _ output: Output) {
        self.context = context
        self.canvas = canvas
        self.output = output
        undo = context.undoManager ?? UndoManager()
    }

    func addShapes() throws {
        output.heading("Three steps")
        step("Add Ellipse") {
            let ellipse = context.insert(Ellipse.self)
            (ellipse.x, ellipse.y) = (10, 10)
            (ellipse.horizontalRadius, ellipse.verticalRadius) = (5, 2)
            ellipse.color = .red
            canvas.$shapes.insert(ellipse)
        }
        step("Add Triangle") {
            let triangle = context.insert(Polygon.self)
            triangle.vertices = [(0.0, 0.0), (8.0, 0.0), (4.0, 6.5)].map { x, y in
                let vertex = context.insert(Vertex.self)
                (vertex.x, vertex.y) = (x, y)
                return vertex
            }
            triangle.color = .green
            canvas.$shapes.insert(triangle)
        }
        step("Change Color") { canvas.shapes.last?.color = .blue }
        show("The canvas now")
    }

    func undoAndRedo() throws {
        output.heading("Undo twice, redo once")
        for _ in 0..<2 {
            output("\(undo.undoMenuItemTitle)")
            try context.undo()
        }
        show("The canvas")
        output("\(undo.redoMenuItemTitle)")
        try context.redo()
        show("The canvas")
    }

    /// Vertices are deleted with their polygon, and restored with it, in their order.
    func deleteAndBringBack() throws {
        output.heading("Delete a shape, and undo that")
        step("Delete Shape") {
            if let shape = canvas.shapes.last { context.delete(shape) }
        }
        show("Without it, \(try vertices())")
        try context.undo()
        show("With it, \(try vertices())")
    }

    private func vertices() throws -> String {
        counted(try Vertex.count(in: context), "vertex", "vertices")
    }

    func limitLevels() throws {
        output.heading("No more than two levels of undo")
        undo.levelsOfUndo = 2
        for scale in [2.0, 3.0, 4.0] {
            step("Zoom to \(scale.oneDigit)") { canvas.transform?.scale = scale }
        }
        while undo.canUndo {
            output("\(undo.undoMenuItemTitle)")
            try context.undo()
        }
        output("The scale is \((canvas.transform?.scale ?? 1).oneDigit).")
        undo.levelsOfUndo = 0
    }

    /// The user cannot undo changes that the user did not make.
    func changeWithoutUndo() throws {
        output.heading("A change that is not recorded")
        // Changes are recorded at the end of an event: one must end before and one after.
        context.processPendingChanges()
        undo.disableUndoRegistration()
        canvas.title = "Drawing of \(counted(canvas.$shapes.count, "shape"))"
        context.processPendingChanges()
        try undo.enableUndoRegistration()
        output("\(canvas.title); to undo: \(undo.canUndo ? undo.undoActionName : "nothing")")
    }

    /// One event of the user: one step of undo.
    private func step(_ name: String, _ body: () -> Void) {
        body()
        context.processPendingChanges()
        undo.setActionName(name)
        undo.endEvent()
        output(name)
    }

    func show(_ title: String) {
        output("\(title):")
        let shapes = canvas.shapes
        if shapes.isEmpty { output("  nothing") }
        for shape in shapes { output("  \(shape.color?.name ?? "no colour") \(shape.outline)") }
    }
}
