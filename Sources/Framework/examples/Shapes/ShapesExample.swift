import ObjectGraph

/// A canvas with shapes of several kinds, the store of an older version, and all forms of undo.
///
/// The colour of a shape is a transformable attribute: one of our objects in memory, three bytes in
/// the store, and a transformer, which the model names, between them.
struct ShapesExample: Example {
    let name = "shapes"
    let summary = "a store of an older version; ellipses and polygons; undo, redo and their limits"

    func run(in environment: ExampleEnvironment) throws {
        // Before the store is opened, because its model needs the transformers.
        ValueTransformers.register(ColorTransformer(), as: ColorTransformer.name)
        let container = try ShapesUpgrade(environment: environment).open()
        let context = container.viewContext

        let kept = try Canvas.first(in: context)
        let canvas = kept ?? context.insert(Canvas.self)
        if kept == nil {
            canvas.title = "Drawing"
            canvas.transform = context.insert(Transform.self)
        }
        try context.save()
        // From here on changes are recorded; earlier ones cannot be undone.
        context.undoManager = UndoManager()
        let drawing = Drawing(context, canvas, environment.output)
        drawing.show(kept == nil ? "A new canvas" : "The canvas as it was kept")
        try drawing.addShapes()
        try drawing.undoAndRedo()
        try drawing.deleteAndBringBack()
        try drawing.limitLevels()
        try drawing.changeWithoutUndo()
        try context.save()
    }
}
