import FoundationEssentials
package import ObjectModel
package import ObjectStore

// A save, in one transaction and three round trips, two more for each COPY:
//   1. lock OG_STATE, give new objects their keys, read what the save has to compare;
//   2. compare; write rows, links, orders and history; look for references that lead nowhere;
//   3. commit; only then update the row cache.
// What is compared cannot change between 1 and 3, because every writer waits for the lock.

extension PostgreSQLStore {
    package func save(_ plan: SavePlan) throws -> SaveReceipt {
        if isReadOnly { throw ObjectGraphError.readOnly(self) }
        try resolve()
        if plan.isEmpty, changedMetadata.isEmpty {
            return SaveReceipt(transaction: 0, insertedIDs: [])
        }
        return try translatingServerErrors {
            do {
                return try run(plan)
            } catch let error as UniquenessFailure {
                // Two rows may exchange their values, or a new row may take the value that another
                // one gives up. Clear such values first, then write them.
                do { return try run(plan, setsUniqueValuesAside: true) } catch is UniquenessFailure
                { throw error.error }
            }
        }
    }

    /// Runs a save, again where the connection was lost before its COMMIT.
    private func run(
        _ plan: SavePlan,
        setsUniqueValuesAside: Bool = false
    ) throws -> SaveReceipt {
        for attempt in 0... {
            let save = PostgreSQLSave(plan, self, try connected())
            save.setsUniqueValuesAside = setsUniqueValuesAside
            do {
                return try save.run()
            } catch let error as PostgreSQLError
                where error.isLost || error.isPassing || error.isOfReader
            {
                // Another host of the address may be the one that writes now.
                if error.isLost || error.isOfReader { dropConnection() }
                guard save.wasCommitting, error.isLost else {
                    if attempt < 2 { continue }
                    throw error
                }
                unresolved = save.identifier
                if try isSaved(save) { return save.committed() }
                if attempt == 2 { throw error }
            }
        }
        return SaveReceipt(transaction: 0, insertedIDs: [])
    }

    /// Whether a save whose COMMIT had no answer is in the database.
    private func isSaved(_ save: PostgreSQLSave) throws -> Bool {
        do {
            let isThere = try contains(save.identifier)
            unresolved = nil
            return isThere
        } catch let error as PostgreSQLError where error.isLost {
            throw ObjectGraphError(
                .serverUnreachable,
                "The database server \(place.server) was lost during a save: nobody knows whether"
                    + " the save is in the store.",
                recovery:
                    "When the server is there again, save once more: that says what happened.",
                underlying: [error]
            )
        }
    }

    /// Looks for the last save, if it is not known what became of it.
    private func resolve() throws {
        guard let identifier = unresolved else { return }
        let isThere = try translatingServerErrors { try contains(identifier) }
        unresolved = nil
        guard isThere else { return }
        rows.removeAll()
        throw ObjectGraphError(
            .incompleteSave,
            "The save whose answer was lost is in the store.",
            recovery: "Read the objects again; a second save would write the same changes twice."
        )
    }

    private func contains(_ identifier: UUID) throws -> Bool {
        let connection = try connected()
        let bytes = SQLValue.blob(withUnsafeBytes(of: identifier.uuid) { Data($0) })
        // The lock waits until the old transaction has ended, which its server may not know yet.
        return try connection.transaction {
            try connection.lockState()
            if try connection.number("SELECT 1 FROM OG_STATE WHERE save = $1", bytes) != nil {
                return true
            }
            return try keepsHistory
                && connection.number("SELECT 1 FROM OG_TRANSACTION WHERE save = $1", bytes) != nil
        }
    }

    package func allocateIDs(
        _ count: Int,
        for entity: EntityDescription
    ) throws -> [ManagedObjectID] {
        let schema = try requireSchema(of: entity)
        if count <= 0 { return [] }
        guard let root = self.schema.schema(of: schema.table.root) else { return [] }
        let last = try perform { connection in
            try connection.number(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + $1 WHERE Z_ENT = $2 RETURNING Z_MAX",
                .integer(Int64(count)),
                .integer(root.number)
            )
        }
        let first = try firstKey(last, count: Int64(count), of: root)
        return (0..<Int64(count)).compactMap { id(number: schema.number, key: first + $0) }
    }
}
