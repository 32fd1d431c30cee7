import ObjectGraph

/// A canvas with shapes of several kinds, and undo in all its ways.
///
/// The colour of a shape is a transformable attribute: an object of ours in memory, three bytes in
/// the store, and between them a transformer that the model names.
struct ShapesExample: Example {
    let name = "shapes"
    let summary = "circles and polygons on a canvas; undo, redo, their limits, and none at all"

    func run(in environment: ExampleEnvironment) throws {
        // Before the store is opened: it asks for the transformers of its model.
        ValueTransformers.register(ColorTransformer(), as: ColorTransformer.name)
        let container = try environment.open(ShapesModel.make(), ShapesModel.classes)
        let context = container.viewContext

        let kept = try Canvas.first(in: context)
        let canvas = kept ?? context.insert(Canvas.self)
        if kept == nil {
            canvas.title = "Drawing"
            canvas.transform = context.insert(Transform.self)
        }
        try context.save()
        // From here on changes are recorded; what was done before cannot be undone.
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
