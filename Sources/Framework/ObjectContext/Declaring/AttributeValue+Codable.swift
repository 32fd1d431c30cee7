import FoundationEssentials
public import ObjectModel

// A structure, or an enumeration with associated values, that is `Codable` is kept as JSON with
// sorted keys, so that equal values are equal data. What a type says itself counts before this; a raw
// value and the elements of a composite do too, so they are said again where both fit.

extension AttributeValue where Self: Codable {
    @_disfavoredOverload
    public static var attributeType: AttributeType { .binary }

    /// JSON; a value that cannot be encoded is refused by the save.
    @_disfavoredOverload
    public var value: GraphValue {
        do {
            return .data(try CodableForm.encoder.encode(self))
        } catch {
            return .opaque(CodableForm.Failure())
        }
    }

    @_disfavoredOverload
    public init?(value: GraphValue) {
        guard case .data(let data) = value,
            let decoded = try? CodableForm.decoder.decode(Self.self, from: data)
        else { return nil }
        self = decoded
    }
}

extension AttributeValue where Self: RawRepresentable & Codable, RawValue: AttributeValue {
    public static var attributeType: AttributeType { RawValue.attributeType }
    public var value: GraphValue { rawValue.value }

    public init?(value: GraphValue) {
        guard let raw = RawValue(value: value) else { return nil }
        self.init(rawValue: raw)
    }
}

private enum CodableForm {
    /// Stands for a value that could not be encoded.
    final class Failure {}

    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return encoder
    }()

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return decoder
    }()
}
