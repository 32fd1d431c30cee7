import ObjectModel

extension ModelGenerator {
    /// The file with a structure for each composite type.
    func compositesText() -> String {
        var needsFoundation = false
        var body = ""
        for (name, attributes) in model.composites.sorted(by: { $0.key < $1.key }) {
            let elements = attributes.compactMap { $0 as? AttributeDescription }
                .sorted { $0.name < $1.name }.map { GeneratedElement($0) }
            needsFoundation = needsFoundation || elements.contains(where: \.needsFoundation)
            body += compositeText(name, elements)
        }
        return "\(ModelGenerator.mark); do not edit.\n\n"
            + imports(shown: modules + (needsFoundation ? ["FoundationEssentials"] : [])) + body
    }

    private func compositeText(_ name: String, _ elements: [GeneratedElement]) -> String {
        let isSendable = !elements.contains { $0.base == "GraphValue" }
        let conformances = "CompositeValue, Hashable" + (isSendable ? ", Sendable" : "")
        var text = "\n/// The composite type \(name).\n"
        text += "\(prefix)struct \(name): \(conformances) {\n"
        for element in elements {
            text += "    \(prefix)var \(element.declared): \(element.type)\n"
        }
        text += "\n    \(prefix)init() { self.init(\(elements.first?.declared ?? ""): "
        text += "\(elements.first?.zero ?? "")) }\n"
        let parameters = elements.map { "        \($0.declared): \($0.type) = \($0.zero)" }
        text += "\n    \(prefix)init(\n" + parameters.joined(separator: ",\n") + "\n    ) {\n"
        for element in elements {
            text += "        self.\(element.declared) = \(element.declared)\n"
        }
        text += "    }\n\n    \(prefix)static let elements: [CompositeElement<\(name)>] = [\n"
        for element in elements {
            text += "        CompositeElement(\"\(element.name)\", \\.\(element.declared)),\n"
        }
        return text + "    ]\n}\n"
    }
}

/// How a structure holds one element of a composite type.
private struct GeneratedElement {
    let name: String
    let base: String
    let isOptional: Bool
    let zero: String
    let needsFoundation: Bool

    init(_ attribute: AttributeDescription) {
        let swift = AttributeSwiftType(attribute)
        name = attribute.name
        needsFoundation = swift.needsFoundation
        switch attribute.type {
        case .transformable, .undefined, .objectID:
            base = "GraphValue"
            isOptional = false
            zero = ".null"
        default:
            base = swift.base
            isOptional = swift.isOptional
            zero = isOptional ? "nil" : swift.zero ?? "nil"
        }
    }

    var declared: String { SwiftName.escaped(name) }

    var type: String { isOptional ? base + "?" : base }
}
