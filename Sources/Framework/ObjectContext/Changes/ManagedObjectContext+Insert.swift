public import ObjectModel

extension ManagedObjectContext {
    /// Inserts a new object of a class of the program.
    ///
    /// Traps if the class is not the class of a concrete entity of the model: one that was not
    /// given to the container, or that of an abstract entity.
    @discardableResult
    public func insert<T: ManagedObject>(_ type: T.Type) -> T {
        let use = beginUse()
        defer { endUse(use) }
        let object = type.init(seedForInsertion(of: type))
        didInsert(object)
        return object
    }

    /// Inserts a new object of an entity by name.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` if the
    ///   entity does not exist or is abstract.
    @discardableResult
    public func insert(entityNamed name: String) throws -> ManagedObject {
        let use = beginUse()
        defer { endUse(use) }
        guard let entity = model.entity(named: name) else {
            throw ObjectGraphError(
                .invalidRequest,
                "The model has no entity named \"\(name)\".",
                recovery: "It has: \(model.entities.map(\.name).sorted().joined(separator: ", "))."
            )
        }
        if entity.isAbstract {
            throw ObjectGraphError(
                .invalidRequest,
                "The entity \(name) is abstract and has no objects of its own.",
                recovery: "Insert one of its subentities."
            )
        }
        let seed = seed(for: coordinator.classes.layout(of: entity))
        let object = coordinator.classes.objectClass(of: entity).init(seed)
        didInsert(object)
        return object
    }

    func seedForInsertion(of type: ManagedObject.Type) -> ObjectSeed {
        guard let layout = coordinator.classes.layout(of: type) else {
            Misuse.trap(
                "\(type) is not the class of a concrete entity of this context's model; was it given to the"
                    + " container among the classes?"
            )
        }
        return seed(for: layout)
    }

    private func seed(for layout: ObjectLayout) -> ObjectSeed {
        ObjectSeed(
            context: self,
            layout: layout,
            id: coordinator.temporaryID(for: layout.entity),
            state: .inserted,
            isNew: true
        )
    }

    /// Adds a new object to the lists and calls `awakeFromInsert`.
    func didInsert(_ object: ManagedObject) {
        pending.insert(object)
        registry.retain(object)
        object.awakeFromInsert()
    }
}

extension KeyValueCoding where Self: ManagedObject {
    /// Inserts a new object into a context and sets its values.
    ///
    ///     let emma = try Book(in: context) {
    ///         $0.title = "Emma"
    ///         $0.author = try Author.find(by: \.name, "Jane Austen", in: context)
    ///     }
    ///
    /// The object has its defaults when the closure is called. The insertion and the values are one
    /// event, and one step of undo.
    ///
    /// Traps if the context's model has no entity for this class, or an abstract one.
    ///
    /// - Parameters:
    ///   - context: where the object belongs.
    ///   - configure: sets values of the new object. If it throws, the object is not inserted.
    /// - Throws: what the closure throws.
    @discardableResult
    public init(in context: ManagedObjectContext, _ configure: (Self) throws -> Void) rethrows {
        let use = context.beginUse()
        defer { context.endUse(use) }
        self.init(context.seedForInsertion(of: Self.self))
        context.didInsert(self)
        do {
            try configure(self)
        } catch {
            context.delete(self)
            throw error
        }
    }
}
