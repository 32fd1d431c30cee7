package import ObjectModel

/// The keys that the new objects of a save need.
package struct PlannedKeys {
    /// A table and its part of the keys.
    package struct Part {
        package let root: EntityDescription
        /// How many keys are new.
        package fileprivate(set) var count: Int64 = 0
        /// The highest key of a row that is restored; 0 without one.
        package fileprivate(set) var restored: Int64 = 0
    }

    package private(set) var parts: [Part] = []

    package init(_ inserted: [ObjectChange]) {
        inserted.withUnsafeBufferPointer { inserted in
            var index = 0
            while index < inserted.count {
                // Consecutive inserts are mostly of one entity.
                let entity = inserted[index].entity
                var (count, restored) = (Int64(0), Int64(0))
                while index < inserted.count, inserted[index].entity === entity {
                    let id = inserted[index].id
                    if id.isTemporaryID { count += 1 } else { restored = max(restored, id.key) }
                    index += 1
                }
                let part = place(of: entity.root)
                parts[part].count += count
                parts[part].restored = max(parts[part].restored, restored)
            }
        }
    }

    private mutating func place(of root: EntityDescription) -> Int {
        if let place = parts.firstIndex(where: { $0.root === root }) { return place }
        parts.append(Part(root: root))
        return parts.count - 1
    }

    /// Gives the keys.
    ///
    /// - Parameters:
    ///   - inserted: the new objects.
    ///   - space: the store.
    ///   - first: the first new key of each table, by the number of its root.
    /// - Returns: the permanent IDs of the objects, in their order and by temporary ID.
    package static func give(
        to inserted: [ObjectChange],
        in space: IDSpace,
        from first: [UInt16: Int64]
    ) -> (ids: [ManagedObjectID], permanentIDs: IDMap) {
        var next = first
        var map = IDMap()
        var ids: [ManagedObjectID] = []
        ids.reserveCapacity(inserted.count)
        // Consecutive inserts are mostly of one entity, so its next key stays in a variable.
        var entity: EntityDescription?
        var root: UInt16 = 0
        var key: Int64 = 0
        inserted.withUnsafeBufferPointer { inserted in
            for index in inserted.indices {
                let id = inserted[index].id
                guard id.isTemporaryID else {
                    ids.append(id)
                    continue
                }
                if inserted[index].entity !== entity {
                    entity = inserted[index].entity
                    let number = inserted[index].entity.root.number
                    if number != root {
                        next[root] = key
                        root = number
                        key = next[number] ?? 1
                    }
                }
                let permanent = ManagedObjectID(
                    space: space.number,
                    entity: entity?.number ?? 0,
                    key: key
                )
                key += 1
                ids.append(permanent)
                map.add(id, permanent)
            }
        }
        return (ids, map)
    }
}
