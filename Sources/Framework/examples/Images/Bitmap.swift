import ObjectGraph

/// A picture as plain pixels.
///
/// Its content never changes, so it is as safe to share as a value. It is a class because a
/// transformable attribute holds objects of a class. To change the picture of an object, assign
/// another bitmap.
final class Bitmap: Hashable, Sendable {
    /// One pixel: 8 bits for each of red, green, blue and alpha.
    ///
    /// Alpha is 255 where the picture is opaque; colours are not multiplied with it.
    struct Pixel: Hashable, Sendable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
        var alpha: UInt8 = 255
    }

    /// In pixels, at least 1.
    let width: Int
    let height: Int
    /// Red, green, blue and alpha of each pixel, row by row from the top left.
    let bytes: [UInt8]

    /// A picture from its bytes: four for each pixel, row by row from the top left.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind`` if there are
    ///   no pixels, or if the number of bytes is not 4 · width · height.
    init(width: Int, height: Int, bytes: [UInt8]) throws {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, pixels == bytes.count / 4, bytes.count % 4 == 0
        else {
            throw ObjectGraphError(
                .wrongValueKind,
                "A picture of \(width) by \(height) pixels cannot have \(bytes.count) bytes.",
                recovery: "Give 4 bytes for each pixel."
            )
        }
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// A picture whose pixels a closure computes.
    ///
    /// - Throws: as ``init(width:height:bytes:)``, if there are no pixels.
    convenience init(width: Int, height: Int, drawing pixel: (_ x: Int, _ y: Int) -> Pixel) throws {
        var bytes: [UInt8] = []
        for y in 0..<max(height, 0) {
            for x in 0..<max(width, 0) {
                let pixel = pixel(x, y)
                bytes += [pixel.red, pixel.green, pixel.blue, pixel.alpha]
            }
        }
        try self.init(width: width, height: height, bytes: bytes)
    }

    /// The pixel in a column and a row, counted from the top left.
    subscript(x: Int, y: Int) -> Pixel {
        precondition(0..<width ~= x && 0..<height ~= y, "the pixel is outside the picture")
        let start = (y * width + x) * 4
        return Pixel(
            red: bytes[start],
            green: bytes[start + 1],
            blue: bytes[start + 2],
            alpha: bytes[start + 3]
        )
    }

    static func == (left: Bitmap, right: Bitmap) -> Bool {
        left === right
            || left.width == right.width && left.height == right.height
                && left.bytes == right.bytes
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(width)
        hasher.combine(height)
        hasher.combine(bytes)
    }
}
