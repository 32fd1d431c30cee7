import FoundationEssentials
import ObjectModel

extension ModelWriter {
    mutating func write(_ attribute: AttributeDescription, of owner: String) throws {
        let place = ModelPlace.property(attribute.name, of: owner)
        var attributes: ContentsText.AttributeList = [
            ("name", attribute.name),
            ("optional", flag(attribute.isOptional)),
            ("transient", flag(attribute.isTransient)),
            ("attributeType", attribute.type.editorName),
        ]
        attributes += try bounds(of: attribute, place)
        if attribute.type == .date, case .date(let date) = attribute.defaultValue {
            let interval = String(date.timeIntervalSinceReferenceDate)
            attributes.append(("defaultDateTimeInterval", interval))
        } else if !attribute.defaultValue.isNull {
            attributes.append(("defaultValueString", try text(attribute.defaultValue, place)))
        }
        attributes += [
            ("usesScalarValueType", scalarFlag(attribute)),
            ("valueTransformerName", attribute.valueTransformerName),
            ("customClassName", attribute.valueClassName),
            ("allowsExternalBinaryDataStorage", flag(attribute.allowsExternalStorage)),
            ("preserveAfterDeletion", flag(attribute.preservesValueOnDeletion)),
            ("allowsCloudEncryption", flag(attribute.allowsCloudEncryption)),
            ("derived", flag(attribute.isDerived)),
            ("derivationExpression", attribute.derivation),
            ("composite", attribute.compositeName),
        ]
        attributes += common(attribute) + extras(at: place)
        output.element("attribute", attributes) { output in
            ModelWriter.write(attribute.userInfo, to: &output)
        }
    }

    mutating func write(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription
    ) throws {
        let isOne = relationship.maxCount == 1
        let hasInverse = relationship.inverseName != nil
        let attributes: ContentsText.AttributeList = [
            ("name", relationship.name),
            ("optional", flag(relationship.isOptional)),
            ("transient", flag(relationship.isTransient)),
            ("toMany", flag(!isOne)),
            ("minCount", relationship.minCount == 0 ? nil : String(relationship.minCount)),
            ("maxCount", relationship.maxCount == 0 ? nil : String(relationship.maxCount)),
            ("deletionRule", relationship.deleteRule.editorName),
            ("ordered", flag(relationship.isOrdered)),
            ("destinationEntity", relationship.destinationName),
            ("inverseName", relationship.inverseName),
            ("inverseEntity", hasInverse ? relationship.destinationName : nil),
        ]
        let place = ModelPlace.property(relationship.name, of: entity.name)
        output.element(
            "relationship",
            attributes + common(relationship) + extras(at: place)
        ) { output in
            ModelWriter.write(relationship.userInfo, to: &output)
        }
    }

    mutating func write(_ property: FetchedPropertyDescription, of owner: String) throws {
        let place = ModelPlace.property(property.name, of: owner)
        let requestPlace = ModelPlace.request(ofFetchedProperty: property.name, of: owner)
        let attributes: ContentsText.AttributeList =
            [
                ("name", property.name), ("optional", flag(property.isOptional)),
                ("transient", flag(property.isTransient)),
            ] + common(property) + extras(at: place)
        try group("fetchedProperty", attributes) { writer in
            // The editor writes a name for the request; the name has no effect.
            let name = writer.file.extras[requestPlace]?["name"]
            try writer.write(
                property.fetchRequest,
                named: name ?? "fetchedPropertyFetchRequest",
                at: requestPlace
            )
            writer.write(userInfo: property.userInfo)
        }
    }

    private func common(_ property: PropertyDescription) -> ContentsText.AttributeList {
        [
            ("indexed", flag(property.isIndexed)),
            ("spotlightIndexed", flag(property.isSearched)),
            ("elementID", property.renamingIdentifier),
            ("versionHashModifier", property.versionHashModifier),
        ]
    }

    static func write(_ userInfo: [String: String], to output: inout ContentsText) {
        guard !userInfo.isEmpty else { return }
        output.element("userInfo") { output in
            for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
                output.element("entry", [("key", key), ("value", value)])
            }
        }
    }

    private func flag(_ isSet: Bool) -> String? { isSet ? "YES" : nil }

    /// The editor writes the choice for every type that has a scalar form.
    private func scalarFlag(_ attribute: AttributeDescription) -> String? {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .uuid:
            attribute.usesScalarType ? "YES" : "NO"
        default:
            flag(attribute.usesScalarType)
        }
    }

    private func bounds(
        of attribute: AttributeDescription,
        _ place: ModelPlace
    ) throws -> ContentsText.AttributeList {
        let isDate = attribute.type == .date
        let suffix = isDate ? "DateTimeInterval" : "ValueString"
        var attributes: ContentsText.AttributeList = []
        for rule in attribute.rules {
            switch rule {
            case .minimum(let value): attributes.append(("min" + suffix, try text(value, place)))
            case .maximum(let value): attributes.append(("max" + suffix, try text(value, place)))
            case .minimumLength(let length): attributes.append(("minValueString", String(length)))
            case .maximumLength(let length): attributes.append(("maxValueString", String(length)))
            case .pattern(let pattern): attributes.append(("regularExpressionString", pattern))
            case .required, .minimumCount, .maximumCount, .predicate:
                throw unsupported(place.description, "has a rule of its own")
            }
        }
        if Set(attributes.map(\.name)).count < attributes.count {
            throw unsupported(place.description, "has two rules of one kind")
        }
        return attributes
    }

    /// A value in the editor's spelling.
    private func text(_ value: GraphValue, _ place: ModelPlace) throws -> String {
        switch value {
        case .bool(let flag): flag ? "YES" : "NO"
        case .int(let number): String(number)
        case .double(let number): String(number)
        case .decimal(let number): number.description
        case .string(let text): text
        case .date(let date): String(date.timeIntervalSinceReferenceDate)
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        default: throw unsupported(place.description, "has \(value.kindWithArticle) as its default")
        }
    }
}
