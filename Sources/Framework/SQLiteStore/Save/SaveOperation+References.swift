import ObjectModel
import ObjectStore

extension SaveOperation {
    /// Throws ``StoreConflict`` with the references that lead nowhere.
    func checkReferences() throws {
        if !plan.checksReferences { return }
        var conflict = StoreConflict()
        try findLost(&conflict)
        try findLeft(&conflict)
        if !conflict.isEmpty { throw conflict }
    }

    /// Finds what the plan refers to and is gone.
    private func findLost(_ conflict: inout StoreConflict) throws {
        let hasForeign = store.connection.hasForeignWrites
        if !hasForeign, !store.hasDeletedRows, plan.deleted.isEmpty { return }
        let references = PlannedReferences(plan, in: store, known: hasForeign ? nil : store.rows)
        var keys: [UInt16: [Int64]] = [:]
        for id in references.byDestination.keys.sorted() {
            guard let schema = store.schema(of: id) else { continue }
            keys[schema.entity.root.number, default: []].append(id.key)
        }
        for (number, keys) in keys.sorted(by: { $0.key < $1.key }) {
            guard let root = store.schema.byModelNumber[Int(number)] else { continue }
            var present: Set<Int64> = []
            for chunk in KeyChunks(keys) {
                let statement = try connection.statement(
                    "SELECT Z_PK FROM \(quoted(root.table.name)) WHERE Z_PK IN \(chunk.marks)"
                )
                defer { statement.reset() }
                chunk.bind(to: statement, from: 1)
                while try statement.step() { present.insert(statement.integer(0)) }
            }
            references.addLost(of: root.entity, besides: present, to: &conflict, store.rows)
        }
    }

    /// Finds who refers to what the plan deletes.
    private func findLeft(_ conflict: inout StoreConflict) throws {
        for column in store.schema.columns(referringTo: deletedIDs) {
            for chunk in KeyChunks(Array(column.destinations.keys)) {
                let statement = try connection.statement("\(column.selecting) IN \(chunk.marks)")
                defer { statement.reset() }
                chunk.bind(to: statement, from: 1)
                while try statement.step() {
                    let owner = store.id(number: statement.integer(1), key: statement.integer(0))
                    let reference = column.reference(of: owner, to: statement.integer(2))
                    if let reference { conflict.left.append(reference) }
                }
            }
        }
    }
}
