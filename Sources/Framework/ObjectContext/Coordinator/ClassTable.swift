import ObjectModel

/// The classes of a model's entities, and what their objects are laid out by.
struct ClassTable {
    private let classes: [ManagedObject.Type]
    /// By the numbers of the entities.
    private let layouts: [ObjectLayout]
    private let entityByClass: [ObjectIdentifier: EntityDescription]

    init(
        _ classes: [ManagedObject.Type],
        _ layouts: [ObjectLayout],
        _ entityByClass: [ObjectIdentifier: EntityDescription]
    ) {
        self.classes = classes
        self.layouts = layouts
        self.entityByClass = entityByClass
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
