package import ObjectModel

/// The tables whose rows a search index has, with the searched attributes.
package struct SearchedTables {
    package struct Table {
        package let table: TableSchema
        /// The slots of searched attributes, by number of the entity in the model.
        fileprivate let slots: [UInt16: [Int]]

        package func slots(of entity: EntityDescription) -> [Int] { slots[entity.number] ?? [] }
    }

    /// By the number of the root entity.
    package private(set) var byRoot: [UInt16: Table] = [:]

    package init() {}

    /// The tables of a model's searched attributes.
    package init(_ schema: StoreSchema) {
        for table in schema.tables {
            var slots: [UInt16: [Int]] = [:]
            for entity in schema.entities where entity.table === table {
                let searched = entity.entity.storedAttributes.filter {
                    $0.isSearched && $0.type == .string
                }
                if !searched.isEmpty { slots[entity.entity.number] = searched.map(\.slot) }
            }
            if !slots.isEmpty { byRoot[table.root.number] = Table(table: table, slots: slots) }
        }
    }

    package func table(of entity: EntityDescription) -> Table? { byRoot[entity.root.number] }

    /// A text that differs between indexes of different attributes, or of differently folded texts;
    /// empty without a table.
    package func digest(_ schema: StoreSchema) -> String {
        if byRoot.isEmpty { return "" }
        var texts = ["fold 1"]
        for entity in schema.entities {
            guard let slots = table(of: entity.entity)?.slots[entity.entity.number] else {
                continue
            }
            texts.append(entity.entity.name)
            texts += slots.map { entity.entity.slots[$0].name }
        }
        return textDigest(texts)
    }
}
