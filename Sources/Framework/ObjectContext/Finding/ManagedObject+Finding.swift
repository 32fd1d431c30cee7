public import FoundationEssentials
public import ObjectModel

// Finders: what is fetched most often, in one line. The context is always given, never global;
// errors are thrown, as everywhere.
//
// A condition is a `Condition` (`\.year < 1816`), a closure (`{ $0.title.contains("sense") }`) or a
// predicate of Foundation (`#Predicate { … }`).

extension KeyValueCoding where Self: ManagedObject {
    /// A request for the objects of this class: `Task.fetchRequest()` fetches tasks.
    public static func fetchRequest() -> FetchRequest<Self> { FetchRequest<Self>() }

    // MARK: All

    /// All objects of the class that meet a condition, its subclasses' included.
    ///
    ///     let due = try Task.all(in: context, where: \.due < now, sortedBy: \.due, \.title)
    ///
    /// - Parameters:
    ///   - context: where to look; pending changes count.
    ///   - condition: what to look for; everything if it is left out.
    ///   - order: properties to sort by, in this order.
    ///   - relationships: what to load with one query a step.
    /// - Returns: the objects in order; pending changes count.
    /// - Throws: `ObjectGraphError` for a key path to something that is not a property, or the
    ///   store's error.
    public static func all(
        in context: ManagedObjectContext,
        where condition: Condition<Self>? = nil,
        sortedBy order: SortKeyPath<Self>...,
        prefetching relationships: SortKeyPath<Self>...
    ) throws -> [Self] { try found(in: context, condition, order, relationships) }

    /// All objects of the class that meet a condition written about the object.
    ///
    /// - Throws: as with a ``Condition``.
    public static func all(
        in context: ManagedObjectContext,
        where condition: (PropertyPath<Self, Self>) -> Condition<Self>,
        sortedBy order: SortKeyPath<Self>...,
        prefetching relationships: SortKeyPath<Self>...
    ) throws -> [Self] { try found(in: context, Condition(condition), order, relationships) }

    /// All objects of the class that meet a predicate of Foundation.
    ///
    /// - Throws: as with a ``Condition``, and `ObjectGraphError` that names the part of the predicate
    ///   which cannot be translated.
    public static func all(
        in context: ManagedObjectContext,
        where predicate: Predicate<Self>,
        sortedBy order: SortKeyPath<Self>...,
        prefetching relationships: SortKeyPath<Self>...
    ) throws -> [Self] { try found(in: context, Condition(predicate), order, relationships) }

    private static func found(
        in context: ManagedObjectContext,
        _ condition: Condition<Self>?,
        _ order: [SortKeyPath<Self>],
        _ relationships: [SortKeyPath<Self>]
    ) throws -> [Self] {
        var request = FetchRequest<Self>(condition?.predicate, order)
        request.relationshipKeyPathsForPrefetching = relationships.map { $0.modelKeyPath() }
        return try context.fetch(request)
    }

    // MARK: First

    /// The first object that meets a condition; `nil` if none does.
    ///
    /// - Throws: as ``all(in:where:sortedBy:prefetching:)-(_,Condition<Self>?,_,_)`` does.
    public static func first(
        in context: ManagedObjectContext,
        where condition: Condition<Self>? = nil,
        sortedBy order: SortKeyPath<Self>...
    ) throws -> Self? { try firstFound(in: context, condition, order) }

    /// The first object that meets a condition written about the object; `nil` if none does.
    ///
    /// - Throws: as with a ``Condition``.
    public static func first(
        in context: ManagedObjectContext,
        where condition: (PropertyPath<Self, Self>) -> Condition<Self>,
        sortedBy order: SortKeyPath<Self>...
    ) throws -> Self? { try firstFound(in: context, Condition(condition), order) }

    /// The first object that meets a predicate of Foundation; `nil` if none does.
    ///
    /// - Throws: as with a ``Condition``, and `ObjectGraphError` that names the part of the predicate
    ///   which cannot be translated.
    public static func first(
        in context: ManagedObjectContext,
        where predicate: Predicate<Self>,
        sortedBy order: SortKeyPath<Self>...
    ) throws -> Self? { try firstFound(in: context, Condition(predicate), order) }

    private static func firstFound(
        in context: ManagedObjectContext,
        _ condition: Condition<Self>?,
        _ order: [SortKeyPath<Self>]
    ) throws -> Self? {
        var request = FetchRequest<Self>(condition?.predicate, order)
        request.limit = 1
        return try context.fetch(request).first
    }

