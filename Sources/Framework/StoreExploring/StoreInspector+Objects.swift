import FoundationEssentials
import ObjectModel
import ObjectStore
import SQLiteStore

extension StoreInspector {
    /// Passes the objects of an entity to a closure, slice by slice, in the order of their numbers.
    ///
    /// At most one slice is in memory. Each slice is of one state of the store; all of them are, unless
    /// somebody begins to change a store that was at rest, and moves the log into it.
    ///
    /// - Parameters:
    ///   - name: the name of the entity.
    ///   - includesSubentities: whether objects of its descendants are passed too, entity by entity.
    ///   - limit: the most objects.
    ///   - body: receives a slice; its error ends the pass.
    /// - Returns: the number of objects.
    /// - Throws: `ObjectGraphError` for an unknown entity; the store's error, or that of `body`.
    /// - Complexity: O(objects); a constant number of statements for each slice. The objects of a
    ///   store that is one file are sorted once.
    public func forEachObject(
        of name: String,
        includesSubentities: Bool = false,
        limit: Int = .max,
        _ body: ([InspectedObject]) throws -> Void
    ) throws -> Int {
        let entity = try entity(name)
        let names =
            includesSubentities
            ? (entity.number...entity.lastNumber).compactMap {
                plain.entitiesByNumber[Int($0)]?.name
            } : [entity.name]
        var count = 0
        for name in names {
            var last: Int64 = 0
            while count < limit {
                let slice = try objects(
                    of: name,
                    after: last,
                    limit: min(StoreInspector.slice, limit - count)
                )
                guard let end = slice.last else { break }
                last = end.key
                count += slice.count
                try body(slice)
            }
        }
        return count
    }

    /// Some objects of exactly one entity in the order of their numbers.
    ///
    /// - Parameters:
    ///   - name: the name of the entity.
    ///   - key: the number after which they begin.
    ///   - limit: the most objects.
    /// - Returns: the objects; fewer than the limit at the end.
    /// - Throws: `ObjectGraphError` for an unknown entity, or the store's error.
    public func objects(of name: String, after key: Int64, limit: Int) throws -> [InspectedObject] {
        try steady {
            let entity = try entity(name)
            return try read(try ids(of: entity, after: key, limit: limit), entity)
        }
    }

    /// An object by its URI; `nil` if it does not exist.
    public func object(at identifier: String) throws -> InspectedObject? {
        try steady {
            guard let id = store.space.id(uri: identifier), !id.isTemporaryID,
                let entity = plain.entity(of: id)
            else { return nil }
            return try read([id], entity).first
        }
    }

    func ids(
        of entity: EntityDescription,
        after key: Int64,
        limit: Int
    ) throws -> [ManagedObjectID] {
        if let store = store as? SQLiteStore {
            return try store.ids(of: entity, after: key, limit: limit)
        }
        let all = try allIDs(of: entity)
        var (start, end) = (0, all.count)
        while start < end {
            let middle = (start + end) / 2
            if all[middle].key <= key { start = middle + 1 } else { end = middle }
        }
        return Array(all[start...].prefix(limit))
    }

    func read(_ ids: [ManagedObjectID], _ entity: EntityDescription) throws -> [InspectedObject] {
        if ids.isEmpty { return [] }
        let rows = RowCache()
        try store.read(ids, into: rows)
        let present = ids.filter { rows.contains($0) }
        var members: [Int: [[ManagedObjectID]]] = [:]
        for relationship in entity.relationships where relationship.isToMany {
            members[relationship.slot] = try store.destinations(of: relationship, owners: present)
        }
        let layout = store.layout(entity)
        var properties: [PropertyDescription] = entity.storedAttributes
        properties += entity.relationships
        properties.sort { $0.name < $1.name }
        var result: [InspectedObject] = []
        result.reserveCapacity(present.count)
        for (place, id) in present.enumerated() {
            guard let blob = rows.blob(id) else { continue }
            let row = RowReader(blob, layout)
            var values: [(String, InspectedValue)] = []
            values.reserveCapacity(properties.count)
            for property in properties {
                if let list = members[property.slot] {
                    let named = list[place].prefix(StoreInspector.namedMembers).map(\.uri)
                    values.append((property.name, .objects(named, count: list[place].count)))
                } else {
                    let column = layout.columnBySlot[property.slot]
                    let value = column < 0 ? GraphValue.null : row.value(column)
                    values.append((property.name, InspectedValue(value)))
                }
            }
            result.append(
                InspectedObject(
                    identifier: id.uri,
                    entity: entity.name,
                    key: id.key,
                    values: values
                )
            )
        }
        return result
    }
}
