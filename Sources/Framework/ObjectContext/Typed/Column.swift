public import FoundationEssentials
public import ObjectModel

/// A column of a dictionary fetch of objects of one class: a property, or what is computed of a
/// group.
///
///     let request = FetchRequest<[String: GraphValue]>(
///         of: Book.self,
///         columns: [.property(\.author.name), .count(\.title, as: "books"), .sum(\.pages)],
///         groupedBy: \.author.name)
///
/// The key in the result is the model's key path (`author.name`), or the name that is given.
public struct Column<Root: ManagedObject>: Hashable {
    /// The same without the class.
    public let column: FetchDescription.Column

    /// A column as a column of a class, which a request checks when it is made.
    public init(_ column: FetchDescription.Column) { self.column = column }

    /// A property, also one of an object that a to-one relationship leads to.
    public static func property(_ keyPath: SortKeyPath<Root>, as name: String? = nil) -> Column {
        let path = keyPath.modelKeyPath()
        return Column(.init(name ?? path, .keyPath(path)))
    }

    /// How many objects of the group have a value.
    public static func count(_ keyPath: SortKeyPath<Root>, as name: String = "count") -> Column {
        computed("count:", keyPath, name, .integer64)
    }

    /// The sum of a number over the group.
    public static func sum(_ keyPath: SortKeyPath<Root>, as name: String = "sum") -> Column {
        computed("sum:", keyPath, name, nil)
    }

    /// The mean of a number over the group.
    public static func average(
        _ keyPath: SortKeyPath<Root>,
        as name: String = "average"
    ) -> Column { computed("average:", keyPath, name, .double) }

    /// The least value of the group.
    public static func min(_ keyPath: SortKeyPath<Root>, as name: String = "min") -> Column {
        computed("min:", keyPath, name, nil)
    }

    /// The greatest value of the group.
    public static func max(_ keyPath: SortKeyPath<Root>, as name: String = "max") -> Column {
        computed("max:", keyPath, name, nil)
    }

    /// How many objects of the group meet a condition.
    public static func count(where condition: Condition<Root>, as name: String) -> Column {
        let one = FetchExpression.conditional(
            condition.predicate,
            .constant(.int(1)),
            .constant(.int(0))
        )
        return Column(.init(name, .function("sum:", [one]), type: .integer64))
    }

    /// How many whole spans of time lie between a moment and a date: objects with the same number
    /// form groups of an hour, a day or a week.
    ///
    /// The number is a `Double` without a fraction, negative before the moment, and `nil` without
    /// a date. Days of a calendar are not all of one length: count them in shorter spans that no
    /// day begins within, such as of a quarter of an hour.
    public static func spans(
        of seconds: Int,
        since origin: Date,
        to keyPath: SortKeyPath<Root>,
        as name: String = "span"
    ) -> Column {
        let passed = FetchExpression.function(
            "from:subtract:",
            [.keyPath(keyPath.modelKeyPath()), .constant(.date(origin))]
        )
        let number = FetchExpression.function(
            "divide:by:",
            [passed, .constant(.double(Double(seconds)))]
        )
        return Column(.init(name, .function("floor:", [number]), type: .double))
    }

    /// How many members a relationship of the object has, or those that meet a condition:
    /// `.count(of: { $0.books.filter { $0.year < 1816 } }, as: "early")`.
    public static func count<Members: Collection>(
        of members: (PropertyPath<Root, Root>) -> PropertyPath<Root, Members>,
        as name: String
    ) -> Column where Members.Element: ManagedObject {
        let path = members(PropertyPath(.closureObject)).fetchExpression
        return Column(.init(name, .function("count:", [path.withObjectOfClosure])))
    }

    /// The object, by its ID.
    public static func object(as name: String) -> Column { Column(.init(name, .evaluatedObject)) }

    private static func computed(
        _ function: String,
        _ keyPath: SortKeyPath<Root>,
        _ name: String,
        _ type: AttributeType?
    ) -> Column {
        Column(.init(name, .function(function, [.keyPath(keyPath.modelKeyPath())]), type: type))
    }
}

