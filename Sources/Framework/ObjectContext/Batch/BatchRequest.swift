public import ObjectModel

/// Inserts many objects at once, without instances in the context.
public struct BatchInsert {
    public var entityName: String
    /// The values of each new object by name; a missing one gets the model's default.
    public var objects: [[String: GraphValue]]

    public init(entityName: String, objects: [[String: GraphValue]]) {
        self.entityName = entityName
        self.objects = objects
    }

    /// New objects of a class.
    public init(of type: ManagedObject.Type, objects: [[String: GraphValue]]) {
        self.init(entityName: type.entityName, objects: objects)
    }
}

/// Changes all matching objects at once, without instances in the context.
///
///     let update = BatchUpdate(of: Task.self, where: \.completed == nil, .set(\.priority, to: 1))
///     try context.execute(update, as: "Raise all")
public struct BatchUpdate {
    public var entityName: String
    public var predicate: FetchPredicate?
    public var includesSubentities = true
    /// The new values by name: constants, or expressions that are evaluated on the old values of
    /// the object.
    ///
    /// Attributes and to-one relationships; a to-many one is an error.
    public var values: [String: FetchExpression] = [:]

    public init(entityName: String) { self.entityName = entityName }

    /// - Parameters:
    ///   - type: the class, subclasses included.
    ///   - condition: which objects; all if it is left out.
    ///   - assignments: the new values.
    public init<Root: ManagedObject>(
        of type: Root.Type,
        where condition: Condition<Root>? = nil,
        _ assignments: Assignment<Root>...
    ) {
        entityName = type.entityName
        predicate = condition?.predicate
        for assignment in assignments { values[assignment.key] = assignment.expression }
    }
}

/// A new value of a property in a ``BatchUpdate``.
public struct Assignment<Root: ManagedObject> {
    let key: String
    let expression: FetchExpression

    /// Sets a property to a value.
    public static func set<Property: GraphValueConvertible>(
        _ keyPath: RequestKeyPath<Root, Property>,
        to value: Property
    ) -> Assignment {
        Assignment(key: keyPath.path().modelKeyPath, expression: .constant(value.value))
    }

    /// Sets a property to what the object has in another one.
    public static func set<Property>(
        _ keyPath: RequestKeyPath<Root, Property>,
        to other: RequestKeyPath<Root, Property>
    ) -> Assignment {
        Assignment(key: keyPath.path().modelKeyPath, expression: other.path().fetchExpression)
    }

    /// Sets a to-one relationship; `nil` for none.
    public static func set<Target: ManagedObject>(
        _ keyPath: RequestKeyPath<Root, Target?>,
        to object: Target?
    ) -> Assignment {
        Assignment(
            key: keyPath.path().modelKeyPath,
            expression: .constant(object.map { .object($0) } ?? .null)
        )
    }
}

/// Deletes all matching objects at once, without instances in the context.
public struct BatchDelete {
    /// The objects to delete; order, limit and offset apply.
    public var request: FetchDescription

    public init(_ request: FetchDescription) { self.request = request }

    public init(entityName: String, predicate: FetchPredicate? = nil) {
        request = FetchDescription(entityName: entityName, predicate: predicate)
    }

    /// All objects of a class that meet a condition, subclasses included.
    public init<Root: ManagedObject>(
        of type: Root.Type,
        where condition: Condition<Root>? = nil
    ) { self.init(entityName: type.entityName, predicate: condition?.predicate) }
}

/// The result of a batch request.
public struct BatchResult: Sendable {
    /// The matching objects, in order, new ones by their permanent IDs; then the objects that a
    /// deletion also deleted by cascades.
    public let objectIDs: [ManagedObjectID]
    /// All changed objects, also by cascades and nullified references.
    public let changes: ObjectIDChanges
}
