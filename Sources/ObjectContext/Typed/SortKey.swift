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
        var text = "self"
        if case .keyPath(let path) = fetchExpression { text = path }
        return SortKey(FetchSortDescriptor(text, comparison: comparison))
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

/// A key path that an order can name: to a property, or to a property and its direction.
protocol SortTerm {
    var descriptor: FetchSortDescriptor { get }
}

extension SortKey: SortTerm {}

extension PropertyPath: SortTerm {
    var descriptor: FetchSortDescriptor { ascending.descriptor }
}

/// An order as requests take it: key paths to properties, with or without a direction.
public typealias SortKeyPath<Root: ManagedObject> = PartialKeyPath<PropertyPath<Root, Root>>

extension PartialKeyPath {
    /// The key of an order; what is not a property becomes a key that the check of a request
    /// reports.
    func sortKey<Owner: ManagedObject>() -> SortKey<Owner>
    where Root == PropertyPath<Owner, Owner> {
        let term = PropertyPath<Owner, Owner>()[keyPath: self] as? any SortTerm
        return SortKey(
            term?.descriptor ?? FetchSortDescriptor(UndeclaredKeyPath.key(for: self))
        )
    }

    /// The model's key path; what is not a property becomes a key that the check of a request
    /// reports.
    func modelKeyPath<Owner: ManagedObject>() -> String
    where Root == PropertyPath<Owner, Owner> {
        let path = PropertyPath<Owner, Owner>()[keyPath: self] as? any KeyPathTerm
        return path?.modelKeyPath ?? UndeclaredKeyPath.key(for: self)
    }
}

/// A key path that leads to a property.
protocol KeyPathTerm {
    /// The model's key path: `author.name`, collection operators included.
    var modelKeyPath: String { get }
}

extension PropertyPath: KeyPathTerm {
    var modelKeyPath: String {
        if case .keyPath(let text) = fetchExpression { return text }
        return UndeclaredKeyPath.key(for: "\(fetchExpression)")
    }
}
