import FoundationEssentials
import ObjectModel
import ObjectStore
import XMLReading

/// Writes the nodes of an XML store.
struct XMLStoreWriting {
    private let store: XMLStore

    /// The version of the layout, as Core Data writes it.
    private static let version = 134_481_920

    init(_ store: XMLStore) { self.store = store }

    func data() throws -> Data {
        let nodes = store.cacheNodes
        var writer = XMLWriter(capacity: 1024 + 512 * nodes.count)
        writer.add(
            markup: """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

                <database>
                    <databaseInfo>

                """
        )
        writer.add("        <version>\(XMLStoreWriting.version)</version>\n")
        writer.add("        <UUID>\(store.metadata.storeIdentifier?.uuidString ?? "")</UUID>\n")
        writer.add("        <nextObjectID>\(store.nextReferenceNumber)</nextObjectID>\n")
        writer.add(markup: "        <metadata>\n            <plist version=\"1.0\">\n")
        let listed = store.metadata.filter { $0.key != StoreMetadataKey.identifier }
        try PropertyListXML.write(
            .dictionary(listed),
            to: &writer,
            indent: "                "
        )
        writer.add(markup: "            </plist>\n        </metadata>\n    </databaseInfo>\n")
        let forms = Dictionary(
            store.entities.map { ($0.number, Form($0)) }
        ) { first, _ in first }
        for node in nodes {
            if let form = forms[node.entity.number] { try write(node, form, to: &writer) }
        }
        writer.add(markup: "</database>\n")
        return writer.data
    }

    private func write(
        _ node: AtomicStoreCacheNode,
        _ form: Form,
        to writer: inout XMLWriter
    ) throws {
        writer.add(form.start)
        writer.add(text: identifier(node.objectID))
        writer.add(markup: "\">\n")
        for (property, start) in form.properties {
            switch property {
            case let attribute as AttributeDescription:
                let value = node.values[attribute.slot]
                if value.isNull { continue }
                writer.add(start)
                try write(value, attribute, to: &writer)
            case let relationship as RelationshipDescription:
                writer.add(start)
                let ids = try node.destinations(relationship)
                if !ids.isEmpty {
                    writer.add(markup: " idrefs=\"")
                    for (place, id) in ids.enumerated() {
                        if place > 0 { writer.add(markup: " ") }
                        writer.add(text: identifier(id))
                    }
                    writer.add(markup: "\"")
                }
                writer.add(markup: "></relationship>\n")
            default: continue
            }
        }
        writer.add(markup: "    </object>\n")
    }

    private func write(
        _ value: GraphValue,
        _ attribute: AttributeDescription,
        to writer: inout XMLWriter
    ) throws {
        let text = try ValueText.text(value, of: attribute)
        if case .string = value, !XMLWriter.canHold(text) {
            writer.add(markup: " encoding=\"base64\">")
            writer.add(Data(text.utf8).base64EncodedString())
        } else {
            writer.add(markup: ">")
            writer.add(text: text)
        }
        writer.add(markup: "</attribute>\n")
    }

    private func identifier(_ id: ManagedObjectID) -> String {
        switch store.referenceObject(for: id) {
        case .number(let number): "z\(number)"
        case .text(let text): text
        }
    }

    /// The markup of an entity's elements up to the values.
    private struct Form {
        let start: String
        let properties: [(property: PropertyDescription, start: String)]

        init(_ entity: EntityDescription) {
            start = "    <object type=\"\(Form.escaped(entity.name.uppercased()))\" id=\""
            properties = entity.storedProperties.map { property in
                let name = Form.escaped(property.name.lowercased())
                switch property {
                case let relationship as RelationshipDescription:
                    let counts =
                        relationship.isToMany
                        ? "\(relationship.minCount)/\(relationship.maxCount)" : "1/1"
                    let destination = Form.escaped(
                        (relationship.destination?.name ?? "").uppercased()
                    )
                    return (
                        property,
                        "        <relationship name=\"\(name)\" type=\"\(counts)\""
                            + " destination=\"\(destination)\""
                    )
                default:
                    let type = (property as? AttributeDescription)?.type ?? .undefined
                    return (
                        property,
                        "        <attribute name=\"\(name)\" type=\"\(type.xmlName)\""
                    )
                }
            }
        }

        private static func escaped(_ text: String) -> String {
            var writer = XMLWriter()
            writer.add(text: text)
            return String(decoding: writer.data, as: UTF8.self)
        }
    }
}
