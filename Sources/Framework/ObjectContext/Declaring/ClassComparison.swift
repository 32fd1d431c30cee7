import ObjectModel

/// The comparison of a class with the entity that it stands for.
struct ClassComparison {
    private let declaration: ClassDeclaration
    private let entity: EntityDescription
    private let classes: ObjectClasses

    init(_ type: ManagedObject.Type, _ entity: EntityDescription, _ classes: ObjectClasses) {
        declaration = ClassDeclaration.of(type)
        self.entity = entity
        self.classes = classes
    }

    /// Everything in which the two contradict each other.
    func problems() -> [String] {
        declaration.problems
            + declaration.properties.flatMap { property in
                let owner = declaration.owner(of: property.name)?.type ?? declaration.type
                return problems(of: property).map { "\(owner).\(property.name): \($0)" }
            }
    }

    private func problems(of property: PropertyDeclaration) -> [String] {
        guard let described = entity.property(named: property.name) else {
            let names = entity.slots.filter { $0.declared === $0 }.map(\.name)
            return [
                "the entity \(entity.name) has no such property. It has: "
                    + names.joined(separator: ", ") + "."
            ]
        }
        switch (property.type.kind, described) {
        case (.attribute(let type), let attribute as AttributeDescription):
            return problems(of: property, type, attribute)
        case (.transformable, let attribute as AttributeDescription):
            if attribute.type == .transformable { return [] }
            return [
                "it is declared as a transformable attribute, and the model has"
                    + " \(attribute.type.nameWithArticle). Declare it with @Managed."
            ]
        case (.toOne(let target), let relationship as RelationshipDescription):
            if relationship.isToMany {
                return [
                    "it is declared as a to-one relationship, and the model has a to-many one."
                        + " Declare it as \(relationship.isOrdered ? "[\(target)]" : "Set<\(target)>")."
                ]
            }
            return problems(of: property, target, relationship)
        case (.toMany(let target, let isOrdered), let relationship as RelationshipDescription):
            if !relationship.isToMany {
                return [
                    "it is declared as a to-many relationship, and the model has a to-one one."
                        + " Declare it as \(target)?."
                ]
            }
            if relationship.isOrdered != isOrdered {
                return [
                    "it is declared as \(isOrdered ? "an ordered" : "an unordered") relationship, and"
                        + " the model has \(isOrdered ? "an unordered" : "an ordered") one. Declare it"
                        + " as \(isOrdered ? "Set<\(target)>" : "[\(target)]")."
                ]
            }
            return problems(of: property, target, relationship)
        case (.fetched(let target), let fetched as FetchedPropertyDescription):
            return problems(of: target, fetched.fetchRequest.entityName)
        default:
            return [
                "it is declared as \(property.type.name), and the model has \(described.kindName)."
            ]
        }
    }

    private func problems(
        of property: PropertyDeclaration,
        _ type: AttributeType,
        _ attribute: AttributeDescription
    ) -> [String] {
        var problems: [String] = []
        if !type.canStand(for: attribute.type) {
            problems.append(
                "its type \(property.swiftType) is that of \(type.shownName.withArticle) attribute, and the"
                    + " model has \(attribute.type.shownName.withArticle) attribute."
            )
        } else if !property.type.isOptional, attribute.defaultValue.isNull,
            property.options.makeDefault == nil,
            let values = property.type.values, !values.canBeEmpty()
        {
            problems.append(
                "a \(property.swiftType) cannot be empty. Declare it optional, or give the attribute a default."
            )
        }
        let options = property.options
        // What is made for each object, a model does not have.
        if !options.sample.isNull, options.defaultValue != attribute.defaultValue {
            problems.append("its default is not the model's.")
        }
        if attribute.type == .composite, let composite = property.type.composite {
            let names = Set(composite.leaves(of: attribute.name))
            let others = Set(attribute.leaves.map(\.name))
            for name in names.subtracting(others).sorted() {
                problems.append("the model has no element \"\(name)\".")
            }
        }
        if let name = options.isUnique ? attribute.name : nil, type != .composite,
            !entity.isUnique(name)
        {
            problems.append("it is declared as unique, and the model does not say so.")
        }
        if options.isTransient != attribute.isTransient, options.isTransient {
            problems.append("it is declared as transient, and the model does not say so.")
        }
        if options.derivation != nil, attribute.derivation == nil {
            problems.append("it is declared as derived, and the model does not say so.")
        }
        return problems
    }

    private func problems(
        of property: PropertyDeclaration,
        _ target: ManagedObject.Type,
        _ relationship: RelationshipDescription
    ) -> [String] {
        var problems = problems(of: target, relationship.destinationName)
        if property.options.deleteRule != .nullify,
            property.options.deleteRule != relationship.deleteRule
        {
            problems.append(
                "its delete rule is \(property.options.deleteRule.editorName), and the model's is"
                    + " \(relationship.deleteRule.editorName)."
            )
        }
        if let inverse = property.options.inverse, inverse.isNone {
            if let name = relationship.inverseName {
                problems.append(
                    "it is declared without an inverse, and the model's is \"\(name)\"."
                )
            }
        } else if let inverse = property.options.inverse {
            guard let name = inverse.name(in: target) else {
                return problems + ["its inverse is not a relationship that is declared."]
            }
            if name != relationship.inverseName {
                problems.append(
                    "its inverse is \"\(name)\", and the model's is "
                        + (relationship.inverseName.map { "\"\($0)\"." } ?? "none.")
                )
            }
        }
        return problems
    }

    /// What is wrong with the class that a relationship leads to.
    private func problems(of target: ManagedObject.Type, _ entityName: String) -> [String] {
        guard let destination = entity.model?.entity(named: entityName) else { return [] }
        let type = classes.objectClass(of: destination)
        if ClassDeclaration.of(type).isKind(of: target) { return [] }
        return [
            "it leads to \(target), and the class of the entity \(entityName) is \(type)."
        ]
    }
}

extension AttributeType {
    /// Whether a Swift type for attributes of this type can declare one of another.
    ///
    /// An integer may be wider or narrower; a save finds what does not fit. A transformable
    /// attribute holds values of any type.
    fileprivate func canStand(for other: AttributeType) -> Bool {
        let integers: [AttributeType] = [.integer16, .integer32, .integer64]
        return self == other || self == .undefined || [.undefined, .transformable].contains(other)
            || self == .transformable && other == .composite
            || integers.contains(self) && integers.contains(other)
    }
}

extension EntityDescription {
    /// Whether an attribute alone identifies an object, by the entity or an ancestor.
    fileprivate func isUnique(_ name: String) -> Bool {
        uniquenessConstraints.contains([name]) || (superentity?.isUnique(name) ?? false)
    }
}

extension PropertyType {
    /// The kind with its article, for messages.
    fileprivate var name: String {
        switch kind {
        case .attribute, .transformable: "an attribute"
        case .toOne: "a to-one relationship"
        case .toMany: "a to-many relationship"
        case .fetched: "a fetched property"
        }
    }
}

extension PropertyDescription {
    /// The kind with its article, for messages.
    fileprivate var kindName: String {
        switch self {
        case is AttributeDescription: "an attribute"
        case let relationship as RelationshipDescription:
            relationship.isToMany ? "a to-many relationship" : "a to-one relationship"
        default: "a fetched property"
        }
    }
}
