import ObjectModel

extension ModelWriter {
    mutating func write(_ entity: EntityDescription) throws {
        let place = ModelPlace.entity(entity.name)
        let attributes: ContentsText.AttributeList = [
            ("name", entity.name),
            ("representedClassName", representedClassName(entity)),
            ("isAbstract", entity.isAbstract ? "YES" : nil),
            ("parentEntity", entity.superentityName),
            ("elementID", entity.renamingIdentifier),
            ("versionHashModifier", entity.versionHashModifier),
            ("coreSpotlightDisplayNameExpression", entity.displayNameExpression),
            ("codeGenerationType", entity.codeGenerationType),
        ]
        // The editor marks every entity in this way; an entity from a file keeps its own mark.
        let kept = file.extras[place] == nil ? [("syncable", "YES")] : extras(at: place)
        try group("entity", attributes + kept) { writer in
            let properties = entity.ownProperties.sorted { $0.name < $1.name }
            for case let attribute as AttributeDescription in properties {
                try writer.write(attribute, of: entity.name)
            }
            for case let relationship as RelationshipDescription in properties {
                try writer.write(relationship, of: entity)
            }
            for case let property as FetchedPropertyDescription in properties {
                try writer.write(property, of: entity.name)
            }
            writer.writeIndexes(entity)
            writer.write(
                writer.file.compoundIndexes[entity.name] ?? [],
                as: "compoundIndexes",
                "compoundIndex",
                "index"
            )
            writer.write(
                entity.uniquenessConstraints,
                as: "uniquenessConstraints",
                "uniquenessConstraint",
                "constraint"
            )
            writer.write(userInfo: entity.userInfo)
        }
    }

    private func representedClassName(_ entity: EntityDescription) -> String {
        entity.className == "ManagedObject" ? "NSManagedObject" : entity.className
    }

    private mutating func writeIndexes(_ entity: EntityDescription) {
        for index in entity.indexes.sorted(by: { $0.name < $1.name }) {
            let place = ModelPlace.index(index.name, of: entity.name)
            let attributes: ContentsText.AttributeList = [
                ("name", index.name),
                ("partialIndexPredicate", text(of: index.partialPredicate, at: place)),
            ]
            let elements = index.elements.enumerated().map { number, element in
                [
                    (element.isExpression ? "expression" : "property", element.property),
                    ("type", element.collation.rawValue),
                    ("order", element.isAscending ? "ascending" : "descending"),
                ] + extras(at: .indexElement(number, of: place))
            }
            output.element("fetchIndex", attributes + extras(at: place)) { output in
                for element in elements { output.element("fetchIndexElement", element) }
            }
        }
    }

    private mutating func write(
        _ lists: [[String]],
        as outer: String,
        _ middle: String,
        _ inner: String
    ) {
        guard !lists.isEmpty else { return }
        output.element(outer) { output in
            for list in lists {
                output.element(middle) { output in
                    for value in list { output.element(inner, [("value", value)]) }
                }
            }
        }
    }
}
