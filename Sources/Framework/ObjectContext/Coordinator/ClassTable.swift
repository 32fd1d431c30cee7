import ObjectModel

/// The classes of a model's entities, and what their objects are laid out by.
struct ClassTable {
    private let classes: [ManagedObject.Type]
    /// By the numbers of the entities.
    private let layouts: [ObjectLayout]
    /// Those of concrete entities by their classes.
    private let layoutByClass: [ObjectIdentifier: ObjectLayout]

    init(
        _ classes: [ManagedObject.Type],
        _ layouts: [ObjectLayout],
        _ entityByClass: [ObjectIdentifier: EntityDescription]
    ) {
        self.classes = classes
        self.layouts = layouts
        layoutByClass = entityByClass.filter { !$0.value.isAbstract }
            .mapValues { layouts[Int($0.number)] }
    }

    /// The same with plain `ManagedObject`s, which have the defaults and the values of the classes.
    init(plain other: ClassTable) {
        classes = other.classes.map { _ in ManagedObject.self }
        layouts = other.layouts.map { ObjectLayout(plain: $0) }
        layoutByClass = [:]
    }

    @inline(__always)
    func objectClass(of entity: EntityDescription) -> ManagedObject.Type {
        classes[Int(entity.number)]
    }

    @inline(__always)
    func layout(of entity: EntityDescription) -> ObjectLayout { layouts[Int(entity.number)] }

    /// The layout of an object's entity; `nil` if the model has no such entity.
    func layout(of id: ManagedObjectID) -> ObjectLayout? {
        let number = Int(id.entityNumber)
        return number > 0 && number < layouts.count ? layouts[number] : nil
    }

    /// The layout of the concrete entity of a class.
    func layout(of type: ManagedObject.Type) -> ObjectLayout? {
        layoutByClass[ObjectIdentifier(type)]
    }
}
