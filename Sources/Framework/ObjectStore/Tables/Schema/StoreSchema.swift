package import ObjectModel

/// The layout of a store's file for one model.
///
/// It is Core Data's, so that both frameworks can open the file.
///
/// For a new file it comes from the model alone. For an existing file, entity numbers come from the
/// file, and names that depend on numbers are looked up in it, because a migration leaves old
/// numbers in names.
package struct StoreSchema {
    package let model: ManagedObjectModel
    /// In the order of their numbers in the model.
    package let entities: [EntitySchema]
    package let tables: [TableSchema]
    /// One description per join table, from the side that names it.
    package let joins: [JoinDefinition]
    /// By number in the model; `nil` for entities of other stores.
    package let byModelNumber: [EntitySchema?]
    /// By number in the file.
    package let byNumber: [EntitySchema?]

    package func schema(of entity: EntityDescription) -> EntitySchema? {
        Int(entity.number) < byModelNumber.count ? byModelNumber[Int(entity.number)] : nil
    }

    /// The entity and its descendants that the store holds.
    package func hierarchy(of entity: EntityDescription) -> [EntitySchema] {
        (entity.number...entity.lastNumber).compactMap { byModelNumber[Int($0)] }
    }
}

package struct JoinDefinition {
    package let table: String
    package let columns: [String]
    package let orderColumns: [String]

    package init(
        table: String,
        columns: [String],
        orderColumns: [String]
    ) {
        self.table = table
        self.columns = columns
        self.orderColumns = orderColumns
    }
}

/// The tables and columns of an existing file, by upper-case name.
package struct ExistingTables {
    package var columns: [String: Set<String>] = [:]
    /// `Z_ENT` by entity name.
    package var numbers: [String: Int64] = [:]

    package init(
        columns: [String: Set<String>] = [:],
        numbers: [String: Int64] = [:]
    ) {
        self.columns = columns
        self.numbers = numbers
    }
}

extension StoreSchema {
    /// The layout for the entities of a configuration.
    ///
    /// - Throws: `ObjectGraphError` if an existing file lacks a table or a column.
    package init(
        model: ManagedObjectModel,
        configuration: String?,
        existing: ExistingTables? = nil,
        externalFolder: String? = nil,
        dialect: SQLDialect = .sqlite
    ) throws {
        let members = model.storedEntities(in: configuration)
        var builder = SchemaBuilder(
            existing: existing,
            externalFolder: externalFolder,
            dialect: dialect
        )
        for (index, entity) in members.enumerated() {
            try builder.add(entity, number: existing?.numbers[entity.name] ?? Int64(index + 1))
        }
        try builder.addColumns()
        try builder.addRelationships()
        self.model = model
        entities = builder.entities
        tables = builder.tables
        joins = builder.joins
        var byModelNumber = [EntitySchema?](repeating: nil, count: model.entitiesByNumber.count)
        let last = entities.map(\.number).max() ?? 0
        var byNumber = [EntitySchema?](repeating: nil, count: Int(last) + 1)
        for schema in entities {
            byModelNumber[Int(schema.entity.number)] = schema
            byNumber[Int(schema.number)] = schema
        }
        self.byModelNumber = byModelNumber
        self.byNumber = byNumber
    }
}
