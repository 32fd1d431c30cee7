public import FoundationEssentials

/// Stores the ``Bitmap`` of a transformable attribute as a PNG file, which other programs can show.
///
///     PNGTransformer.register()
///     // In the model: valueTransformerName="PNG" customClassName="Bitmap"
///     picture.image = try Bitmap(width: 2, height: 1, bytes: [255, 0, 0, 255, 0, 0, 255, 255])
///
/// Stored data that is not a picture stays data: the typed property reads it as `nil`.
public struct PNGTransformer: ValueTransformer {
    /// The name by which a model asks for it.
    public static let name = "PNG"

    public init() {}

    /// Registers the transformer under its name.
    ///
    /// Call it before a store is opened.
    public static func register() { ValueTransformers.register(PNGTransformer(), as: name) }

    /// The bitmap as a PNG file.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind`` if the value
    ///   is not a ``Bitmap``.
    public func data(for value: Value) throws -> Data {
        guard case .opaque(let bitmap as Bitmap) = value else {
            throw ObjectGraphError(
                .wrongValueKind,
                "\(value.kindAtStart) is not a picture.",
                recovery: "Give a Bitmap."
            )
        }
        return bitmap.pngData
    }

    /// The bitmap of a PNG file.
    ///
    /// - Throws: what ``Bitmap/init(png:)`` throws.
    public func value(for data: Data) throws -> Value { .opaque(try Bitmap(png: data)) }
}
