import ObjectModel
import ObjectStore
import XMLReading

/// The names of an entity in the file, in the form in which they are compared and written.
final class XMLEntity {
    struct Property {
        let property: PropertyDescription
        let name: ContiguousArray<UInt8>
        /// What is written of the property's element before its content or its destinations:
        /// `        <attribute name="title" type="string"`.
        let markup: ContiguousArray<UInt8>
    }

    let entity: EntityDescription
    let name: ContiguousArray<UInt8>
    /// What is written of an object before its ID: `    <object type="TASK" id="`.
    let markup: ContiguousArray<UInt8>
    let properties: [Property]

    init(_ entity: EntityDescription) {
        self.entity = entity
        let type = entity.name.uppercased()
        name = ContiguousArray(type.utf8)
        markup = XMLEntity.markup("    <object type=\"", type, "\" id=\"")
        properties = entity.storedProperties.map { property in
            let name = property.name.lowercased()
            return Property(
                property: property,
                name: ContiguousArray(name.utf8),
                markup: XMLEntity.markup(of: property, name)
            )
        }
    }

    private static func markup(
        of property: PropertyDescription,
        _ name: String
    ) -> ContiguousArray<UInt8> {
        if let relationship = property as? RelationshipDescription {
            let counts =
                relationship.isToMany
                ? "\(relationship.minCount)/\(relationship.maxCount)" : "1/1"
            let destination = (relationship.destination?.name ?? "").uppercased()
            return markup("        <relationship name=\"", name, "\" type=\"\(counts)\"")
                + markup(" destination=\"", destination, "\"")
        }
        let type = (property as? AttributeDescription)?.type ?? .undefined
        return markup("        <attribute name=\"", name, "\" type=\"\(type.xmlName)\"")
    }

    /// Markup around an escaped name.
    private static func markup(
        _ before: String,
        _ name: String,
        _ after: String
    ) -> ContiguousArray<UInt8> {
        var writer = XMLWriter()
        writer.add(before)
        writer.add(text: name)
        writer.add(after)
        return ContiguousArray(writer.data)
    }

    /// The place of a property among ``properties``.
    ///
    /// - Parameters:
    ///   - name: in lower case.
    ///   - hint: where it probably is: behind the one before it.
    /// - Returns: `nil` if the entity does not have it.
    func place(of name: XMLName, near hint: Int) -> Int? {
        if hint < properties.count, name.isEqual(to: properties[hint].name) { return hint }
        return properties.indices.first { name.isEqual(to: properties[$0].name) }
    }
}
