import FoundationEssentials
import ObjectGraph

/// Pictures behind a typed property.
///
/// The program sees a `Bitmap`, the store a PNG file, which every other program can show; between
/// them is a transformer, which the model asks for by its name.
struct ImagesExample: Example {
    let name = "images"
    let summary = "pictures as a typed property, stored as PNG files"

    /// A PNG file that another program wrote: 10 by 2 pixels of one bit.
    private static let foreign =
        "iVBORw0KGgoAAAANSUhEUgAAAAoAAAACAQAAAABJGnB9AAAADklEQVR42mNYdYDhPwMACFYCaos0BDsAAAAASUVORK5CYII="

    func run(in environment: ExampleEnvironment) throws {
        PNGTransformer.register()
        let output = environment.output
        let container = try environment.open(ImagesModel.make(), ImagesModel.classes)
        let context = container.viewContext
        if try Picture.count(in: context) == 0 {
            try fill(context)
            try context.save()
        }

        // A new context has none of the objects above: these come from the store.
        let fresh = container.newContext()
        for picture in try Picture.all(in: fresh, sortedBy: \.title) {
            guard let image = picture.image else { continue }
            output(
                "\(picture.title): \(image.width) by \(image.height) pixels, "
                    + "\(image.bytes.count) bytes in memory"
            )
            draw(image, output)
            output()
        }

        do {
            _ = try Bitmap(png: Data("GIF89a".utf8))
        } catch {
            output("Something else: \(ErrorAdvice(error).sentence)")
        }
    }

    private func fill(_ context: ManagedObjectContext) throws {
        func add(_ title: String, _ image: Bitmap) {
            let picture = context.insert(Picture.self)
            picture.title = title
            picture.image = image
        }
        add(
            "Ball",
            try Bitmap(width: 24, height: 12) { x, y in
                let (across, down) = ((Double(x) - 11.5) / 12, (Double(y) - 5.5) / 6)
                let distance = (across * across + down * down).squareRoot()
                let light = UInt8(255 * max(0, 1 - distance))
                return Bitmap.Pixel(red: light, green: light, blue: light)
            }
        )
        add(
            "Chequers",
            try Bitmap(width: 24, height: 6) { x, y in
                let light: UInt8 = (x / 4 + y / 2) % 2 == 0 ? 255 : 0
                return Bitmap.Pixel(red: light, green: light, blue: light)
            }
        )
        guard let file = Data(base64Encoded: Self.foreign) else { return }
        add("From elsewhere", try Bitmap(png: file))
    }

    /// Draws a picture with characters, the brightest the densest.
    private func draw(_ image: Bitmap, _ output: Output) {
        let signs = Array(" .:-=+*#%@")
        for y in 0..<image.height {
            let line = (0..<image.width).map { x in
                signs[Int(image[x, y].green) * (signs.count - 1) / 255]
            }
            output("  |\(String(line))|")
        }
    }
}
