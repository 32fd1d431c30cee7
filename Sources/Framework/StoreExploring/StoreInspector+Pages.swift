import FoundationEssentials
import ObjectModel
import ObjectStore
import SQLiteStore

extension StoreInspector {
    /// The objects of a list from one place on.
    ///
    /// - Parameters:
    ///   - name: the name of the entity.
    ///   - offset: how many objects are before them.
    ///   - limit: the most objects.
    /// - Returns: the objects; fewer than the limit at the end.
    /// - Throws: `ObjectGraphError` for an unknown entity, or the store's error.
    /// - Complexity: O(offset) keys of an index, and the rows that are returned.
    public func objects(of name: String, from offset: Int, limit: Int) throws -> [InspectedObject] {
        try steady {
            let entity = try entity(name)
            if let store = store as? SQLiteStore {
                let ids = try store.ids(of: entity, from: offset, limit: limit)
                return try read(ids, entity)
            }
            return try read(Array(allIDs(of: entity).dropFirst(offset).prefix(limit)), entity)
        }
    }

    /// Objects by their URIs; those that do not exist are left out.
    public func objects(at identifiers: [String]) throws -> [InspectedObject] {
        try steady { try identifiers.compactMap { try object(at: $0) } }
    }

    /// The URIs of an entity's own objects that have a text in one of their text attributes, whatever
    /// the case and the accents are.
    ///
    /// - Parameters:
    ///   - name: the name of the entity.
    ///   - text: what is looked for.
    ///   - limit: the most objects.
    /// - Returns: the URIs in the order of the objects' numbers.
    /// - Throws: `ObjectGraphError` for an unknown entity, or the store's error.
    /// - Complexity: O(rows).
    public func identifiers(
        of name: String,
        containing text: String,
        limit: Int
    ) throws -> [String] {
        try steady {
            let entity = try entity(name)
            let keys = entity.storedAttributes.filter { $0.type == .string && $0.composite == nil }
                .map(\.name)
            if keys.isEmpty { return [] }
            let parts = try keys.map {
                try FetchPredicate(
                    format: "%K CONTAINS[cd] %@",
                    argumentArray: [.string($0), .string(text)]
                )
            }
            var request = FetchDescription(entityName: entity.name, predicate: .or(parts))
            request.includesSubentities = false
            request.resultType = .objectIDs
            let plan = FetchPlan(request: request, entity: entity)
            let answer = try store.fetch(plan)
            guard answer.remainder == nil else {
                throw ObjectGraphError(
                    .unsupported,
                    "The objects of \(entity.name) cannot be searched for this text.",
                    recovery: "Look for another one."
                )
            }
            return answer.ids.sorted { $0.key < $1.key }.prefix(limit).map(\.uri)
        }
    }

    /// The URIs of all destinations of a relationship.
    ///
    /// - Parameters:
    ///   - name: the name of the relationship.
    ///   - identifier: the URI of the owner.
    /// - Returns: the URIs, in order if the relationship is ordered; none for an owner that does not
    ///   exist.
    /// - Throws: the store's error.
    public func destinations(of name: String, at identifier: String) throws -> [String] {
        try steady {
            guard let id = store.space.id(uri: identifier),
                let entity = plain.entity(of: id),
                let relationship = entity.property(named: name) as? RelationshipDescription
            else { return [] }
            return try store.destinations(of: relationship, owners: [id]).first?.map(\.uri) ?? []
        }
    }
}
