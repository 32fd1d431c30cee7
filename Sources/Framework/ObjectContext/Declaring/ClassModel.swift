public import ObjectModel

extension ManagedObjectModel {
    /// The model that classes declare.
    ///
    ///     let model = try ManagedObjectModel(for: Author.self, Book.self)
    ///
    /// The classes that relationships lead to and the parents of the classes belong to it without
    /// being named.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` that lists
    ///   everything that is wrong with the classes.
    public convenience init(for classes: ManagedObject.Type...) throws {
        try self.init(for: classes)
    }

    /// The model that classes declare.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` that lists
    ///   everything that is wrong with the classes.
    public convenience init(for classes: [ManagedObject.Type]) throws {
        var made = ClassModel(classes)
        let entities = made.entities()
        self.init(entities)
        composites = made.composites
        let issues = made.problems.isEmpty ? check().filter(\.isError).map(\.description) : []
        try ClassModel.report(made.problems + issues, "The classes do not make a model")
    }
}

extension ManagedObjectModel {
    /// Classes with those that belong to them: their parents, and what relationships lead to.
    package static func classes(with classes: [ManagedObject.Type]) -> [ManagedObject.Type] {
        ClassModel.closure(of: classes).map(\.type)
    }
}

/// The making of a model from the classes of a program.
///
/// 1. find all classes: those given, their parents, and those that relationships lead to;
/// 2. make an entity of each, and a description of each property that the class itself declares;
/// 3. join the two sides of each relationship;
/// 4. report everything that is wrong, together.
struct ClassModel {
    private let declarations: [ClassDeclaration]
    private(set) var problems: [String] = []
    /// The composite types that attributes have.
    private(set) var composites: [String: [PropertyDescription]] = [:]
    private var compositeTypes: [String: any CompositeValue.Type] = [:]

    init(_ classes: [ManagedObject.Type]) {
        declarations = ClassModel.closure(of: classes)
    }

