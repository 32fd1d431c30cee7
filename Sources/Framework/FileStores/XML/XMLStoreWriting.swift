import FoundationEssentials
import ObjectModel
import ObjectStore
import XMLReading

struct XMLStoreWriting {
    private let store: XMLStore

    /// The version of the layout, as Core Data writes it.
    private static let version = 134_481_920

    /// What a document begins with.
    static let start: StaticString = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>

        """

    init(_ store: XMLStore) { self.store = store }

    func data() throws -> Data {
        let nodes = store.cacheNodes
        var writer = XMLWriter(capacity: 1024 + 512 * nodes.count)
        writer.add(markup: XMLStoreWriting.start)
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
            store.entities.map { ($0.number, XMLEntity($0)) }
        ) { first, _ in first }
        for node in nodes {
            if let form = forms[node.entity.number] { try write(node, form, to: &writer) }
        }
        writer.add(markup: "</database>\n")
        return writer.data
    }

    private func write(
        _ node: AtomicStoreCacheNode,
        _ form: XMLEntity,
        to writer: inout XMLWriter
    ) throws {
        writer.add(markup: form.markup)
        writer.add(text: identifier(node.objectID))
        writer.add(markup: "\">\n")
        for property in form.properties {
            switch property.property {
            case let attribute as AttributeDescription:
                let value = node.values[attribute.slot]
                if value.isNull { continue }
                writer.add(markup: property.markup)
                try write(value, attribute, to: &writer)
            case let relationship as RelationshipDescription:
                writer.add(markup: property.markup)
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
}