    /// The first object whose property has a value; `nil` finds one without.
    ///
    ///     let emma = try Book.find(by: \.title, "Emma", in: context)
    ///
    /// - Throws: the store's error, or `ObjectGraphError` for a key path to something that is not a
    ///   property.
    public static func find<Property: GraphValueConvertible>(
        by keyPath: RequestKeyPath<Self, Property>,
        _ value: Property,
        in context: ManagedObjectContext
    ) throws -> Self? { try first(in: context, where: keyPath == value) }

    // MARK: Count

    /// How many objects meet a condition; makes no instances.
    ///
    /// - Throws: as ``all(in:where:sortedBy:prefetching:)-(_,Condition<Self>?,_,_)`` does.
    public static func count(
        in context: ManagedObjectContext,
        where condition: Condition<Self>? = nil
    ) throws -> Int { try context.count(for: FetchRequest<Self>(where: condition)) }

    /// How many objects meet a condition written about the object.
    ///
    /// - Throws: as with a ``Condition``.
    public static func count(
        in context: ManagedObjectContext,
        where condition: (PropertyPath<Self, Self>) -> Condition<Self>
    ) throws -> Int { try count(in: context, where: Condition(condition)) }

    /// How many objects meet a predicate of Foundation.
    ///
    /// - Throws: as with a ``Condition``, and `ObjectGraphError` that names the part of the predicate
    ///   which cannot be translated.
    public static func count(
        in context: ManagedObjectContext,
        where predicate: Predicate<Self>
    ) throws -> Int { try count(in: context, where: Condition(predicate)) }

    // MARK: Delete

    /// Deletes all objects that meet a condition, by their delete rules; returns how many these were.
    ///
    /// They are pending deletions then, which undo takes back and the next save writes.
    ///
    /// - Throws: as ``all(in:where:sortedBy:prefetching:)-(_,Condition<Self>?,_,_)`` does.
    /// - Complexity: O(objects); a ``BatchDelete`` makes no instances.
    @discardableResult
    public static func deleteAll(
        in context: ManagedObjectContext,
        where condition: Condition<Self>? = nil
    ) throws -> Int {
        let objects = try all(in: context, where: condition)
        for object in objects { context.delete(object) }
        return objects.count
    }

    /// Deletes all objects that meet a condition written about the object.
    ///
    /// - Throws: as with a ``Condition``.
    @discardableResult
    public static func deleteAll(
        in context: ManagedObjectContext,
        where condition: (PropertyPath<Self, Self>) -> Condition<Self>
    ) throws -> Int { try deleteAll(in: context, where: Condition(condition)) }

    /// Deletes all objects that meet a predicate of Foundation.
    ///
    /// - Throws: as with a ``Condition``, and `ObjectGraphError` that names the part of the predicate
    ///   which cannot be translated.
    @discardableResult
    public static func deleteAll(
        in context: ManagedObjectContext,
        where predicate: Predicate<Self>
    ) throws -> Int { try deleteAll(in: context, where: Condition(predicate)) }

    // MARK: Find or create

    /// The objects for some values of an attribute; those that do not exist are made.
    ///
    /// An import of thousands of rows looks each photographer up once:
    ///
    ///     let known = try Photographer.findOrCreate(
    ///         by: \.name, rows.map(\.photographer), in: context)
    ///
    /// - Parameters:
    ///   - keyPath: an attribute that identifies an object.
    ///   - values: its values; one given twice counts once.
    ///   - context: where to look and to insert.
    ///   - configure: called with each new object, whose attribute is set already.
    /// - Returns: the objects by value. Of several that have the value already, the one that was
    ///   inserted first.
    /// - Throws: `ObjectGraphError` for a key path to something that is not a property, the store's
    ///   error, or what `configure` throws.
    /// - Complexity: one statement, however many values there are.
    @discardableResult
    public static func findOrCreate<Property: GraphValueConvertible & Hashable>(
        by keyPath: RequestKeyPath<Self, Property>,
        _ values: some Sequence<Property>,
        in context: ManagedObjectContext,
        configure: (Self) throws -> Void = { _ in }
    ) throws -> [Property: Self] {
        let key = keyPath.path().modelKeyPath
        var seen: Set<Property> = []
        let wanted = values.filter { !$0.value.isNull && seen.insert($0).inserted }
        if wanted.isEmpty { return [:] }
        let known = try all(in: context, where: keyPath.path().in(wanted))
        var result: [Property: Self] = [:]
        for object in known.sorted(by: { $0.objectID < $1.objectID }) {
            guard let value = Property(value: try object.value(forKey: key)) else { continue }
            if result[value] == nil { result[value] = object }
        }
        for value in wanted where result[value] == nil {
            let object = context.insert(Self.self)
            try object.setValue(value.value, forKey: key)
            try configure(object)
            result[value] = object
        }
        return result
    }
}
