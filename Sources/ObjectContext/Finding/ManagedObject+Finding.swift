public import ObjectModel

// Finders: what is fetched most often, in one line. The context is always given, never global;
// errors are thrown, as everywhere.

extension KeyValueCoding where Self: ManagedObject {
    /// All objects of the class that match, its subclasses' included.
    ///
    ///     let due = try Task.all(in: context, where: FetchPredicate(format: "due < %@", now),
    ///                            sortedBy: [FetchSortDescriptor("due")], prefetching: ["list"])
    ///
    /// - Parameters:
    ///   - context: where to look; pending changes count.
    ///   - predicate: what to look for; `nil` for everything.
    ///   - order: how to sort.
    ///   - keyPaths: relationships to load with one query a step.
    /// - Returns: the objects in order; pending changes count.
    /// - Throws: `ObjectGraphError` for an unknown key, or the store's error.
    public static func all(
        in context: ManagedObjectContext,
        where predicate: FetchPredicate? = nil,
        sortedBy order: [FetchSortDescriptor] = [],
        prefetching keyPaths: [String] = []
    ) throws -> [Self] {
        var request = fetchRequest()
        request.predicate = predicate
        request.sortDescriptors = order
        request.relationshipKeyPathsForPrefetching = keyPaths
        return try context.fetch(request)
    }

    /// The first object that matches; `nil` if none does.
    public static func first(
        in context: ManagedObjectContext,
        where predicate: FetchPredicate? = nil,
        sortedBy order: [FetchSortDescriptor] = []
    ) throws -> Self? {
        var request = fetchRequest()
        request.predicate = predicate
        request.sortDescriptors = order
        request.limit = 1
        return try context.fetch(request).first
    }

    /// The first object whose property has a value; `nil` finds one without.
    public static func find(
        by key: String,
        _ value: (any ValueConvertible)?,
        in context: ManagedObjectContext
    ) throws -> Self? {
        let wanted = FetchExpression.constant(value?.value ?? .null)
        return try first(
            in: context,
            where: .comparison(FetchComparison(.keyPath(key), .equal, wanted))
        )
    }

    /// How many objects match; makes no instances.
    public static func count(
        in context: ManagedObjectContext,
        where predicate: FetchPredicate? = nil
    ) throws -> Int {
        var request = fetchRequest()
        request.predicate = predicate
        return try context.count(for: request)
    }

    /// Deletes all objects that match, by their delete rules; returns how many these were.
    ///
    /// They are pending deletions then, which undo takes back and the next save writes.
    @discardableResult
    public static func deleteAll(
        in context: ManagedObjectContext,
        where predicate: FetchPredicate? = nil
    ) throws -> Int {
        let objects = try all(in: context, where: predicate)
        for object in objects { context.delete(object) }
        return objects.count
    }

    /// The objects for some values of a key, those that do not exist made.
    ///
    /// An import of thousands of rows looks each photographer up once:
    ///
    ///     let names = rows.map { Value.string($0.photographer) }
    ///     let known = try Photographer.findOrCreate(by: "name", names, in: context)
    ///
    /// - Parameters:
    ///   - key: an attribute that identifies an object.
    ///   - values: its values; one given twice counts once, `nil` is left out.
    ///   - context: where to look and to insert.
    ///   - configure: called with each new object, whose key is set already.
    /// - Returns: the objects by value. Of several that have the value already, the one that was
    ///   inserted first.
    /// - Throws: `ObjectGraphError` for an unknown key, the store's error, or what `configure`
    ///   throws.
    /// - Complexity: one statement, however many values there are.
    @discardableResult
    public static func findOrCreate(
        by key: String,
        _ values: some Sequence<Value>,
        in context: ManagedObjectContext,
        configure: (Self) throws -> Void = { _ in }
    ) throws -> [Value: Self] {
        var seen: Set<Value> = []
        let wanted = values.filter { !$0.isNull && seen.insert($0).inserted }
        if wanted.isEmpty { return [:] }
        let known = try all(
            in: context,
            where: .comparison(FetchComparison(.keyPath(key), .in, .constant(.array(wanted))))
        )
        var result: [Value: Self] = [:]
        for object in known.sorted(by: { $0.objectID < $1.objectID }) {
            let value = try object.value(forKey: key)
            if result[value] == nil { result[value] = object }
        }
        for value in wanted where result[value] == nil {
            let object = context.insert(Self.self)
            try object.setValue(value, forKey: key)
            try configure(object)
            result[value] = object
        }
        return result
    }
}
