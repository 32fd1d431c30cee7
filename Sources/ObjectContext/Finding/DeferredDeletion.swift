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
    /// - Throws: `ObjectGraphError` if the key is neither a Boolean nor a date.
    public func mark<T: ManagedObject>(
        _ objects: some Sequence<T>,
        at time: Date = Date()
    ) throws {
        for object in objects {
            let type = try type(in: object.entity)
            let value = try object.value(forKey: key)
            if value == true || (type == .date && !value.isNull) { continue }
            try object.setValue(type == .date ? .date(time) : true, forKey: key)
        }
    }

    /// Takes the flag away.
    public func restore<T: ManagedObject>(_ objects: some Sequence<T>) throws {
        for object in objects {
            let isDate = try type(in: object.entity) == .date
            try object.setValue(isDate ? .null : false, forKey: key)
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
