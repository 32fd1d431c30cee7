public import ObjectContext
public import ObjectModel

/// What a column of seeds is for.
///
/// A column that a ``SeedTable`` does not list is `since` if it has that name, else an attribute.
public struct SeedColumn: Sendable {
    enum Role: Sendable {
        case attribute(String)
        case object(String, key: String, creates: Bool)
        case row(String)
        case label
        case since
        case ignored
        case custom(@Sendable (GraphValue, ManagedObject) throws -> Void)
    }

    let role: Role

    /// An attribute, whose type the text is converted to; see ``ValueCoercion``.
    ///
    /// An empty field of CSV leaves the default value of the attribute; `""` is an empty text.
    public static func attribute(_ key: String) -> SeedColumn { SeedColumn(role: .attribute(key)) }

    /// A relationship to the object that has the value as its key: `.object("category", by:
    /// "name")`.
    ///
    /// For a to-many relationship, values are separated by `;`, or an array in JSON.
    ///
    /// - Parameters:
    ///   - relationship: its name.
    ///   - key: the unique attribute of the destination.
    ///   - creates: whether a missing object is inserted; otherwise it is an error.
    /// - Returns: the column.
    public static func object(
        _ relationship: String,
        by key: String,
        creates: Bool = false
    ) -> SeedColumn { SeedColumn(role: .object(relationship, key: key, creates: creates)) }

    /// A relationship to another row of the plan, by its label.
    public static func row(_ relationship: String) -> SeedColumn {
        SeedColumn(role: .row(relationship))
    }

    /// The row's name within the plan, for ``row(_:)``.
    public static var label: SeedColumn { SeedColumn(role: .label) }

    /// The version of the plan that brought the row; 1 if it is empty.
    public static var since: SeedColumn { SeedColumn(role: .since) }

    /// Nothing: a remark.
    public static var ignored: SeedColumn { SeedColumn(role: .ignored) }

    /// Code of the program; called for each row that has a value, before relationships are set.
    public static func custom(
        _ body: @escaping @Sendable (_ value: GraphValue, _ object: ManagedObject) throws -> Void
    ) -> SeedColumn { SeedColumn(role: .custom(body)) }
}

/// Seeds of one entity: rows of a CSV or JSON text, and what their columns mean.
public struct SeedTable: Sendable {
    enum Source: Sendable {
        case csv([UInt8])
        case json([UInt8])
    }

    let entityName: String
    let source: Source
    let columns: [String: SeedColumn]
    let unique: String?

    /// Rows of comma-separated values; the first row names the columns.
    ///
    /// - Parameters:
    ///   - entityName: what each row becomes.
    ///   - csv: the text as RFC 4180 has it, in UTF-8.
    ///   - columns: what columns are for that are not simply attributes.
    ///   - unique: the attribute by which a row is known that is in the store already; such a row
    ///     is left out. By default the entity's uniqueness constraint, if that is one attribute.
    public init(
        _ entityName: String,
        csv: some Sequence<UInt8>,
        columns: [String: SeedColumn] = [:],
        unique: String? = nil
    ) {
        self.init(entityName, .csv(Array(csv)), columns, unique)
    }

    /// The objects of a JSON array; their keys are the columns.
    ///
    /// - Parameters: as for CSV.
    public init(
        _ entityName: String,
        json: some Sequence<UInt8>,
        columns: [String: SeedColumn] = [:],
        unique: String? = nil
    ) {
        self.init(entityName, .json(Array(json)), columns, unique)
    }

    private init(
        _ entityName: String,
        _ source: Source,
        _ columns: [String: SeedColumn],
        _ unique: String?
    ) {
        self.entityName = entityName
        self.source = source
        self.columns = columns
        self.unique = unique
    }
}
