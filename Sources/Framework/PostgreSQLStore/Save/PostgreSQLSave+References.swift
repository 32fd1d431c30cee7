import ObjectModel
import ObjectStore

// The references are compared with the rows under the lock, before anything is written.

extension PostgreSQLSave {
    /// Reads what is compared before the writing.
    ///
    /// That others have saved may be found out only with the lock; then ``findLost()`` is asked behind
    /// the writing.
    func readReferences() throws {
        hasReadReferences =
            store.serial - store.ownSaves != store.firstMark || store.hasDeletedRows
            || !plan.deleted.isEmpty
        if !hasReadReferences { return }
        try findLost(amongOthers: true)
        try findLeft()
    }

    // MARK: What the plan refers to

    /// Finds references of the plan to rows that are gone.
    ///
    /// - Parameter isAmongOthers: whether others may have saved; if false, it is looked for.
    /// - Throws: ``PostgreSQLError``.
    func findLost(amongOthers isAmongOthers: Bool = false) throws {
        // Others have saved if the number of saves is not that of the opening and our own.
        let hasForeign = isAmongOthers || store.serial - store.ownSaves != store.firstMark
        if !hasForeign, !store.hasDeletedRows, plan.deleted.isEmpty { return }
        let references = PlannedReferences(plan, in: store, known: hasForeign ? nil : store.rows)
        for (root, keys) in store.keysByRoot(references.byDestination.keys) {
            let place = try connection.enqueue(
                "SELECT Z_PK FROM \(quoted(root.table.name)) WHERE Z_PK = ANY($1)",
                list: keys.sorted()
            )
            whenFinished(place) { [unowned self] rows in
                let present = Set((0..<rows.count).map { rows.integer($0, 0) })
                references.addLost(
                    of: root.entity,
                    besides: present,
                    to: &badReferences,
                    store.rows
                )
            }
        }
    }

    /// Finds who refers to what the plan deletes and is not written by it.
    private func findLeft() throws {
        let gone = Set(plan.deleted.map(\.id))
        let updated = Dictionary(plan.updated.map { ($0.id, $0.changed) }) { first, _ in first }
        for column in store.schema.columns(referringTo: plan.deleted.map(\.id)) {
            let place = try connection.enqueue(
                "\(column.selecting) = ANY($1) ORDER BY Z_PK",
                list: column.destinations.keys.sorted()
            )
            whenFinished(place) { [unowned self] rows in
                for row in 0..<rows.count {
                    let owner = store.id(number: rows.integer(row, 1), key: rows.integer(row, 0))
                    guard let reference = column.reference(of: owner, to: rows.integer(row, 2)),
                        !gone.contains(reference.owner),
                        updated[reference.owner]?.contains(column.relationship.slot) != true
                    else { continue }
                    badReferences.left.append(reference)
                }
            }
        }
    }
}