extension FetchRequest where Result == [String: GraphValue] {
    /// A request for columns of the objects of a class, as dictionaries; saved state only.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - columns: what to compute; every attribute if there are none.
    ///   - group: properties by which objects form groups.
    ///   - condition: which objects count.
    ///   - order: how to sort the objects, or the groups.
    public init<Root: ManagedObject>(
        of type: Root.Type,
        columns: [Column<Root>],
        groupedBy group: SortKeyPath<Root>...,
        where condition: Condition<Root>? = nil,
        sortedBy order: SortKeyPath<Root>...
    ) {
        self.init(
            entityName: type.entityName,
            predicate: condition?.predicate,
            sortDescriptors: order.map { $0.sortKey().descriptor }
        )
        self.propertiesToFetch = columns.map(\.column)
        self.propertiesToGroupBy = group.map { .init($0.modelKeyPath()) }
    }

    /// A request for columns of groups that computed columns form; saved state only.
    ///
    ///     let day = Column<Loan>.spans(of: 86_400, since: start, to: \.returned, as: "day")
    ///     let request = FetchRequest<[String: GraphValue]>(
    ///         of: Loan.self, columns: [day, .count(\.returned)], groupedBy: [day])
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - columns: what to compute.
    ///   - group: the columns whose values objects of a group have in common.
    ///   - condition: which objects count.
    public init<Root: ManagedObject>(
        of type: Root.Type,
        columns: [Column<Root>],
        groupedBy group: [Column<Root>],
        where condition: Condition<Root>? = nil
    ) {
        self.init(entityName: type.entityName, predicate: condition?.predicate)
        self.propertiesToFetch = columns.map(\.column)
        self.propertiesToGroupBy = group.map(\.column)
    }
}

extension KeyValueCoding where Self: ManagedObject {
    /// The values of one property of the objects that meet a condition; saved state only, no
    /// instances are made.
    ///
    ///     let titles = try Book.values(of: \.title, in: context, where: \.year < 1816)
    ///
    /// - Parameters:
    ///   - keyPath: the property.
    ///   - context: where to look.
    ///   - condition: which objects count.
    ///   - order: how to sort them.
    ///   - limit: the most values; 0 = all.
    /// - Returns: the values, one for each object that has one.
    /// - Throws: `ObjectGraphError` for a key path to something that is not a property and for a
    ///   stored value that the property's type cannot hold, or the store's error.
    public static func values<Property: GraphValueConvertible>(
        of keyPath: RequestKeyPath<Self, Property>,
        in context: ManagedObjectContext,
        where condition: Condition<Self>? = nil,
        sortedBy order: SortKeyPath<Self>...,
        limit: Int = 0
    ) throws -> [Property] {
        let key = keyPath.path().modelKeyPath
        var request = FetchRequest<[String: GraphValue]>(
            entityName: entityName,
            predicate: condition?.predicate,
            sortDescriptors: order.map { $0.sortKey().descriptor }
        )
        request.propertiesToFetch = [.init(key)]
        request.limit = limit
        return try context.fetch(request).compactMap { row in
            let value = row[key] ?? .null
            if let result = Property(value: value) { return result }
            if value.isNull { return nil }
            throw ObjectGraphError(
                .wrongValueKind,
                "\(entityName).\(key) takes \("\(Property.self)".withArticle), and the"
                    + " \(value.kindName) of an object is not one. Fetch the property as a GraphValue"
                    + " to find it.",
                key: key,
                value: value
            )
        }
    }

    /// The model's name of a property, for what works by key: `Book.key(\.title)` is `title`.
    public static func key(_ keyPath: SortKeyPath<Self>) -> String { keyPath.modelKeyPath() }
}

extension ManagedObjectModel {
    /// The entity of a class.
    ///
    /// - Complexity: a dictionary lookup.
    public func entity(of type: ManagedObject.Type) -> EntityDescription? {
        entity(named: type.entityName)
    }
}

extension PropertyPath where Property: ManagedObject {
    /// The same object as one of a subclass; what only that has is `nil` for other objects.
    ///
    ///     try Item.all(in: context, where: { $0.as(Task.self).completed == nil })
    public func `as`<Subclass: ManagedObject>(
        _ type: Subclass.Type
    ) -> PropertyPath<Root, Subclass> { PropertyPath<Root, Subclass>(fetchExpression) }
}

extension SortKey {
    /// A key written about the object, as where a property of a subclass is named:
    /// `SortKey<Item> { $0.as(Task.self).due.descending }`.
    public init(_ key: (PropertyPath<Root, Root>) -> SortKey) { self = key(PropertyPath()) }
}

extension KeyValueCoding where Self: ManagedObject {
    /// The model's key path for a Swift one; what is not a property becomes a key that the check of
    /// a request reports.
    package static func modelKeyPath(of keyPath: AnyKeyPath) -> String {
        ClassDeclaration.of(Self.self).key(keyPath)
    }
}
