import FoundationEssentials
import ObjectGraph
import ObjectModel
import ObjectModelFile
import ObjectStore

/// Property lists and JSON values.
extension ParserEntry {
    static let lists = [
        ParserEntry("property-list") { bytes in
            let data = Data(bytes)
            _ = try? PropertyListText.value("_XCCurrentVersionName", in: data)
            let metadata = try MetadataBytes.metadata(data)
            let written = try MetadataBytes.data(metadata)
            let again = try read("metadata") { _ in try MetadataBytes.metadata(written) }
            try keeps(
                "\(StableText(.dictionary(again)))" == "\(StableText(.dictionary(metadata)))",
                "metadata that are written and read are others"
            )
        },
        ParserEntry("transformable") { bytes in
            guard let transformer = ValueTransformers.named(nil) else { return }
            let value = try transformer.value(for: Data(bytes))
            let data = try transformer.data(for: value)
            let again = try read("a value") { _ in try transformer.value(for: data) }
            try keeps(
                "\(StableText(again))" == "\(StableText(value))",
                "a value that is written and read is another one: \(value), \(again)"
            )
        },
        ParserEntry("json-value") { bytes in _ = try GraphValue(json: Data(bytes)) },
    ]
}

/// A value as a text, the same for equal values; NaN is equal to itself here.
private struct StableText: CustomStringConvertible {
    let description: String

    init(_ value: GraphValue) {
        switch value {
        case .double(let number): description = "double \(number)"
        case .date(let date): description = "date \(date.timeIntervalSinceReferenceDate)"
        case .array(let values): description = "\(values.map { StableText($0).description })"
        case .set(let values):
            description = "set \(values.map { StableText($0).description }.sorted())"
        case .dictionary(let values):
            let pairs = values.map { "\($0.key.debugDescription): \(StableText($0.value))" }
            description = "{\(pairs.sorted())}"
        default: description = "\(value)"
        }
    }
}
