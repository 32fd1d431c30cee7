public import ObjectModel

/// How a derived attribute is computed at each save.
///
///     @Managed(derived: .count(\Author.books)) var bookCount: Int
///     @Managed(derived: .canonical(\Author.name)) var sortName: String?
///
/// The store keeps the value, so the property cannot be transient. Before the first save it is `nil`,
/// and so is a value that cannot be computed; a property that is not optional then reads as empty
/// (`""`, 0, `false`).
public struct DerivedValue: @unchecked Sendable {
    // Safety: key paths are immutable, and the functions below capture texts alone.

    /// Where the key paths begin, and what to do with the names that they lead along.
    let keyPaths: [AnyKeyPath]
    let expression: ([String]) -> String

    private init(_ keyPaths: [AnyKeyPath], _ expression: @escaping ([String]) -> String) {
        self.keyPaths = keyPaths
        self.expression = expression
    }

    /// The time of the save.
    public static let now = DerivedValue([]) { _ in "now()" }

    /// The value of another property, through to-one relationships: `.copy(\Book.author?.name)`.
    public static func copy<Root: ManagedObject, Property: GraphValueConvertible>(
        _ keyPath: KeyPath<Root, Property>
    ) -> DerivedValue { DerivedValue([keyPath]) { $0[0] } }

    /// A text without difference of case and accents, to search and sort by.
    public static func canonical<Root: ManagedObject, Text: TextProperty>(
        _ keyPath: KeyPath<Root, Text>
    ) -> DerivedValue { DerivedValue([keyPath]) { "canonical:(\($0[0]))" } }

    /// A text in capitals.
    public static func uppercase<Root: ManagedObject, Text: TextProperty>(
        _ keyPath: KeyPath<Root, Text>
    ) -> DerivedValue { DerivedValue([keyPath]) { "uppercase:(\($0[0]))" } }

    /// A text in small letters.
    public static func lowercase<Root: ManagedObject, Text: TextProperty>(
        _ keyPath: KeyPath<Root, Text>
    ) -> DerivedValue { DerivedValue([keyPath]) { "lowercase:(\($0[0]))" } }

    /// The number of members of a to-many relationship.
    public static func count<Root: ManagedObject, Members: Collection>(
        _ members: KeyPath<Root, Members>
    ) -> DerivedValue where Members.Element: ManagedObject {
        DerivedValue([members]) { "\($0[0]).@count" }
    }

    /// The sum of an attribute over the members of a to-many relationship.
    public static func sum<Root: ManagedObject, Members: Collection, Number: GraphValueConvertible>(
        _ members: KeyPath<Root, Members>,
        _ attribute: KeyPath<Members.Element, Number>
    ) -> DerivedValue where Members.Element: ManagedObject {
        combined(members, attribute, "@sum")
    }

    /// The mean of an attribute over the members of a to-many relationship.
    public static func average<
        Root: ManagedObject,
        Members: Collection,
        Number: GraphValueConvertible
    >(
        _ members: KeyPath<Root, Members>,
        _ attribute: KeyPath<Members.Element, Number>
    ) -> DerivedValue where Members.Element: ManagedObject {
        combined(members, attribute, "@avg")
    }

    /// The least value of an attribute of the members of a to-many relationship.
    public static func min<Root: ManagedObject, Members: Collection, Number: GraphValueConvertible>(
        _ members: KeyPath<Root, Members>,
        _ attribute: KeyPath<Members.Element, Number>
    ) -> DerivedValue where Members.Element: ManagedObject {
        combined(members, attribute, "@min")
    }

    /// The greatest value of an attribute of the members of a to-many relationship.
    public static func max<Root: ManagedObject, Members: Collection, Number: GraphValueConvertible>(
        _ members: KeyPath<Root, Members>,
        _ attribute: KeyPath<Members.Element, Number>
    ) -> DerivedValue where Members.Element: ManagedObject {
        combined(members, attribute, "@max")
    }

    private static func combined(
        _ members: AnyKeyPath,
        _ attribute: AnyKeyPath,
        _ operation: String
    ) -> DerivedValue { DerivedValue([members, attribute]) { "\($0[0]).\($0[1]).\(operation)" } }
}
