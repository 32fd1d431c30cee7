import ObjectModel

extension ModelGenerator {
    /// The human file: the class, for people to go on with.
    func classText(_ entity: EntityDescription) -> String {
        let name = entity.swiftName
        let parent = entity.classParent?.swiftName ?? "ManagedObject"
        let isLeaf = entity.subentities.isEmpty
        let modifier =
            switch access {
            case .public: isLeaf ? "public final " : "open "
            case .package: isLeaf ? "package final " : "package "
            case .internal: isLeaf ? "final " : ""
            }
        let namesEntity = entity.name != name
        // Only what the file itself names may be imported.
        var text = ""
        if parent == "ManagedObject" {
            text = imports(shown: modules) + "\n"
        } else if namesEntity {
            text = imports(shown: [], hidden: modules) + "\n"
        }
        text += "/// The objects of the entity \(entity.name).\n///\n"
        text += "/// Their properties are in `\(name)+Properties.swift`.\n"
        text += "\(modifier)class \(name): \(parent) {"
        guard namesEntity else { return text + "}\n" }
        let head = isLeaf || access != .public ? "override \(prefix)" : "override open "
        text += "\n"
        text += block(
            "    \(head)class var entityName: String",
            SwiftCode.string(entity.name).line
        )
        return text + "}\n"
    }

    /// The generated file: accessors and keys.
    func propertiesText(_ entity: EntityDescription) -> String {
        let name = entity.swiftName
        let properties = entity.classProperties
        var needsFoundation = false
        var members: [String] = []
        var keys: [String] = []
        for property in properties {
            let key: String
            switch property {
            case let attribute as AttributeDescription:
                let accessor = AttributeAccessor(attribute, slot: attribute.slot)
                needsFoundation = needsFoundation || accessor.needsFoundation
                members.append(attributeText(attribute, accessor))
                key = accessor.type
            case let relationship as RelationshipDescription:
                members.append(relationshipText(relationship, in: entity))
                key = keyType(relationship)
            case let fetched as FetchedPropertyDescription:
                members.append(fetchedText(fetched))
                continue
            default: continue
            }
            let declared = SwiftName.escaped(property.name)
            keys.append(
                block(
                    "    \(prefix)static var \(declared): Key<\(name), \(key)>",
                    "Key(\"\(property.name)\")"
                )
            )
        }
        var text = "\(ModelGenerator.mark); do not edit.\n"
        text += "// Hand-written code goes to \(name).swift.\n"
        guard !properties.isEmpty else { return text }
        let shown = modules + (needsFoundation ? ["FoundationEssentials"] : [])
        text += "\n" + imports(shown: shown) + "\n"
        text += "extension \(name) {\n" + members.joined(separator: "\n") + "}\n"
        if !keys.isEmpty {
            text += "\n// Names for predicates and sort descriptors.\n"
            text += "extension \(name) {\n" + keys.joined() + "}\n"
        }
        return text
    }

    /// The words about a property that the model carries, as documentation: the first sentence,
    /// an empty line, the rest.
    private func documentation(_ property: PropertyDescription) -> String {
        guard let words = property.userInfo["documentation"] else { return "" }
        var paragraphs: [String] = []
        var current = ""
        for word in words.split(whereSeparator: \.isWhitespace) {
            let isFull = "    /// \(current) \(word)".count > SwiftCode.width
            if isFull { paragraphs.append(current) }
            current = current.isEmpty || isFull ? String(word) : current + " " + word
            // Once: only the summary stands alone.
            if word.hasSuffix("."), !paragraphs.contains("") {
                paragraphs += [current, ""]
                current = ""
            }
        }
        if !current.isEmpty { paragraphs.append(current) }
        if paragraphs.last == "" { paragraphs.removeLast() }
        return paragraphs.map { $0.isEmpty ? "    ///\n" : "    /// \($0)\n" }.joined()
    }

    private func attributeText(
        _ attribute: AttributeDescription,
        _ accessor: AttributeAccessor
    ) -> String {
        let head =
            documentation(attribute)
            + "    \(prefix)var \(SwiftName.escaped(attribute.name)): \(accessor.type)"
        guard let setter = accessor.setter else { return block(head, accessor.getter) }
        return head + " {\n" + block("        get", accessor.getter)
            + block("        set", setter) + "    }\n"
    }

    private func destinationClass(_ relationship: RelationshipDescription) -> String {
        relationship.destination?.nearestClass ?? "ManagedObject"
    }

    private func keyType(_ relationship: RelationshipDescription) -> String {
        let type = destinationClass(relationship)
        guard relationship.isToMany else { return type + "?" }
        return relationship.isOrdered ? "[\(type)]" : "Set<\(type)>"
    }

    private func relationshipText(
        _ relationship: RelationshipDescription,
        in entity: EntityDescription
    ) -> String {
        let type = destinationClass(relationship)
        let slot = relationship.slot
        let name = SwiftName.escaped(relationship.name)
        let title = SwiftName.capitalized(relationship.name)
        let head = documentation(relationship) + "    \(prefix)var \(name): "
        guard relationship.isToMany else {
            return head + "\(type)? {\n"
                + "        get { toOne(\(type).self, at: \(slot)) }\n"
                + "        set { setToOne(newValue, at: \(slot)) }\n    }\n"
        }
        var text: String
        if relationship.isOrdered {
            text =
                head + "[\(type)] {\n"
                + "        get { orderedToMany(\(type).self, at: \(slot)) }\n"
                + "        set { setOrderedToMany(newValue, at: \(slot)) }\n    }\n"
                + function(
                    "insertInto\(title)(_ object: \(type), at index: Int)",
                    "insert(object, intoRelationshipAt: \(slot), at: index)"
                )
        } else {
            text =
                head + "Set<\(type)> {\n"
                + "        get { toMany(\(type).self, at: \(slot)) }\n"
                + "        set { setToMany(newValue, at: \(slot)) }\n    }\n"
        }
        text += function(
            "addTo\(title)(_ object: \(type))",
            "insert(object, intoRelationshipAt: \(slot))"
        )
        text += function(
            "removeFrom\(title)(_ object: \(type))",
            "remove(object, fromRelationshipAt: \(slot))"
        )
        let count = relationship.name + "Count"
        if entity.property(named: count) == nil {
            text += "\n"
            text += block("    \(prefix)var \(count): Int", "toManyCount(at: \(slot))")
        }
        return text
    }

    private func fetchedText(_ property: FetchedPropertyDescription) -> String {
        let type =
            model.entity(named: property.fetchRequest.entityName)?.nearestClass ?? "ManagedObject"
        let title = SwiftName.capitalized(property.name)
        return documentation(property)
            + "    \(prefix)func fetch\(title)() throws -> [\(type)] {\n"
            + "        try fetched(\(type).self, at: \(property.slot))\n    }\n"
    }

    /// A head with one statement in braces, on one line if that fits.
    func block(_ head: String, _ body: String) -> String {
        let last = head.split(separator: "\n").last.map(String.init) ?? head
        if last.count + body.count + 5 <= SwiftCode.width { return "\(head) { \(body) }\n" }
        let margin = String(last.prefix { $0 == " " })
        return "\(head) {\n\(margin)    \(body)\n\(margin)}\n"
    }

    /// A function of one line, with an empty line before it.
    private func function(_ signature: String, _ body: String) -> String {
        "\n    \(prefix)func \(signature) {\n        \(body)\n    }\n"
    }
}
