public import FoundationEssentials
public import ObjectModel

/// A fetch and the type of its results.
///
/// The result type decides what comes back: a class of managed objects, `ManagedObjectID`, or
/// `[String: GraphValue]` for dictionary results. A class is that of the entity: a request for books
/// cannot be one of authors.
///
///     var request = FetchRequest<Book>(where: \.year < 1816, sortedBy: \.title)
///     request.limit = 10
///     let books = try context.fetch(request)
///
/// For entities without a class of the program, `FetchRequest<ManagedObject>` names the entity.
@dynamicMemberLookup
public struct FetchRequest<Result> {
    /// What is asked for, without the type.
    public package(set) var description: FetchDescription

    package init(_ description: FetchDescription) {
        self.description = description
        if Result.self == [String: GraphValue].self { self.description.resultType = .dictionaries }
    }

    public subscript<T>(dynamicMember keyPath: WritableKeyPath<FetchDescription, T>) -> T {
        get { description[keyPath: keyPath] }
        set { description[keyPath: keyPath] = newValue }
    }

    public subscript<T>(dynamicMember keyPath: KeyPath<FetchDescription, T>) -> T {
        description[keyPath: keyPath]
    }
}

/// What a request returns without knowing a class: IDs, dictionaries, or the number of objects.
public protocol UntypedFetchResult {}

extension ManagedObjectID: UntypedFetchResult {}
extension Int: UntypedFetchResult {}
extension Dictionary: UntypedFetchResult where Key == String, Value == GraphValue {}

extension FetchRequest where Result: UntypedFetchResult {
    /// A request for an entity by name.
    public init(
        entityName: String,
        predicate: FetchPredicate? = nil,
        sortDescriptors: [FetchSortDescriptor] = []
    ) {
        self.init(
            FetchDescription(
                entityName: entityName,
                predicate: predicate,
                sortDescriptors: sortDescriptors
            )
        )
    }

    /// A request for the objects of a class.
    public init<Root: ManagedObject>(
        of type: Root.Type,
        where condition: Condition<Root>? = nil
    ) {
        self.init(entityName: type.entityName, predicate: condition?.predicate)
    }

    /// A request like another one, with another kind of result.
    public init<Root: ManagedObject>(_ request: FetchRequest<Root>) {
        self.init(request.description)
    }
}

extension FetchRequest where Result == ManagedObject {
    /// A request for an entity by name.
    public init(
        entityName: String,
        predicate: FetchPredicate? = nil,
        sortDescriptors: [FetchSortDescriptor] = []
    ) {
        self.init(
            FetchDescription(
                entityName: entityName,
                predicate: predicate,
                sortDescriptors: sortDescriptors
            )
        )
    }
}

extension FetchRequest where Result: ManagedObject {
    /// A request for the objects of a class.
    ///
    /// - Parameters:
    ///   - condition: what to look for; everything if it is left out.
    ///   - order: properties to sort by, in this order.
    public init(
        where condition: Condition<Result>? = nil,
        sortedBy order: SortKeyPath<Result>...
    ) { self.init(condition?.predicate, order) }

    /// A request for the objects of a class that meet a condition written about the object.
    public init(
        where condition: (PropertyPath<Result, Result>) -> Condition<Result>,
        sortedBy order: SortKeyPath<Result>...
    ) { self.init(Condition(condition).predicate, order) }

    /// A request for the objects of a class that meet a predicate of Foundation.
    ///
    /// - Throws: `ObjectGraphError` that names the part which cannot be translated.
    public init(
        where predicate: Predicate<Result>,
        sortedBy order: SortKeyPath<Result>...
    ) throws { self.init(try Condition(predicate).predicate, order) }

    init(_ predicate: FetchPredicate?, _ order: [SortKeyPath<Result>]) {
        self.init(
            FetchDescription(
                entityName: Result.entityName,
                predicate: predicate,
                sortDescriptors: order.map { $0.sortKey().descriptor }
            )
        )
    }

    /// The condition, as long as it was given for the class.
    public var condition: Condition<Result>? {
        get { description.predicate.map { Condition($0) } }
        set { description.predicate = newValue?.predicate }
    }

    /// The order.
    public var order: [SortKey<Result>] {
        get { description.sortDescriptors.map { SortKey($0) } }
        set { description.sortDescriptors = newValue.map(\.descriptor) }
    }

    /// Sorts by properties, in this order.
    public mutating func sort(by order: SortKeyPath<Result>...) {
        description.sortDescriptors = order.map { $0.sortKey().descriptor }
    }

    /// Loads what relationships lead to with one query a step: `\.author`, `\.author.books`.
    public mutating func prefetch(_ keyPaths: SortKeyPath<Result>...) {
        description.relationshipKeyPathsForPrefetching += keyPaths.map { $0.modelKeyPath() }
    }

    /// A request from a template of a model, with values for its `$VARIABLES`.
    ///
    ///     let request = try FetchRequest<Task>(
    ///         template: "DueBefore", of: context.model, variables: ["DATE": .date(tomorrow)])
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` if the model has
    ///   no such template, or one for another entity.
    public init(
        template name: String,
        of model: ManagedObjectModel,
        variables: [String: GraphValue] = [:]
    ) throws {
        let description = try model.fetchRequest(fromTemplate: name, variables: variables)
        if Result.self != ManagedObject.self, let wanted = model.entity(named: Result.entityName),
            let found = model.entity(named: description.entityName), !found.isKind(of: wanted)
        {
            throw ObjectGraphError(
                .invalidRequest,
                "The template \"\(name)\" finds objects of \(found.name), which are not of the class"
                    + " \(Result.self).",
                recovery: "Ask for objects of the class of \(found.name)."
            )
        }
        self.init(description)
    }
}
