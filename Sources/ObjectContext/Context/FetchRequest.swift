public import ObjectModel

/// A fetch and the type of its results.
///
/// The result type decides what comes back: a class of managed objects, `ManagedObjectID`, or
/// `[String: Value]` for dictionary results.
///
///     var request = Task.fetchRequest()
///     request.predicate = try FetchPredicate(format: "due < %@", Date())
///     request.sortDescriptors = [FetchSortDescriptor("displayOrder")]
///     let tasks = try context.fetch(request)
@dynamicMemberLookup
public struct FetchRequest<Result> {
    /// What is asked for, without the type.
    public var description: FetchDescription

    public init(_ description: FetchDescription) { self.description = description }

    public init(
        entityName: String,
        predicate: FetchPredicate? = nil,
        sortDescriptors: [FetchSortDescriptor] = []
    ) {
        description = FetchDescription(
            entityName: entityName,
            predicate: predicate,
            sortDescriptors: sortDescriptors
        )
    }

    public subscript<T>(dynamicMember keyPath: WritableKeyPath<FetchDescription, T>) -> T {
        get { description[keyPath: keyPath] }
        set { description[keyPath: keyPath] = newValue }
    }
}
