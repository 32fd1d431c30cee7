import ObjectModel

extension ModelGenerator {
    /// What begins and ends the properties of a class in its file.
    static let opening = "    // Properties of the model, written by modelgen."
    static let closing = "    // End of the properties of the model."

    /// The file of a class, as it is made once.
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
        let properties = propertiesText(entity)
        // Only what the file itself names may be imported.
        var text = ""
        if parent == "ManagedObject" || !properties.isEmpty {
            text = imports(
                shown: modules + (needsFoundation(entity) ? ["FoundationEssentials"] : [])
            )
            text += "\n"
        } else if namesEntity {
            text = imports(shown: [], hidden: modules) + "\n"
        }
        text += "/// The objects of the entity \(entity.name).\n"
        text += "\(modifier)class \(name): \(parent) {"
        if !namesEntity, properties.isEmpty { return text + "}\n" }
        text += "\n" + properties
        guard namesEntity else { return text + "}\n" }
        if !properties.isEmpty { text += "\n" }
        let head = isLeaf || access != .public ? "override \(prefix)" : "override open "
        text += block("    \(head)class var entityName: String", SwiftCode.string(entity.name).line)
        return text + "}\n"
    }

    /// The properties that a class declares, between the lines by which they are found again;
    /// empty without any.
    func propertiesText(_ entity: EntityDescription) -> String {
        let declarations = entity.classProperties.compactMap(declaration)
        if declarations.isEmpty { return "" }
        var text = ModelGenerator.opening + "\n"
        for (index, lines) in declarations.enumerated() {
            // A comment stands apart from the declaration above it.
            if index > 0, lines.count > 1 || declarations[index - 1].count > 1 { text += "\n" }
            text += lines.map { "    \($0)\n" }.joined()
        }
        return text + ModelGenerator.closing + "\n"
    }

    /// Whether a class declares properties of Foundation's types.
    func needsFoundation(_ entity: EntityDescription) -> Bool {
        entity.classProperties.contains { property in
            (property as? AttributeDescription).map { AttributeSwiftType($0).needsFoundation }
                ?? false
        }
    }

    /// The lines that declare a property, its documentation first.
    private func declaration(_ property: PropertyDescription) -> [String]? {
        let (wrapper, type, setter): (String, String, String)
        switch property {
        case let attribute as AttributeDescription:
            let swift = AttributeSwiftType(attribute)
            (wrapper, type) = (swift.wrapper, swift.type)
            setter = attribute.isDerived && access != .internal ? "private(set) " : ""
        case let relationship as RelationshipDescription:
            (wrapper, type, setter) = ("Managed", self.type(relationship), "")
        case let fetched as FetchedPropertyDescription:
            let target = model.entity(named: fetched.fetchRequest.entityName)?.nearestClass
            (wrapper, type, setter) = ("Fetched", "[\(target ?? "ManagedObject")]", "")
        default: return nil
        }
        let name = SwiftName.escaped(property.name)
        let head = "@\(wrapper)(\"\(property.name)\")"
        let tail = "\(prefix)\(setter)var \(name): \(type)"
        let fits = head.count + tail.count + 5 <= SwiftCode.width
        return documentation(property) + (fits ? ["\(head) \(tail)"] : [head, tail])
    }

    /// The words about a property that the model carries, as documentation: the first sentence,
    /// an empty line, the rest.
    private func documentation(_ property: PropertyDescription) -> [String] {
        guard let words = property.userInfo["documentation"] else { return [] }
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
        return paragraphs.map { $0.isEmpty ? "///" : "/// \($0)" }
    }

    private func destinationClass(_ relationship: RelationshipDescription) -> String {
        relationship.destination?.nearestClass ?? "ManagedObject"
    }

    private func type(_ relationship: RelationshipDescription) -> String {
        let type = destinationClass(relationship)
        guard relationship.isToMany else { return type + "?" }
        return relationship.isOrdered ? "[\(type)]" : "Set<\(type)>"
    }

    /// A head with one statement in braces, on one line if that fits.
    func block(_ head: String, _ body: String) -> String {
        if let line = fitting(head, body) { return line }
        let margin = String(head.split(separator: "\n").last?.prefix { $0 == " " } ?? "")
        return "\(head) {\n\(margin)    \(body)\n\(margin)}\n"
    }

    /// The same on one line; `nil` if it does not fit.
    func fitting(_ head: String, _ body: String) -> String? {
        let last = head.split(separator: "\n").last?.count ?? 0
        return last + body.count + 5 <= SwiftCode.width ? "\(head) { \(body) }\n" : nil
    }
}
