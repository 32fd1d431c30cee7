public import FoundationEssentials
public import ObjectModel

/// Deleting in two steps: objects are flagged, and deleted for good later.
///
///     let trash = DeferredDeletion(of: Item.self, \.trashedAt)
///     try trash.mark([item])
///     let kept = try context.fetch(FetchRequest<Item>(where: Condition(trash.isKept)))
///     try trash.purge(in: context, markedBefore: aMonthAgo)
///
/// The key is a Boolean attribute, or a date, which then remembers when. Relationships stay until
/// the object is deleted for good, so that it can be restored as it was.
public struct DeferredDeletion: Hashable, Sendable {
    public let entityName: String
    public let key: String

    /// - Parameters:
    ///   - type: the class of the objects.
    ///   - keyPath: the attribute that flags them.
    public init<Root: ManagedObject>(of type: Root.Type, _ keyPath: SortKeyPath<Root>) {
        self.init(entityName: type.entityName, key: keyPath.modelKeyPath())
    }

    /// - Parameters:
    ///   - entityName: the entity of the objects.
    ///   - key: the attribute that flags them.
    public init(entityName: String, key: String) {
        self.entityName = entityName
        self.key = key
    }

    /// Selects what is not flagged.
    public var isKept: FetchPredicate { .not(isMarked) }

    /// Selects what is flagged.
    public var isMarked: FetchPredicate {
        // A date is neither nil nor false, whichever type the key has.
        .and([comparison(.notEqual, .null), comparison(.notEqual, false)])
    }

    private func comparison(
        _ operation: FetchComparison.Operator,
        _ value: GraphValue
    ) -> FetchPredicate {
        .comparison(FetchComparison(.keyPath(key), operation, .constant(value)))
    }

    /// Flags objects for deletion; one that is flagged keeps its time.
    ///
    /// - Throws: `ObjectGraphError` if the key is neither a Boolean nor a date, and for an object of
    ///   another entity or of no context; then none is flagged.
    public func mark<T: ManagedObject>(_ objects: some Sequence<T>, at time: Date = Date()) throws {
        for (object, type) in try checked(objects) {
            let value = try object.value(forKey: key)
            if value == true || (type == .date && !value.isNull) { continue }
            try object.setValue(type == .date ? .date(time) : true, forKey: key)
        }
    }

    /// Takes the flag away.
    ///
    /// - Throws: as ``mark(_:at:)``; then none has changed.
    public func restore<T: ManagedObject>(_ objects: some Sequence<T>) throws {
        for (object, type) in try checked(objects) {
            try object.setValue(type == .date ? .null : false, forKey: key)
        }
    }

    /// The objects with the type of their flag, if all can be flagged.
    private func checked<T: ManagedObject>(
        _ objects: some Sequence<T>
    ) throws -> [(T, AttributeType)] {
        try objects.map { object in
            if object.context == nil {
                throw ObjectGraphError(
                    .invalidRequest,
                    "\(object) belongs to no context, so it cannot be flagged.",
                    recovery: "Leave out objects that were deleted.",
                    objectIDs: [object.objectID]
                )
            }
            guard let entity = object.context?.model.entity(named: entityName),
                object.entity.isKind(of: entity)
            else {
                throw ObjectGraphError(
                    .invalidRequest,
                    "\(object) is not of the entity \"\(entityName)\", so it cannot be flagged.",
                    recovery: "Use a DeferredDeletion of its own entity.",
                    objectIDs: [object.objectID]
                )
            }
            return (object, try type(in: object.entity))
        }
    }

    /// Deletes what is flagged, by the delete rules.
    ///
    /// - Parameters:
    ///   - context: where to delete; the next save writes it.
    ///   - time: only what was flagged before; needs a date.
    /// - Returns: how many objects were flagged.
    /// - Throws: `ObjectGraphError` for an unknown entity or key, or a key of another type.
    @discardableResult
    public func purge(
        in context: ManagedObjectContext,
        markedBefore time: Date? = nil
    ) throws -> Int {
        guard let entity = context.model.entity(named: entityName) else {
            throw ObjectGraphError(
                .invalidRequest,
                "The model has no entity named \"\(entityName)\".",
                key: entityName
            )
        }
        let type = try type(in: entity)
        var request = FetchRequest<ManagedObject>(entityName: entityName)
        request.predicate =
            type == .date ? comparison(.notEqual, .null) : comparison(.equal, true)
        if let time {
            if type != .date { throw wrongType(entity) }
            request.predicate = comparison(.less, .date(time))
        }
        let objects = try context.fetch(request)
        for object in objects { context.delete(object) }
        return objects.count
    }

    private func type(in entity: EntityDescription) throws -> AttributeType {
        if let attribute = entity.property(named: key) as? AttributeDescription,
            attribute.type == .boolean || attribute.type == .date
        {
            return attribute.type
        }
        throw wrongType(entity)
    }

    private func wrongType(_ entity: EntityDescription) -> ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "\(entity.name).\(key) cannot flag what is to be deleted.",
            recovery: "Use a date attribute, or a Boolean one if no time is asked for.",
            key: key
        )
    }
}
