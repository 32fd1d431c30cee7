public import ObjectModel

/// One key of an order of objects of one class.
///
/// A key path is an ascending one; more is said at its end:
///
///     sortedBy: \.author.name.localized, \.year.descending, \.title
public struct SortKey<Root: ManagedObject>: Hashable, Sendable {
    /// The same without the class.
    public var descriptor: FetchSortDescriptor

    /// A descriptor as a key of a class, which a request checks when it is made.
    public init(_ descriptor: FetchSortDescriptor) { self.descriptor = descriptor }

    /// A key path to a property, with or without a direction.
    public init(_ keyPath: SortKeyPath<Root>) { self = keyPath.sortKey() }

    /// The same key in the opposite direction.
    public var descending: SortKey { SortKey(descriptor.reversed) }
}

extension PropertyPath {
    private func key(_ comparison: FetchSortDescriptor.Comparison) -> SortKey<Root> {
        SortKey(super.key(comparison))
    }

    /// The order by this property: from the least to the greatest, `nil` first.
    public var ascending: SortKey<Root> { key(.binary) }

    /// The order by this property from the greatest to the least, `nil` last.
    public var descending: SortKey<Root> { ascending.descending }
}

extension PropertyPath where Property: TextProperty {
    /// The order that people expect of words: accents and case count last.
    public var localized: SortKey<Root> { key(.localized) }

    /// As ``localized``, digits compared as numbers: "a2" before "a10".
    public var localizedStandard: SortKey<Root> { key(.localizedStandard) }

    /// The order of words in which case does not count.
    public var localizedCaseInsensitive: SortKey<Root> { key(.localizedCaseInsensitive) }

    /// The order by Unicode scalars in which case does not count.
    public var caseInsensitive: SortKey<Root> { key(.caseInsensitive) }
}

/// An order as requests take it: key paths to properties, with or without a direction.
public typealias SortKeyPath<Root: ManagedObject> = PartialKeyPath<PropertyPath<Root, Root>>

extension PartialKeyPath {
    /// The key of an order; what is not a property becomes a key that the check of a request
    /// reports.
    func sortKey<Owner: ManagedObject>() -> SortKey<Owner>
    where Root == PropertyPath<Owner, Owner> {
        let term = PropertyPath<Owner, Owner>()[keyPath: self]
        // The types are compared first: a cast to one that it is not looks for more ways to cast.
        if Swift.type(of: term) == SortKey<Owner>.self, let key = term as? SortKey<Owner> {
            return key
        }
        if let path = term as? UntypedPropertyPath { return SortKey(path.key(.binary)) }
        return SortKey(FetchSortDescriptor(UndeclaredKeyPath.key(for: self)))
    }

    /// The model's key path; what is not a property becomes a key that the check of a request
    /// reports.
    func modelKeyPath<Owner: ManagedObject>() -> String
    where Root == PropertyPath<Owner, Owner> {
        let path = PropertyPath<Owner, Owner>()[keyPath: self] as? UntypedPropertyPath
        return path?.modelKeyPath ?? UndeclaredKeyPath.key(for: self)
    }
}
