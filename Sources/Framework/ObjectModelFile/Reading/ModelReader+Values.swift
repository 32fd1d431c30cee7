import FoundationEssentials
import ObjectModel

extension ModelReader {
    /// Reads default, bounds and pattern.
    mutating func readValues(
        _ element: inout ContentsElement,
        _ place: ModelPlace,
        into attribute: AttributeDescription
    ) {
        if let text = element.take("defaultValueString") {
            attribute.defaultValue =
                value(text, attribute.type) ?? refuse(element, place, "default", text, attribute)
        }
        if let text = element.take("defaultDateTimeInterval") {
            attribute.defaultValue =
                date(text) ?? refuse(element, place, "default", text, attribute)
        }
        var rules: [ValidationRule] = []
        if let rule = readBound(&element, place, attribute, isMinimum: true) { rules.append(rule) }
        if let rule = readBound(&element, place, attribute, isMinimum: false) { rules.append(rule) }
        if let pattern = element.take("regularExpressionString") { rules.append(.pattern(pattern)) }
        attribute.rules = rules
    }

    private mutating func readBound(
        _ element: inout ContentsElement,
        _ place: ModelPlace,
        _ attribute: AttributeDescription,
        isMinimum: Bool
    ) -> ValidationRule? {
        let prefix = isMinimum ? "min" : "max"
        let text = element.take(prefix + "ValueString")
        let interval = element.take(prefix + "DateTimeInterval")
        guard let found = text ?? interval, !found.isEmpty else { return nil }
        if attribute.type == .string, let length = Int(found) {
            return isMinimum ? .minimumLength(length) : .maximumLength(length)
        }
        let bound = attribute.type == .date ? date(found) : value(found, attribute.type)
        guard attribute.type != .string, let bound else {
            _ = refuse(element, place, isMinimum ? "minimum" : "maximum", found, attribute)
            return nil
        }
        return isMinimum ? .minimum(bound) : .maximum(bound)
    }

    private mutating func refuse(
        _ element: ContentsElement,
        _ place: ModelPlace,
        _ what: String,
        _ text: String,
        _ attribute: AttributeDescription
    ) -> GraphValue {
        switch attribute.type {
        // Of an unknown type nothing can be said; the lack of one is reported with the model.
        case .undefined: break
        case .binary, .transformable, .composite, .objectID:
            report(
                element,
                place,
                "\(attribute.type.shownName) has no \(what) in a model file, and this one is \"\(text)\".",
                "Remove the \(what), or change the type."
            )
        default:
            report(
                element,
                place,
                "The \(what) \"\(text)\" is not \(attribute.type.nameWithArticle).",
                "Change the \(what) or the type."
            )
        }
        return .null
    }

    private func date(_ text: String) -> GraphValue? {
        Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    }

    /// A value from the editor's spelling; `nil` if it is not of the type.
    private func value(_ text: String, _ type: AttributeType) -> GraphValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            let number = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
            return number.map { .int($0) }
        case .decimal: return Decimal(string: text).map { .decimal($0) }
        case .double, .float: return Double(text).map { .double($0) }
        case .boolean:
            switch text.uppercased() {
            case "YES", "TRUE", "1": return .bool(true)
            case "NO", "FALSE", "0": return .bool(false)
            default: return nil
            }
        case .string: return .string(text)
        case .date: return date(text)
        case .uuid: return UUID(uuidString: text).map { .uuid($0) }
        case .uri: return URL(string: text).map { .url($0) }
        default: return nil
        }
    }
}
