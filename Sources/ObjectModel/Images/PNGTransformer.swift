public import FoundationEssentials

/// Keeps the ``Bitmap`` of a transformable attribute as a PNG file in the store, which every other
/// program can show.
///
///     PNGTransformer.register()
///     // In the model: valueTransformerName="PNG" customClassName="Bitmap"
///     picture.image = try Bitmap(width: 2, height: 1, bytes: [255, 0, 0, 255, 0, 0, 255, 255])
///
/// Stored data that is no picture reads as no picture.
public struct PNGTransformer: ValueTransformer {
    /// The name by which a model asks for it.
    public static let name = "PNG"

    public init() {}

    /// Makes the transformer known under its name; before a store is opened.
    public static func register() { ValueTransformers.register(PNGTransformer(), as: name) }

    public func data(for value: Value) throws -> Data {
        guard case .opaque(let bitmap as Bitmap) = value else {
            throw ObjectGraphError(
                .wrongValueKind,
                "\(value.kindAtStart) is no picture.",
                recovery: "Give a Bitmap."
            )
        }
        return bitmap.pngData
    }

    public func value(for data: Data) throws -> Value { .opaque(try Bitmap(png: data)) }
}
