package import ObjectModel

/// A store whose objects are in tables of a database that speaks SQL.
package protocol TableStore: PersistentStore {
    var schema: StoreSchema { get }
    var dialect: SQLDialect { get }
    /// Whether the database takes a statement; asked only where the statement is long or deep.
    func takes(_ statement: String) -> Bool
    /// The name of a number in the history; `nil` if there is none.
    func historyName(_ number: Int64) throws -> String?
    /// Where the store keeps the folded form of an attribute; `nil` where it does not.
    func foldedColumn(_ attribute: AttributeDescription) -> FoldedColumn?
    var keepsHistory: Bool { get }
    /// A transaction that is known without asking the database.
    func knownTransaction(_ number: Int64) -> HistoryTransaction?
    /// The rows of a query, with columns of some kinds.
    func select(
        _ sql: String,
        _ arguments: [SQLValue],
        as kinds: [RowLayout.Kind]
    ) throws -> [[SQLValue]]
    /// Replaces the history by rows that a closure inserts, in one transaction.
    func replaceHistory(
        _ fill: (_ insert: (HistoryTable, [[SQLValue]]) throws -> Void) throws -> Void
    ) throws
}

extension TableStore {
    package func foldedColumn(_ attribute: AttributeDescription) -> FoldedColumn? { nil }
    package func knownTransaction(_ number: Int64) -> HistoryTransaction? { nil }

    package func schema(of id: ManagedObjectID) -> EntitySchema? {
        let number = Int(id.entityNumber)
        return number < schema.byModelNumber.count ? schema.byModelNumber[number] : nil
    }

    /// Where the members of a relationship are; `nil` if the store does not hold it.
    package func storage(of relationship: RelationshipDescription) -> ToManyStorage? {
        relationship.entity.flatMap { schema.schema(of: $0) }?.toMany[relationship.slot]
    }

    /// The storage of an entity.
    /// - Throws: `ObjectGraphError` if another configuration's store holds it.
    package func requireSchema(of entity: EntityDescription) throws -> EntitySchema {
        if let schema = schema.schema(of: entity) { return schema }
        throw ObjectGraphError(
            .invalidRequest,
            "The store does not hold the entity \"\(entity.name)\".",
            recovery: "Ask the store whose configuration has it."
        )
    }
}
