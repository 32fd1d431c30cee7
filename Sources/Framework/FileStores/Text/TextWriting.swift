import FoundationEssentials
import ObjectModel
import ObjectStore

struct TextWriting {
    static let header = "# ObjectGraph text store "
    static let version = 1
    /// The last line, without which a file was cut off.
    static let end = "# end"

    private let store: TextStore

    init(_ store: TextStore) { self.store = store }

    func data() throws -> Data {
        let nodes = store.cacheNodes
        var data = Data()
        data.reserveCapacity(64 + 128 * nodes.count)
        data.append(contentsOf: "\(TextWriting.header)\(TextWriting.version)\n".utf8)
        let properties = Dictionary(
            store.entities.map { entity in (entity.number, entity.storedProperties.map(Form.init)) }
        ) { first, _ in first }
        var line = ""
        for node in nodes {
            line.removeAll(keepingCapacity: true)
            line += TextEscaping.escaped(node.entity.name)
            line += "|"
            line += reference(node.objectID)
            for form in properties[node.entity.number] ?? [] {
                if let value = try text(of: form.property, node) {
                    line += form.start
                    line += value
                }
            }
            line += "\n"
            line.withUTF8 { data.append($0) }
        }
        data.append(contentsOf: "\(TextWriting.end)\n".utf8)
        return data
    }

    private struct Form {
        let property: PropertyDescription
        let start: String

        init(_ property: PropertyDescription) {
            self.property = property
            start = "|\(TextEscaping.escaped(property.name))="
        }
    }

    /// The text of a property; `nil` if the line does not have it.
    private func text(
        of property: PropertyDescription,
        _ node: AtomicStoreCacheNode
    ) throws -> String? {
        if let attribute = property as? AttributeDescription {
            let value = node.values[attribute.slot]
            if value.isNull { return nil }
            return TextEscaping.escaped(try ValueText.text(value, of: attribute))
        }
        guard let relationship = property as? RelationshipDescription,
            !relationship.isToMany || relationship.isWritten
        else { return nil }
        let ids = try node.destinations(relationship)
        return ids.isEmpty ? nil : ids.map { reference($0) }.joined(separator: ",")
    }

    private func reference(_ id: ManagedObjectID) -> String {
        switch store.referenceObject(for: id) {
        case .number(let number): return "\(number)"
        case .text(let text):
            let isAmbiguous = ReferenceObject.isNumber(text)
            return (isAmbiguous ? "\\" : "") + TextEscaping.escaped(text)
        }
    }
}
