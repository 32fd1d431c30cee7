import ObjectModel

extension ModelGenerator {
    /// The file with a structure for each composite type.
    func compositesText() -> String {
        var needsFoundation = false
        var body = ""
        for (name, attributes) in model.composites.sorted(by: { $0.key < $1.key }) {
            let elements = attributes.compactMap { $0 as? AttributeDescription }
                .sorted { $0.name < $1.name }.map { CompositeElement($0) }
            needsFoundation = needsFoundation || elements.contains(where: \.needsFoundation)
            body += compositeText(name, elements)
        }
        return "\(ModelGenerator.mark); do not edit.\n\n"
            + imports(shown: modules + (needsFoundation ? ["FoundationEssentials"] : [])) + body
    }

    private func compositeText(_ name: String, _ elements: [CompositeElement]) -> String {
        let isSendable = !elements.contains { $0.base == "Value" }
        let conformances = "ValueConvertible, Hashable" + (isSendable ? ", Sendable" : "")
        var text = "\n/// The composite type \(name).\n"
        text += "\(prefix)struct \(name): \(conformances) {\n"
        for element in elements {
            text += "    \(prefix)var \(element.declared): \(element.type)\n"
        }
        let parameters = elements.map { "        \($0.declared): \($0.type) = \($0.zero)" }
        text += "\n    \(prefix)init(\n" + parameters.joined(separator: ",\n") + "\n    ) {\n"
        for element in elements {
            text += "        self.\(element.declared) = \(element.declared)\n"
        }
        text += "    }\n\n    \(prefix)init?(value: Value) {\n"
        text += "        guard case .dictionary(let elements) = value else { return nil }\n"
        for element in elements {
            text += "        \(element.declared) = \(element.decoding)\n"
        }
        text += "    }\n\n    \(prefix)var value: Value {\n        .dictionary([\n"
        for element in elements {
            text += "            \"\(element.name)\": \(element.encoding),\n"
        }
        text += "        ])\n    }\n}\n\n"
        text += "// Names for predicates and sort descriptors.\nextension \(name) {\n"
        for element in elements {
            text += block(
                "    \(prefix)static var \(element.declared): Key<\(name), \(element.type)>",
                "Key(\"\(element.name)\")"
            )
        }
        return text + "}\n"
    }
}

/// How a structure holds one element of a composite type.
private struct CompositeElement {
    let name: String
    let base: String
    let isOptional: Bool
    let zero: String
    let needsFoundation: Bool

    init(_ attribute: AttributeDescription) {
        let accessor = AttributeAccessor(attribute, slot: 0)
        name = attribute.name
        needsFoundation = accessor.needsFoundation
        switch attribute.type {
        case .transformable, .undefined, .objectID:
            base = "Value"
            isOptional = false
            zero = ".null"
        case .composite:
            base = accessor.base
            isOptional = accessor.isOptional
            zero = isOptional ? "nil" : "\(base)()"
        default:
            base = accessor.base
            isOptional = accessor.isOptional
            zero = isOptional ? "nil" : AttributeAccessor.zero(attribute.type) ?? "nil"
        }
    }

    var declared: String { SwiftName.escaped(name) }

    var type: String { isOptional ? base + "?" : base }

    var decoding: String {
        let read = "elements[\"\(name)\"]"
        if base == "Value" { return "\(read) ?? .null" }
        return "\(base)(value: \(read) ?? .null)" + (isOptional ? "" : " ?? \(zero)")
    }

    var encoding: String {
        if base == "Value" { return declared }
        return isOptional ? "\(declared)?.value ?? .null" : "\(declared).value"
    }
}
