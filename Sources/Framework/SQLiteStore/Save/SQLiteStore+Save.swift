import CSQLite
import FoundationEssentials
package import ObjectModel
package import ObjectStore

// A save, in one transaction:
//   1. give new objects their keys;
//   2. remove links, delete rows, insert rows, update rows, check references, add links, set orders;
//   3. commit; only then update the row cache.
// Each row and link that is written is reported to the row observers (`RowObserver.swift`), which
// write in the same transaction.
// Deletes come first so that a new object may have a deleted one's unique value.

extension SQLiteStore {
    package func save(_ plan: SavePlan) throws -> SaveReceipt {
        if isReadOnly { throw ObjectGraphError.readOnly(self) }
        if plan.isEmpty, changedMetadata.isEmpty {
            return SaveReceipt(transaction: 0, insertedIDs: [])
        }
        try place?.check("nothing was saved")
        return try translatingErrors {
            defer { foldLongLog() }
            do {
                return try run(SaveOperation(plan, self))
            } catch let error as UniquenessFailure {
                // Two rows may exchange their values, or a new row may take the value that another
                // one gives up. Clear such values first, then write them.
                let second = SaveOperation(plan, self)
                second.setsUniqueValuesAside = true
                do { return try run(second) } catch is UniquenessFailure { throw error.error }
            }
        }
    }

    private func run(_ operation: SaveOperation) throws -> SaveReceipt {
        do {
            try connection.transaction { try operation.write() }
            // The file may have been replaced during the write.
            try place?.check("the save is not in it")
        } catch {
            affected.objects = []
            operation.cancelled()
            throw error
        }
        changedMetadata = []
        if !operation.plan.deleted.isEmpty { hasDeletedRows = true }
        return operation.committed()
    }

    package func allocateIDs(
        _ count: Int,
        for entity: EntityDescription
    ) throws -> [ManagedObjectID] {
        let schema = try requireSchema(of: entity)
        if count <= 0 { return [] }
        try place?.check()
        return try translatingErrors {
            // Not synced: the save that uses the keys follows in the log and syncs both.
            try connection.execute("PRAGMA synchronous=NORMAL")
            defer { try? connection.execute("PRAGMA synchronous=FULL") }
            let first = try connection.transaction {
                try firstKey(of: schema, count: Int64(count))
            }
            return (0..<Int64(count)).compactMap { id(number: schema.number, key: first + $0) }
        }
    }

    /// Takes keys for new rows; inside a write transaction.
    func firstKey(of schema: EntitySchema, count: Int64) throws -> Int64 {
        guard let root = self.schema.schema(of: schema.table.root) else { return 1 }
        let last = try connection.integer(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX",
            .integer(count),
            .integer(root.number)
        )
        return try firstKey(last, count: count, of: root)
    }
}
