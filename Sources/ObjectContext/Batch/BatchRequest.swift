public import ObjectModel

/// Inserts many objects at once, without instances in the context.
public struct BatchInsert {
    public var entityName: String
    /// The values of each new object by name; a missing one gets the model's default.
    public var objects: [[String: Value]]

    public init(entityName: String, objects: [[String: Value]]) {
        self.entityName = entityName
        self.objects = objects
    }
}

/// Changes all matching objects at once, without instances in the context.
///
///     var update = BatchUpdate(entityName: "Task")
///     update.predicate = try FetchPredicate(format: "completed == nil")
///     update.values = ["priority": .constant(1)]
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
}

/// Deletes all matching objects at once, without instances in the context.
public struct BatchDelete {
    /// The objects to delete; order, limit and offset apply.
    public var request: FetchDescription

    public init(_ request: FetchDescription) { self.request = request }

    public init(entityName: String, predicate: FetchPredicate? = nil) {
        request = FetchDescription(entityName: entityName, predicate: predicate)
    }
}

/// The result of a batch request.
public struct BatchResult: Sendable {
    /// The matching objects, in order, new ones by their permanent IDs; then the objects that a
    /// deletion also deleted by cascades.
    public let objectIDs: [ManagedObjectID]
    /// All changed objects, also by cascades and nullified references.
    public let changes: ObjectIDChanges
}
