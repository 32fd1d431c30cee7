import FoundationEssentials
import ObjectGraph

/// Keeps the `Bitmap` of a transformable attribute as a PNG file in the store, which every other
/// program can show.
///
///     PNGTransformer.register()
///     // In the model: valueTransformerName="PNG" customClassName="Bitmap"
///     picture.image = try Bitmap(width: 2, height: 1, bytes: [255, 0, 0, 255, 0, 0, 255, 255])
///
/// Stored data that is not a picture stays data: the typed property reads it as `nil`.
struct PNGTransformer: ValueTransformer {
    /// The name by which a model asks for it.
    static let name = "PNG"

    /// Registers the transformer under its name.
    ///
    /// Call it before a store is opened.
    static func register() { ValueTransformers.register(PNGTransformer(), as: name) }

    func data(for value: GraphValue) throws -> Data {
        guard case .opaque(let bitmap as Bitmap) = value else {
            throw ObjectGraphError(
                .wrongValueKind,
                "This is a \(value.kindName), not a picture.",
                recovery: "Give a Bitmap."
            )
        }
        return bitmap.pngData
    }

    func value(for data: Data) throws -> GraphValue { .opaque(try Bitmap(png: data)) }
}