    /// The classes, their parents and those that they lead to, in the order they are met.
    static func closure(of classes: [ManagedObject.Type]) -> [ClassDeclaration] {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(ManagedObject.self)]
        var rest = Array(classes.reversed())
        var result: [ClassDeclaration] = []
        while let type = rest.popLast() {
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            let declaration = ClassDeclaration.of(type)
            result.append(declaration)
            var targets: [ManagedObject.Type] = []
            if let parent = declaration.parent { targets.append(parent.type) }
            for property in declaration.ownProperties {
                switch property.type.kind {
                case .toOne(let target), .toMany(let target, _), .fetched(let target):
                    targets.append(target)
                case .attribute, .transformable: break
                }
            }
            rest += targets.reversed()
        }
        return result
    }

    /// Throws one error that lists problems, if there are any.
    static func report(_ problems: [String], _ head: String) throws {
        var seen: Set<String> = []
        let problems = problems.filter { seen.insert($0).inserted }
        if problems.isEmpty { return }
        throw ObjectGraphError(
            .invalidModel,
            "\(head): " + problems.joined(separator: "\n")
        )
    }

    mutating func entities() -> [EntityDescription] {
        var owners: [String: ManagedObject.Type] = [:]
        var entities: [EntityDescription] = []
        var relationships: [String: RelationshipDescription] = [:]
        for declaration in declarations {
            let type = declaration.type
            problems += declaration.problems
            if let owner = owners.updateValue(type, forKey: type.entityName) {
                problems.append(
                    "\(type): its entity \"\(type.entityName)\" is that of the class \(owner) too."
                        + " Override entityName in one of them."
                )
                continue
            }
            let entity = EntityDescription(
                type.entityName,
                className: "\(type)",
                superentity: declaration.parent?.type.entityName
            )
            for property in declaration.ownProperties {
                let described = describe(property, of: declaration)
                if let relationship = described as? RelationshipDescription {
                    relationships["\(type.entityName).\(property.name)"] = relationship
                }
                if entity.ownProperties.contains(where: { $0.name == property.name }) { continue }
                entity.add(described)
            }
            apply(type.entityOptions, to: entity, declaration)
            entities.append(entity)
        }
        for declaration in declarations {
            for property in declaration.ownProperties {
                joinSides(of: property, declaration, relationships)
            }
        }
        problems += InverseInference(declarations, relationships).run()
        return entities
    }

    private mutating func describe(
        _ property: PropertyDeclaration,
        of declaration: ClassDeclaration
    ) -> PropertyDescription {
        let options = property.options
        let described: PropertyDescription
        switch property.type.kind {
        case .attribute(let type):
            let attribute = AttributeDescription(
                property.name,
                type == .undefined || options.transformerName != nil ? .transformable : type,
                // What a save computes after validation has no value before the first save.
                optional: property.type.isOptional
                    || options.derivation != nil && options.makeDefault == nil,
                default: options.defaultValue
            )
            attribute.makeDefault = options.makeDefault
            attribute.rules = options.rules
            attribute.valueTransformerName = options.transformerName
            attribute.derivation = derivation(of: property, declaration)
            describe(attribute, options)
            if let composite = property.type.composite {
                describe(composite, attribute, declaration)
            }
            if !property.type.isOptional { checkEmpty(property, declaration) }
            described = attribute
        case .transformable:
            let attribute = AttributeDescription(property.name, .transformable)
            attribute.makeDefault = options.makeDefault
            attribute.valueTransformerName = options.transformerName
            describe(attribute, options)
            described = attribute
        case .toOne(let target):
            described = RelationshipDescription(
                property.name,
                to: target.entityName,
                optional: !options.isRequired,
                deleteRule: options.deleteRule
            )
        case .toMany(let target, let isOrdered):
            let relationship = RelationshipDescription(
                property.name,
                to: target.entityName,
                toMany: true,
                ordered: isOrdered,
                optional: !options.isRequired,
                deleteRule: options.deleteRule
            )
            relationship.minCount = options.minCount
            relationship.maxCount = options.maxCount
            if options.maxCount == 1 || options.maxCount < 0 || options.minCount < 0
                || options.maxCount > 0 && options.minCount > options.maxCount
            {
                problems.append(
                    "\(declaration.type).\(property.name): it cannot have \(options.minCount) to"
                        + " \(options.maxCount) members. Give a range of which the upper end is at"
                        + " least 2, or 0 for any number."
                )
                relationship.maxCount = 0
            }
            described = relationship
        case .fetched(let target):
            let fetch = options.fetch?() ?? FetchDescription(entityName: target.entityName)
            if options.fetch == nil {
                problems.append(
                    "\(declaration.type).\(property.name): it does not say what it finds. Give a"
                        + " condition: @Fetched(where: …)."
                )
            }
            described = FetchedPropertyDescription(property.name, fetch)
        }
        described.isTransient = options.isTransient
        described.renamingIdentifier = options.renamedFrom
        return described
    }

    private func describe(_ attribute: AttributeDescription, _ options: PropertyOptions) {
        attribute.isIndexed = options.isIndexed
        attribute.isSearched = options.isSearched
        attribute.allowsExternalStorage = options.storesExternally
        attribute.isTransient = options.isTransient
    }

    private mutating func describe(
        _ composite: any CompositeValue.Type,
        _ attribute: AttributeDescription,
        _ declaration: ClassDeclaration
    ) {
        let name = composite.compositeName
        if let other = compositeTypes.updateValue(composite, forKey: name), other != composite {
            problems.append(
                "\(declaration.type).\(attribute.name): two structures named \(name) hold composite"
                    + " attributes. Rename one."
            )
        }
        attribute.compositeName = name
        composite.describe(in: &composites)
    }

    /// Reports a type that cannot be read while there is no value.
    private mutating func checkEmpty(
        _ property: PropertyDeclaration,
        _ declaration: ClassDeclaration
    ) {
        guard let values = property.type.values, property.options.makeDefault == nil,
            !values.canBeEmpty()
        else { return }
        problems.append(
            "\(declaration.type).\(property.name): a \(property.swiftType) cannot be empty. Declare it optional, or"
                + " give it a default."
        )
    }

    private mutating func derivation(
        of property: PropertyDeclaration,
        _ declaration: ClassDeclaration
    ) -> String? {
        guard let derived = property.options.derivation else { return nil }
        if property.options.isTransient {
            problems.append(
                "\(declaration.type).\(property.name): a save computes and stores a derived property, so"
                    + " it cannot be transient. Leave out one of both."
            )
        }
        var names: [String] = []
        var start = declaration
        for (index, keyPath) in derived.keyPaths.enumerated() {
            guard let root = type(of: keyPath).rootType as? ManagedObject.Type,
                index > 0 || start.isKind(of: root),
                case .properties(let path) = ClassDeclaration.of(root).names(of: keyPath)
            else {
                problems.append(
                    "\(declaration.type).\(property.name): it is derived from \(keyPath), which is"
                        + " not a property of \(start.type)."
                )
                return nil
            }
            names.append(path.joined(separator: "."))
            if let last = path.last,
                let found = ClassDeclaration.of(root).properties.first(where: { $0.name == last }),
                case .toMany(let target, _) = found.type.kind
            {
                start = ClassDeclaration.of(target)
            }
        }
        return derived.expression(names)
    }

    private mutating func apply(
        _ options: EntityOptions,
        to entity: EntityDescription,
        _ declaration: ClassDeclaration
    ) {
        for property in declaration.ownProperties {
            // Of a composite attribute the elements have columns.
            let columns = property.type.composite?.leaves(of: property.name) ?? [property.name]
            if property.options.isUnique { entity.uniquenessConstraints.append(columns) }
            if property.options.isIndexed {
                entity.indexes.append(
                    FetchIndexDescription("by_\(property.name)", columns.map { .init($0) })
                )
            }
        }
        entity.inheritedDefaults = declaration.inheritedDefaults
        guard options.type == declaration.type else { return }
        entity.isAbstract = options.isAbstract
        entity.renamingIdentifier = options.renamedFrom
        for keyPaths in options.unique {
            if let names = names(of: keyPaths, declaration) {
                entity.uniquenessConstraints.append(names)
            }
        }
        for keyPaths in options.indexes {
            if let names = names(of: keyPaths, declaration) {
                entity.indexes.append(
                    FetchIndexDescription(
                        "by_" + names.joined(separator: "_"),
                        names.map { FetchIndexDescription.Element($0) }
                    )
                )
            }
        }
    }

    private mutating func names(
        of keyPaths: [AnyKeyPath],
        _ declaration: ClassDeclaration
    ) -> [String]? {
        var result: [String] = []
        for keyPath in keyPaths {
            guard case .properties(let path) = declaration.names(of: keyPath), path.count == 1
            else {
                problems.append(
                    "\(declaration.type): its entityOptions name \(keyPath), which is not a declared"
                        + " property of it."
                )
                return nil
            }
            result += path
        }
        return result
    }

    // MARK: The two sides of a relationship

    private mutating func joinSides(
        of property: PropertyDeclaration,
        _ declaration: ClassDeclaration,
        _ relationships: [String: RelationshipDescription]
    ) {
        guard let inverse = property.options.inverse, !inverse.isNone else { return }
        let place = "\(declaration.type).\(property.name)"
        let here = "\(declaration.type.entityName).\(property.name)"
        guard let relationship = relationships[here],
            let target = property.type.destination,
            let name = inverse.name(in: target),
            let owner = ClassDeclaration.of(target).owner(of: name),
            let other = owner.properties.first(where: { $0.name == name }),
            let partner = relationships["\(owner.type.entityName).\(name)"]
        else {
            problems.append("\(place): its inverse is not a relationship that is declared.")
            return
        }
        guard let back = other.type.destination, declaration.isKind(of: back) else {
            problems.append(
                "\(place): its inverse \(owner.type).\(name) leads to"
                    + " \(other.type.destination.map { "\($0)" } ?? "nothing"), not to"
                    + " \(declaration.type)."
            )
            return
        }
        if other.options.inverse?.isNone == true {
            problems.append(
                "\(place): its inverse \(owner.type).\(name) is declared to have none. Let both name"
                    + " each other, or none."
            )
            return
        }
        if let stated = other.options.inverse,
            let statedName = stated.name(in: back), statedName != property.name
        {
            problems.append(
                "\(place): its inverse is \(owner.type).\(name), whose inverse is"
                    + " \(back).\(statedName). Let both name each other."
            )
            return
        }
        if let taken = partner.inverseName, taken != property.name {
            problems.append(
                "\(place): its inverse \(owner.type).\(name) is that of \(back).\(taken) too. A"
                    + " relationship has one inverse."
            )
            return
        }
        relationship.inverseName = name
        partner.inverseName = property.name
    }
}

extension ClassDeclaration {
    /// The class that declares a property: this one or an ancestor.
    func owner(of name: String) -> ClassDeclaration? {
        ownProperties.contains { $0.name == name } ? self : parent?.owner(of: name)
    }
}

extension PropertyType {
    /// The class that a relationship leads to.
    var destination: ManagedObject.Type? {
        switch kind {
        case .toOne(let target), .toMany(let target, _): target
        case .attribute, .transformable, .fetched: nil
        }
    }
}

extension GraphValueConvertible {
    /// Whether the type has a value to read as while there is none.
    static var canBeEmpty: Bool { substitute(for: .null) != nil }
}
