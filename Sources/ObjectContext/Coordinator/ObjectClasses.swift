import ObjectModel

/// The class of a program for each entity, compared with the model when a coordinator is created.
///
/// Without this check a missing class would show as a fetch without results: the objects would be
/// of another class than the requested one.
struct ObjectClasses {
    private let model: ManagedObjectModel
    private let classes: [String: ManagedObject.Type]

    init(_ model: ManagedObjectModel, _ classes: [String: ManagedObject.Type]) {
        self.model = model
        self.classes = classes
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

    /// Compares the classes with the model.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` for the first
    ///   contradiction.
    func check() throws {
        if classes.isEmpty { return }
        for name in classes.keys.sorted() where model.entity(named: name) == nil {
            throw ObjectGraphError(
                .invalidModel,
                "The classes name the entity \"\(name)\", which the model does not have.",
                recovery: "It has: \(model.entities.map(\.name).sorted().joined(separator: ", "))."
            )
        }
        for entity in model.entitiesByNumber.compactMap({ $0 }) {
            if classes[entity.name] == nil { try checkLeftOut(entity) }
            guard let parent = entity.superentity else { continue }
            let (type, inherited) = (objectClass(of: entity), objectClass(of: parent))
            if type.isDescendant(of: inherited) { continue }
            throw ObjectGraphError(
                .invalidModel,
                "The class \(type) of the entity \(entity.name) does not inherit from \(inherited), the"
                    + " class of its parent \(parent.name).",
                recovery: "Make it a subclass, so that a fetch of \(parent.name) finds its objects."
            )
        }
    }

    private func checkLeftOut(_ entity: EntityDescription) throws {
        // A leading "." means the current module; the rest of a full name is the class's own.
        let name = entity.className.split(separator: ".").last.map(String.init) ?? ""
        if name.isEmpty || name == "ManagedObject" || name == "NSManagedObject" { return }
        let inherited = objectClass(of: entity)
        if "\(inherited)" == name, inherited != ManagedObject.self { return }
        throw ObjectGraphError(
            .invalidModel,
            "The model names the class \(name) for the entity \(entity.name), but no class was given"
                + " for it.",
            recovery: "Add \"\(entity.name)\": \(name).self to the classes."
        )
    }
}

extension ManagedObject {
    /// Whether this class is the other one or inherits from it.
    fileprivate static func isDescendant(of other: ManagedObject.Type) -> Bool {
        func isKind<Other: KeyValueCoding>(of other: Other.Type) -> Bool { self is Other.Type }
        let other: any KeyValueCoding.Type = other
        return isKind(of: other)
    }
}
