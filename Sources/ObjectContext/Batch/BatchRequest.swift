public import ObjectModel

/// Inserts many objects at once, without instances in the context.
public struct BatchInsert {
    public var entityName: String
    /// The values of each new object by name; the model's defaults for those left out.
    public var objects: [[String: Value]]

    public init(entityName: String, objects: [[String: Value]]) {
        self.entityName = entityName
        self.objects = objects
    }
}

/// Changes all objects that match at once, without instances in the context.
///
///     var update = BatchUpdate(entityName: "Task")
///     update.predicate = try FetchPredicate(format: "completed == nil")
///     update.values = ["priority": .constant(1)]
///     try context.execute(update, as: "Raise all")
public struct BatchUpdate {
    public var entityName: String
    public var predicate: FetchPredicate?
    public var includesSubentities = true
    /// The new values by name: constants, or expressions of the object as it was.
    ///
    /// Attributes and to-one relationships; a to-many one is an error.
    public var values: [String: FetchExpression] = [:]

    public init(entityName: String) { self.entityName = entityName }
}

/// Deletes all objects that match at once, without instances in the context.
public struct BatchDelete {
    /// Which objects; order and window count.
    public var request: FetchDescription

    public init(_ request: FetchDescription) { self.request = request }

    public init(entityName: String, predicate: FetchPredicate? = nil) {
        request = FetchDescription(entityName: entityName, predicate: predicate)
    }
}

/// What a batch request did.
public struct BatchResult: Sendable {
    /// The objects that were asked for, in order, new ones by their permanent IDs; then those that a
    /// deletion took along by cascades.
    public let objectIDs: [ManagedObjectID]
    /// Everything that was changed, also by cascades and nullified references.
    public let changes: ObjectIDChanges
}
