import FoundationEssentials
import ObjectGraph

/// A colour of red, green and blue parts from 0 to 255.
///
/// A transformable attribute holds objects; this one never changes, so it can be shared. To change
/// the colour of a shape, set another `Color`: the framework notices a new object, not a change
/// inside one.
final class Color: Sendable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    static let red = Color(220, 40, 30)
    static let green = Color(30, 160, 70)
    static let blue = Color(40, 80, 200)

    /// The form of the web: `#dc281e`.
    var name: String {
        "#"
            + [red, green, blue].map { part in
                let digits = String(part, radix: 16)
                return digits.count < 2 ? "0" + digits : digits
            }
            .joined()
    }
}

/// Stores colours as three bytes.
struct ColorTransformer: ValueTransformer {
    /// The name by which the model asks for it.
    static let name = "Color"

    func data(for value: GraphValue) throws -> Data {
        guard case .opaque(let color as Color) = value else {
            throw ObjectGraphError(.wrongValueKind, "\(value.kindAtStart) is not a colour.")
        }
        return Data([color.red, color.green, color.blue])
    }

    func value(for data: Data) throws -> GraphValue {
        let parts = [UInt8](data)
        guard parts.count == 3 else {
            throw ObjectGraphError(.damagedFile, "A colour has 3 bytes, not \(parts.count).")
        }
        return .opaque(Color(parts[0], parts[1], parts[2]))
    }
}
