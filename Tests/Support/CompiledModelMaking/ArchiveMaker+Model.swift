package import FoundationEssentials
package import ObjectModel

extension ArchiveMaker {
    /// A model as Apple's tools compile it.
    package static func data(of model: ManagedObjectModel) -> Data {
        let entities = model.entities.sorted { $0.name < $1.name }
        return data(
            .object(
                "NSManagedObjectModel",
                [
                    ("NSEntities", .known(entities.map { ($0.name, .named($0.name)) })),
                    (
                        "NSConfigurations",
                        .dictionary(
                            model.configurations.sorted { $0.key < $1.key }.map { name, members in
                                (name, .set(members.map { .named($0) }))
                            }
                        )
                    ),
                    (
                        "NSVersionIdentifiers",
                        .set(model.versionIdentifiers.sorted().map { .text($0) })
                    ),
                ]
            ),
            named: Dictionary(entities.map { ($0.name, archived($0, model)) }) { first, _ in first }
        )
    }

    private static func archived(
        _ entity: EntityDescription,
        _ model: ManagedObjectModel
    ) -> Archived {
        var properties: [PropertyDescription] = []
        var current: EntityDescription? = entity
        while let found = current {
            properties += found.ownProperties
            current = found.superentityName.flatMap { model.entity(named: $0) }
        }
        return .object(
            "NSEntityDescription",
            [
                ("NSEntityName", .text(entity.name)),
                ("NSClassNameForEntity", .text(entity.className)),
                ("NSIsAbstract", .flag(entity.isAbstract)),
                ("NSSuperentity", entity.superentityName.map { .named($0) } ?? .null),
                ("NSRenamingIdentifier", .text(entity.renamingIdentifier ?? entity.name)),
                ("NSVersionHashModifier", text(entity.versionHashModifier)),
                ("NSUserInfo", .dictionary(entity.userInfo.map { ($0.key, .text($0.value)) })),
                (
                    "NSUniqueTuples",
                    .array(entity.uniquenessConstraints.map { .array($0.map { .text($0) }) })
                ),
                ("NSFetchIndexDescriptions", .array(entity.indexes.map { archived($0) })),
                (
                    "NSProperties",
                    .dictionary(properties.map { ($0.name, archived($0)) })
                ),
            ]
        )
    }

    private static func text(_ text: String?) -> Archived { text.map { .text($0) } ?? .null }

    private static func archived(_ index: FetchIndexDescription) -> Archived {
        .object(
            "NSFetchIndexDescription",
            [
                ("NSIndexName", .text(index.name)),
                ("NSPartialIndexPredicate", index.partialPredicate == nil ? .null : .text("…")),
                (
                    "NSIndexElements",
                    .array(
                        index.elements.map { element in
                            .object(
                                "NSFetchIndexElementDescription",
                                [
                                    ("NSPropertyName", .text(element.property)),
                                    (
                                        "NSFetchIndexElementType",
                                        .integer(element.collation == .rtree ? 1 : 0)
                                    ),
                                    ("NSAscending", .flag(element.isAscending)),
                                ]
                            )
                        }
                    )
                ),
            ]
        )
    }

