public import ObjectModel

/// The class of a program for each entity, compared with the model when a coordinator is created.
///
/// A class that was forgotten would show as a fetch that finds nothing: its objects would be of
/// another class than the one asked for. A property that the model does not have as the class
/// declares it would show at its first access.
struct ObjectClasses {
    private let model: ManagedObjectModel
    private let classes: [String: ManagedObject.Type]

    init(_ model: ManagedObjectModel, _ classes: [String: ManagedObject.Type]) {
        self.model = model
        self.classes = classes
    }

    /// Gives attributes the defaults that are made for each object, where the model has none: a
    /// migration needs them.
    func giveDefaults() {
        for (name, type) in classes {
            for property in ClassDeclaration.of(type).ownProperties {
                let attribute = model.entity(named: name)?.property(named: property.name)
                guard let attribute = attribute as? AttributeDescription,
                    attribute.defaultValue.isNull, attribute.makeDefault == nil
                else { continue }
                attribute.makeDefault = property.options.makeDefault
            }
        }
    }

    /// The class of an entity's objects: its own, its nearest ancestor's, or `ManagedObject`.
    func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
        var current: EntityDescription? = entity
        while let here = current {
            if let type = classes[here.name] { return type }
            current = here.superentity
        }
        return ManagedObject.self
    }

    /// The layouts of the objects by the numbers of their entities.
    func layouts() -> [ObjectLayout] {
        model.entitiesByNumber.map { entity in
            guard let entity else { return ObjectLayout(EntityDescription(""), nil) }
            let type = objectClass(of: entity)
            return ObjectLayout(
                entity,
                type == ManagedObject.self ? nil : ClassDeclaration.of(type)
            )
        }
    }

    /// Compares the classes with the model.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` that lists all
    ///   contradictions.
    func check() throws {
        if classes.isEmpty { return }
        var problems: [String] = []
        for name in classes.keys.sorted() where model.entity(named: name) == nil {
            problems.append(
                "A class was given for the entity \"\(name)\", which the model does not have. It has:"
                    + " \(model.entities.map(\.name).sorted().joined(separator: ", "))."
            )
        }
        for entity in model.entitiesByNumber.compactMap({ $0 }) {
            if let type = classes[entity.name] {
                problems += ClassComparison(type, entity, self).problems()
            } else if let problem = missingClass(of: entity) {
                problems.append(problem)
            }
            guard let parent = entity.superentity else { continue }
            let (type, inherited) = (objectClass(of: entity), objectClass(of: parent))
            if ClassDeclaration.of(type).isKind(of: inherited) { continue }
            problems.append(
                "The class \(type) of the entity \(entity.name) does not inherit from \(inherited), the"
                    + " class of its parent \(parent.name). Make it a subclass, so that a fetch of"
                    + " \(parent.name) finds its objects."
            )
        }
        try ClassModel.report(problems, "The classes and the model contradict each other")
    }

    private func missingClass(of entity: EntityDescription) -> String? {
        // A leading "." means the current module; the rest of a full name is the class's own.
        let name = entity.className.split(separator: ".").last.map(String.init) ?? ""
        if name.isEmpty || name == "ManagedObject" || name == "NSManagedObject" { return nil }
        let inherited = objectClass(of: entity)
        if "\(inherited)" == name, inherited != ManagedObject.self { return nil }
        return
            "The model names the class \(name) for the entity \(entity.name), but no class was given"
            + " for it. Add \(name).self to the classes."
    }
}

extension ClassTable {
    /// - Throws: `ObjectGraphError` that lists in what the classes contradict the model.
    init(_ model: ManagedObjectModel, _ classes: [String: ManagedObject.Type]) throws {
        let objectClasses = ObjectClasses(model, classes)
        try objectClasses.check()
        var entityByClass: [ObjectIdentifier: EntityDescription] = [:]
        for (name, type) in classes {
            if let entity = model.entity(named: name) {
                entityByClass[ObjectIdentifier(type)] = entity
            }
        }
        self.init(
            model.entitiesByNumber.map { $0.map(objectClasses.objectClass) ?? ManagedObject.self },
            objectClasses.layouts(),
            entityByClass
        )
    }

    /// Gives the attributes of a draft model the defaults that classes make.
    static func giveDefaults(
        _ model: ManagedObjectModel,
        _ classes: [String: ManagedObject.Type]
    ) { ObjectClasses(model, classes).giveDefaults() }
}

extension PersistentStoreCoordinator {
    /// Freezes the model and maps its entities to classes, each by its
    /// ``ManagedObject/entityName``.
    ///
    /// - Throws: `ObjectGraphError` that lists in what the classes contradict the model or each other.
    public convenience init(model: ManagedObjectModel, classes: [ManagedObject.Type]) throws {
        try self.init(model: model, classes: try Self.byEntity(classes))
    }

    /// Classes by the entities that they stand for.
    ///
    /// - Throws: `ObjectGraphError` if two classes stand for one entity.
    public static func byEntity(
        _ classes: [ManagedObject.Type]
    ) throws -> [String: ManagedObject.Type] {
        var result: [String: ManagedObject.Type] = [:]
        var problems: [String] = []
        for type in classes {
            guard let other = result.updateValue(type, forKey: type.entityName), other != type
            else { continue }
            problems.append(
                "\(other) and \(type) both stand for the entity \"\(type.entityName)\". Leave one out,"
                    + " or override its entityName."
            )
        }
        try ClassModel.report(problems, "The classes contradict each other")
        return result
    }
}
