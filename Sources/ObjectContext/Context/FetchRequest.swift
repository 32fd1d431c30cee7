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

    /// A request from a template of a model, with values for its `$VARIABLES`.
    ///
    ///     let request = try FetchRequest<Task>(
    ///         template: "DueBefore", of: context.model, variables: ["DATE": .date(tomorrow)])
    ///
    /// - Throws: `ObjectGraphError` with code `invalidRequest` if the model has no such template.
    public init(
        template name: String,
        of model: ManagedObjectModel,
        variables: [String: Value] = [:]
    ) throws {
        description = try model.fetchRequest(fromTemplate: name, variables: variables)
    }

    public subscript<T>(dynamicMember keyPath: WritableKeyPath<FetchDescription, T>) -> T {
        get { description[keyPath: keyPath] }
        set { description[keyPath: keyPath] = newValue }
    }
}
