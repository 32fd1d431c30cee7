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
        let forms = Dictionary(
            store.entities.map { ($0.number, TextForm($0)) }
        ) { first, _ in first }
        var line: [UInt8] = []
        for node in nodes {
            guard let form = forms[node.entity.number] else { continue }
            line.removeAll(keepingCapacity: true)
            line += form.name
            line += "|\(reference(node.objectID))".utf8
            for property in form.properties {
                if let value = try text(of: property.property, node) {
                    line.append(UInt8(ascii: "|"))
                    line += property.start
                    line += value.utf8
                }
            }
            line.append(UInt8(ascii: "\n"))
            data.append(contentsOf: line)
        }
        data.append(contentsOf: "\(TextWriting.end)\n".utf8)
        return data
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