    private static func archived(_ property: PropertyDescription) -> Archived {
        let common: [(String, Archived)] = [
            ("NSPropertyName", .text(property.name)),
            ("NSIsOptional", .flag(property.isOptional)),
            ("NSIsTransient", .flag(property.isTransient)),
            ("NSIsIndexed", .flag(property.isIndexed)),
            ("NSRenamingIdentifier", .text(property.renamingIdentifier ?? property.name)),
            ("NSVersionHashModifier", text(property.versionHashModifier)),
            ("NSUserInfo", .dictionary(property.userInfo.map { ($0.key, .text($0.value)) })),
        ]
        switch property {
        case let attribute as AttributeDescription:
            var flags: Int64 = 0
            if attribute.allowsExternalStorage { flags |= 4 }
            if attribute.preservesValueOnDeletion { flags |= 16 }
            if attribute.allowsCloudEncryption { flags |= 32 }
            return .object(
                attribute.isDerived ? "NSDerivedAttributeDescription" : "NSAttributeDescription",
                common + [
                    ("NSAttributeType", .integer(Int64(attribute.type.rawValue))),
                    ("NSDefaultValue", archived(attribute.defaultValue)),
                    ("NSValueTransformerName", text(attribute.valueTransformerName)),
                    ("NSAttributeValueClassName", text(attribute.valueClassName)),
                    ("NSFlagsKey", .integer(flags)),
                    (
                        "NSDerivationExpression",
                        attribute.derivation.map { archived(derivation: $0) } ?? .null
                    ),
                ]
            )
        case let relationship as RelationshipDescription:
            return .object(
                "NSRelationshipDescription",
                common + [
                    ("_NSDestinationEntityName", .text(relationship.destinationName)),
                    ("_NSInverseRelationshipName", text(relationship.inverseName)),
                    ("NSMinCount", .integer(Int64(relationship.minCount))),
                    ("NSMaxCount", .integer(Int64(relationship.maxCount))),
                    ("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
                    ("NSIsOrdered", .flag(relationship.isOrdered)),
                ]
            )
        default: return .object("NSFetchedPropertyDescription", common)
        }
    }

    private static func archived(_ value: GraphValue) -> Archived {
        switch value {
        case .bool(let flag): return .flag(flag)
        case .int(let number): return .integer(number)
        case .double(let number): return .real(number)
        case .string(let text): return .text(text)
        case .data(let data): return .data(data)
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            return .object("NSDate", [("NS.time", .real(seconds))])
        case .uuid(let uuid):
            let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
            return .object("NSUUID", [("NS.uuidbytes", .data(bytes))])
        case .url(let url):
            return .object("NSURL", [("NS.relative", .text(url.absoluteString))])
        case .decimal(let number):
            // Defaults in tests have at most nineteen digits.
            let mantissa = UInt64(number.significand.description) ?? 0
            let bytes = withUnsafeBytes(of: mantissa.littleEndian) { Data($0) } + Data(count: 8)
            return .object(
                "NSDecimalNumber",
                [
                    ("NS.mantissa", .data(bytes)), ("NS.length", .integer(8)),
                    ("NS.exponent", .integer(Int64(number.exponent))),
                    ("NS.negative", .flag(number.isSignMinus)), ("NS.mantissa.bo", .integer(1)),
                ]
            )
        default: return .null
        }
    }

    private static func archived(derivation text: String) -> Archived {
        func path(_ path: String) -> Archived {
            .object(
                "NSKeyPathExpression",
                [
                    ("NSExpressionType", .integer(3)),
                    (
                        "NSArguments",
                        .array([
                            .object(
                                "NSKeyPathSpecifierExpression",
                                [("NSExpressionType", .integer(10)), ("NSKeyPath", .text(path))]
                            )
                        ])
                    ),
                ]
            )
        }
        func call(_ name: String, _ arguments: [Archived]) -> Archived {
            .object(
                "NSFunctionExpression",
                [
                    ("NSExpressionType", .integer(4)), ("NSSelectorName", .text(name)),
                    ("NSArguments", .array(arguments)),
                ]
            )
        }
        if text == "now()" { return call("now", []) }
        if let open = text.firstIndex(of: "("), text.last == ")" {
            return call(
                String(text[..<open]),
                [path(String(text[text.index(after: open)...].dropLast()))]
            )
        }
        for (suffix, name) in [
            (".@count", "count:"), (".@sum", "sum:"), (".@min", "min:"), (".@max", "max:"),
            (".@avg", "average:"),
        ] where text.hasSuffix(suffix) {
            return call(name, [path(String(text.dropLast(suffix.count)))])
        }
        return path(text)
    }
}
