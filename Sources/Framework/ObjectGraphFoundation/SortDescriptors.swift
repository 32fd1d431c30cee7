public import Foundation
public import ObjectContext
public import ObjectModel

// What of Foundation lies beyond its essentials: a program that loads Foundation anyway gives its
// sort descriptors to requests. A module of its own, so that other programs do not load it.

extension SortKey {
    /// A sort descriptor of Foundation as a key of an order; texts compare by their scalars, as
    /// Foundation's do here.
    ///
    ///     let key = try SortKey(SortDescriptor(\Book.year, order: .reverse))
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for a descriptor
    ///   without a key path.
    public init(_ descriptor: SortDescriptor<Root>) throws {
        guard let keyPath = descriptor.keyPath else {
            throw ObjectGraphError(
                .invalidRequest,
                "A SortDescriptor of \(Root.entityName) has no key path.",
                recovery: "Make it with a key path, as in SortDescriptor(\\Book.title)."
            )
        }
        self.init(
            FetchSortDescriptor(
                Root.modelKeyPath(of: keyPath),
                ascending: descriptor.order == .forward
            )
        )
    }
}

extension FetchRequest where Result: ManagedObject {
    /// A request sorted by descriptors of Foundation.
    ///
    ///     let request = try FetchRequest<Book>(
    ///         where: #Predicate { $0.year == nil }, sortedBy: [SortDescriptor(\.title)])
    ///
    /// - Throws: `ObjectGraphError` for a predicate that cannot be translated, or a descriptor without
    ///   a key path.
    public init(
        where predicate: Predicate<Result>? = nil,
        sortedBy descriptors: [SortDescriptor<Result>]
    ) throws {
        self.init(where: try predicate.map { try Condition($0) })
        order = try descriptors.map { try SortKey($0) }
    }

    /// Sorts by descriptors of Foundation.
    ///
    /// - Throws: `ObjectGraphError` for a descriptor without a key path.
    public mutating func sort(by descriptors: [SortDescriptor<Result>]) throws {
        order = try descriptors.map { try SortKey($0) }
    }
}

extension KeyValueCoding where Self: ManagedObject {
    /// All objects of the class that meet a condition, sorted by descriptors of Foundation.
    ///
    /// - Throws: `ObjectGraphError` for a key path to something that is not a property, a descriptor
    ///   without a key path, or the store's error.
    public static func all(
        in context: ManagedObjectContext,
        where condition: Condition<Self>? = nil,
        sortedBy descriptors: [SortDescriptor<Self>]
    ) throws -> [Self] {
        var request = FetchRequest<Self>(where: condition)
        try request.sort(by: descriptors)
        return try context.fetch(request)
    }

    /// All objects of the class that meet a predicate of Foundation, sorted by its descriptors.
    ///
    /// - Throws: as with a ``Condition``, and `ObjectGraphError` that names the part of the predicate
    ///   which cannot be translated.
    public static func all(
        in context: ManagedObjectContext,
        where predicate: Predicate<Self>,
        sortedBy descriptors: [SortDescriptor<Self>]
    ) throws -> [Self] {
        try context.fetch(FetchRequest<Self>(where: predicate, sortedBy: descriptors))
    }
}
