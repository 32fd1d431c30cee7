package import ObjectModel

// The steps of a save that need nothing of the database.

extension TableStore {
    /// Calls a closure with the new objects of a save, those of one entity that follow each other at
    /// once.
    package func forEachInserted(
        of plan: SavePlan,
        _ ids: [ManagedObjectID],
        _ body: (InsertedRows) throws -> Void
    ) throws {
        try plan.inserted.withUnsafeBufferPointer { inserted in
            var first = 0
            while first < inserted.count {
                let entity = inserted[first].entity
                var end = first + 1
                while end < inserted.count, inserted[end].entity === entity { end += 1 }
                try body(
                    InsertedRows(
                        schema: try requireSchema(of: entity),
                        ids: ids[first..<end],
                        changes: UnsafeBufferPointer(rebasing: inserted[first..<end])
                    )
                )
                first = end
            }
        }
    }

    /// The first of some keys, given the last one that was taken.
    ///
    /// - Throws: `ObjectGraphError` if there was none, or if it is too large.
    package func firstKey(_ last: Int64?, count: Int64, of root: EntitySchema) throws -> Int64 {
        guard let last else {
            throw ObjectGraphError(
                .damagedFile,
                "The store has lost its counter of keys for \"\(root.entity.name)\".",
                recovery: "Keep a copy of it and restore a backup."
            )
        }
        if last > ManagedObjectID.largestKey { throw ObjectGraphError.noKeysLeft(root.entity) }
        return last - count + 1
    }

    /// Puts the committed rows of a save into the cache.
    ///
    /// The save cannot fail any more: a row that a transformer refuses now is read when it is needed.
    ///
    /// - Parameters:
    ///   - plan: the save.
    ///   - insertedIDs: the IDs of its new objects.
    ///   - versions: the new version of each updated object; `nil` for one that was not written.
    ///   - permanentIDs: the permanent IDs of the save's objects.
    package func cacheRows(
        of plan: SavePlan,
        _ insertedIDs: [ManagedObjectID],
        _ versions: [Int64?],
        _ permanentIDs: IDMap
    ) {
        let rows = rows
        var layout: RowLayout?
        func store(
            _ slots: UnsafePointer<GraphValue>,
            _ entity: EntityDescription,
            _ version: Int64,
            _ id: ManagedObjectID
        ) {
            if layout?.entity !== entity { layout = self.layout(entity) }
            guard let layout else { return }
            do {
                try RowWriter.store(slots, version: version, id: id, layout: layout, in: rows) {
                    permanentIDs.permanent($0)
                }
            } catch {
                rows.remove(id)
            }
        }
        plan.inserted.withUnsafeBufferPointer { inserted in
            for index in inserted.indices {
                let version = inserted[index].version
                store(inserted[index].slots, inserted[index].entity, version, insertedIDs[index])
            }
        }
        for (index, change) in plan.updated.enumerated() {
            if let version = versions[index] {
                store(change.slots, change.entity, version, change.id)
            }
        }
    }
}
