public import ObjectModel

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
/// They count for the class that is named; of those that inherit from it only the defaults do.
public struct EntityOptions: @unchecked Sendable {
    // Safety: key paths and classes are immutable.
    let type: ManagedObject.Type
    let isAbstract: Bool
    let unique: [[AnyKeyPath]]
    let indexes: [[AnyKeyPath]]
    let renamedFrom: String?
    let defaults: [(keyPath: AnyKeyPath, make: @Sendable () -> GraphValue)]

    /// - Parameters:
    ///   - type: the class.
    ///   - abstract: whether only its subclasses have objects.
    ///   - unique: attributes whose values together identify an object.
    ///   - indexes: attributes and to-one relationships that the store keeps an index of, in this
    ///     order.
    ///   - renamedFrom: the entity's name in an older version of the model.
    ///   - defaults: defaults of attributes that the class inherits, where they differ from those of
    ///     its parent: `[.init(\.legs, 4)]`. They count for the classes that inherit from it too.
    public init<Root: ManagedObject>(
        of type: Root.Type,
        abstract: Bool = false,
        unique: [[PartialKeyPath<Root>]] = [],
        indexes: [[PartialKeyPath<Root>]] = [],
        renamedFrom: String? = nil,
        defaults: [AttributeDefault<Root>] = []
    ) {
        self.type = type
        isAbstract = abstract
        self.unique = unique
        self.indexes = indexes
        self.renamedFrom = renamedFrom
        self.defaults = defaults.map { ($0.keyPath, $0.make) }
    }

    /// Nothing to say.
    static let none = EntityOptions(of: ManagedObject.self)
}

/// The default of an attribute in one class; see ``EntityOptions``.
public struct AttributeDefault<Root: ManagedObject> {
    let keyPath: AnyKeyPath
    let make: @Sendable () -> GraphValue

    /// - Parameters:
    ///   - keyPath: an attribute that the class inherits.
    ///   - value: its default, which is evaluated for each new object.
    public init<Property: GraphValueConvertible>(
        _ keyPath: KeyPath<Root, Property>,
        _ value: @autoclosure @escaping @Sendable () -> Property
    ) {
        self.keyPath = keyPath
        let make = { value().value }
        // Safety: around an expression that is sendable.
        nonisolated(unsafe) let sendable = make
        self.make = { sendable() }
    }
}
