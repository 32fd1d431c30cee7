import ObjectModel

extension ModelReader {
    mutating func readEntity(_ element: ContentsElement) throws {
        var element = element
        let name = try name(of: &element)
        let entity = EntityDescription(name)
        entity.className = className(element.take("representedClassName"))
        entity.isAbstract = element.takeFlag("isAbstract")
        entity.superentityName = element.take("parentEntity")
        entity.renamingIdentifier = element.take("elementID")
        entity.versionHashModifier = element.take("versionHashModifier")
        entity.codeGenerationType = element.take("codeGenerationType")
        entity.displayNameExpression = element.take("coreSpotlightDisplayNameExpression")
        keep(element, at: .entity(name))
        for child in element.children {
            switch child.name {
            case "attribute": entity.add(try readAttribute(child, of: name))
            case "relationship": entity.add(try readRelationship(child, of: name))
            case "fetchedProperty": entity.add(try readFetchedProperty(child, of: name))
            case "fetchIndex": entity.indexes.append(try readIndex(child, of: name))
            case "uniquenessConstraints":
                entity.uniquenessConstraints += lists(in: child, of: "uniquenessConstraint")
            case "compoundIndexes":
                result.compoundIndexes[name, default: []] += lists(in: child, of: "compoundIndex")
            case "userInfo": entity.userInfo = readUserInfo(child)
            default: reportUnknown(child, in: .entity(name))
            }
        }
        result.model.add(entity)
    }

    /// The editor writes the base class as no attribute, as an empty text or by its own name.
    private func className(_ name: String?) -> String {
        guard let name, !name.isEmpty, name != "NSManagedObject" else { return "ManagedObject" }
        return name
    }

    /// The values of the children's children: `<list><constraint value="a"/>…</list>…`.
    private func lists(in element: ContentsElement, of name: String) -> [[String]] {
        element.children.filter { $0.name == name }
            .map { list in list.children.compactMap { $0.attributes["value"] } }
    }

    private mutating func readIndex(
        _ element: ContentsElement,
        of entity: String
    ) throws -> FetchIndexDescription {
        var element = element
        let name = try name(of: &element)
        let place = ModelPlace.index(name, of: entity)
        var index = FetchIndexDescription(name, [])
        if let text = element.take("partialIndexPredicate"), !text.isEmpty {
            index.partialPredicate = readPredicate(text, element, place)
        }
        keep(element, at: place)
        for (number, child) in element.children.enumerated() {
            var child = child
            let property = child.take("property")
            let expression = child.take("expression")
            guard child.name == "fetchIndexElement", let text = property ?? expression else {
                report(child, place, "An element names no property.", "Name one.")
                continue
            }
            let type = child.take("type") ?? "Binary"
            let collation = FetchIndexDescription.CollationType(rawValue: type)
            if collation == nil {
                report(
                    child,
                    place,
                    "The collation \"\(type)\" is not known.",
                    "Use Binary or RTree."
                )
            }
            index.elements.append(
                FetchIndexDescription.Element(
                    text,
                    isExpression: property == nil,
                    collation: collation ?? .binary,
                    ascending: child.take("order") != "descending"
                )
            )
            keep(child, at: .indexElement(number, of: place))
        }
        return index
    }
}
