import ObjectModel

/// What a class says about its entity beyond its properties.
///
///     class Item: ManagedObject {
///         @Managed var shelf: String
///         @Managed var place: Int
///
///         override class var entityOptions: EntityOptions {
///             EntityOptions(of: Item.self, abstract: true, unique: [[\.shelf, \.place]])
///         }
///     }
///
/// They count for the class that is named, not for those that inherit from it.
public struct EntityOptions: @unchecked Sendable {
    let type: ManagedObject.Type
    let isAbstract: Bool
    let unique: [[AnyKeyPath]]
    let indexes: [[AnyKeyPath]]
    let renamedFrom: String?

    /// - Parameters:
    ///   - type: the class.
    ///   - abstract: whether only its subclasses have objects.
    ///   - unique: attributes whose values together identify an object.
    ///   - indexes: attributes and to-one relationships that the store keeps an index of, in this
    ///     order.
    ///   - renamedFrom: the entity's name in an older version of the model.
    public init<Root: ManagedObject>(
        of type: Root.Type,
        abstract: Bool = false,
        unique: [[PartialKeyPath<Root>]] = [],
        indexes: [[PartialKeyPath<Root>]] = [],
        renamedFrom: String? = nil
    ) {
        self.type = type
        isAbstract = abstract
        self.unique = unique
        self.indexes = indexes
        self.renamedFrom = renamedFrom
    }

    /// Nothing to say.
    static let none = EntityOptions(of: ManagedObject.self)
}
