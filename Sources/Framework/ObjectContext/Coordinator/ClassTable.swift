import ObjectModel

/// The classes of a model's entities, and what their objects are laid out by.
struct ClassTable {
    private let classes: [ManagedObject.Type]
    /// By the numbers of the entities.
    private let layouts: [ObjectLayout]
    private let entityByClass: [ObjectIdentifier: EntityDescription]

    /// - Throws: `ObjectGraphError` that lists in what the classes contradict the model.
    init(_ model: ManagedObjectModel, _ classes: [String: ManagedObject.Type]) throws {
        let objectClasses = ObjectClasses(model, classes)
        try objectClasses.check()
        self.classes = model.entitiesByNumber.map { entity in
            entity.map(objectClasses.objectClass) ?? ManagedObject.self
        }
        var entityByClass: [ObjectIdentifier: EntityDescription] = [:]
        for (name, type) in classes {
            if let entity = model.entity(named: name) {
                entityByClass[ObjectIdentifier(type)] = entity
            }
        }
        self.entityByClass = entityByClass
        layouts = objectClasses.layouts()
    }

    /// The same with plain `ManagedObject`s, which have the defaults and the values of the classes.
    init(plain other: ClassTable) {
        classes = other.classes.map { _ in ManagedObject.self }
        layouts = other.layouts.map { ObjectLayout(plain: $0) }
        entityByClass = [:]
    }

    @inline(__always)
    func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
        classes[Int(entity.number)]
    }

    @inline(__always)
    func layout(of entity: EntityDescription) -> ObjectLayout { layouts[Int(entity.number)] }

    func entity(of type: ManagedObject.Type) -> EntityDescription? {
        entityByClass[ObjectIdentifier(type)]
    }
}
