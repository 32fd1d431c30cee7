import ObjectModel

extension ModelReader {
    mutating func readAttribute(
        _ element: ContentsElement,
        of owner: String
    ) throws -> AttributeDescription {
        var element = element
        let name = try name(of: &element)
        let place = ModelPlace.property(name, of: owner)
        let typeName = element.take("attributeType") ?? "Undefined"
        let type = AttributeType(editorName: typeName)
        if type == nil {
            result.unreadable.insert(place)
            report(
                element,
                place,
                "The attribute type \"\(typeName)\" is not known.",
                "Use one of the editor's types, such as String or Integer 64."
            )
        }
        let attribute = AttributeDescription(name, type ?? .undefined)
        readCommon(&element, into: attribute)
        attribute.usesScalarType = element.takeFlag("usesScalarValueType")
        attribute.valueTransformerName = element.take("valueTransformerName")
        attribute.valueClassName = element.take("customClassName")
        attribute.allowsExternalStorage = element.takeFlag("allowsExternalBinaryDataStorage")
        attribute.preservesValueOnDeletion = element.takeFlag("preserveAfterDeletion")
        attribute.allowsCloudEncryption = element.takeFlag("allowsCloudEncryption")
        attribute.compositeName = element.take("composite")
        attribute.derivation = element.take("derivationExpression")
        if element.takeFlag("derived"), attribute.derivation == nil {
            report(
                element,
                place,
                "The derived attribute has no expression.",
                "Give an expression."
            )
        }
        readValues(&element, place, into: attribute)
        keep(element, at: place)
        return attribute
    }

    mutating func readRelationship(
        _ element: ContentsElement,
        of owner: String
    ) throws -> RelationshipDescription {
        var element = element
        let name = try name(of: &element)
        let place = ModelPlace.property(name, of: owner)
        let relationship = RelationshipDescription(
            name,
            to: element.take("destinationEntity") ?? "",
            inverse: element.take("inverseName")
        )
        readCommon(&element, into: relationship)
        // The inverse's entity is the destination or one of its ancestors.
        _ = element.take("inverseEntity")
        let isToMany = element.takeFlag("toMany")
        relationship.maxCount =
            readCount(&element, "maxCount", place, default: isToMany ? 0 : 1)
        relationship.minCount = readCount(&element, "minCount", place, default: 0)
        relationship.isOrdered = element.takeFlag("ordered")
        let rule = element.take("deletionRule") ?? DeleteRule.nullify.editorName
        if let known = DeleteRule(editorName: rule) {
            relationship.deleteRule = known
        } else {
            report(
                element,
                place,
                "The delete rule \"\(rule)\" is not known.",
                "Use No Action, Nullify, Cascade or Deny."
            )
        }
        keep(element, at: place)
        return relationship
    }

    mutating func readFetchedProperty(
        _ element: ContentsElement,
        of owner: String
    ) throws -> FetchedPropertyDescription {
        var element = element
        let name = try name(of: &element)
        let place = ModelPlace.property(name, of: owner)
        let requestPlace = ModelPlace.request(ofFetchedProperty: name, of: owner)
        var request: FetchDescription?
        for var child in element.children where child.name == "fetchRequest" {
            if let name = child.take("name") { result.extras[requestPlace] = ["name": name] }
            request = readRequest(child, at: requestPlace)
        }
        if request == nil {
            result.unreadable.insert(place)
            report(element, place, "The property has no fetch request.", "Give it one.")
        }
        let property = FetchedPropertyDescription(name, request ?? FetchDescription(entityName: ""))
        readCommon(&element, into: property)
        keep(element, at: place)
        return property
    }

    private func readCommon(_ element: inout ContentsElement, into property: PropertyDescription) {
        property.isOptional = element.takeFlag("optional")
        property.isTransient = element.takeFlag("transient")
        property.isIndexed = element.takeFlag("indexed")
        property.isSearched = element.takeFlag("spotlightIndexed")
        property.renamingIdentifier = element.take("elementID")
        property.versionHashModifier = element.take("versionHashModifier")
        if let info = element.children.first(where: { $0.name == "userInfo" }) {
            property.userInfo = readUserInfo(info)
        }
    }

    private mutating func readCount(
        _ element: inout ContentsElement,
        _ key: String,
        _ place: ModelPlace,
        default absent: Int
    ) -> Int {
        guard let text = element.take(key) else { return absent }
        if let count = Int(text), count >= 0 { return count }
        report(element, place, "\(key) is \"\(text)\".", "Give a whole number.")
        return absent
    }
}
