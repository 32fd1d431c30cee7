import FoundationEssentials
import ObjectContext
import ObjectModel

/// The objects of a context by name, and their values as remotes know them.
final class LocalObjects {
    let context: ManagedObjectContext
    let schema: SyncSchema
    /// What was looked up: the object, or that there is none.
    private var known: [SyncKey: ManagedObject?] = [:]
    private var names: [ManagedObjectID: SyncKey] = [:]
    /// How many names one statement looks up.
    static let batch = 400

    init(_ context: ManagedObjectContext, _ schema: SyncSchema) {
        self.context = context
        self.schema = schema
    }

    // MARK: Names

    subscript(key: SyncKey) -> ManagedObject? { known[key] ?? nil }

    /// Looks up the objects for some names, those that are not known yet, with what they refer to.
    func find(_ keys: some Sequence<SyncKey>) throws {
        let unknown = Set(keys.filter { known[$0] == nil })
        for (entity, keys) in Dictionary(grouping: unknown, by: \.entity) {
            guard let entry = schema.byName[entity] else { continue }
            let keys = keys.sorted { $0.name < $1.name }
            for start in stride(from: 0, to: keys.count, by: LocalObjects.batch) {
                let part = keys[start..<min(keys.count, start + LocalObjects.batch)]
                for key in part { known[key] = .some(nil) }
                let values = part.compactMap { identity($0.name, entry) }
                var request = self.request(entry)
                request.predicate = .comparison(
                    FetchComparison(.keyPath(entry.identity), .in, .constant(.array(values)))
                )
                for object in try context.fetch(request) { _ = try key(of: object) }
            }
        }
    }

    /// The keys of all objects that have records.
    func allKeys() throws -> [SyncKey] {
        try schema.entities.flatMap { entry in try keys(entry, in: entry.name, where: nil) }
    }

    private func keys(
        _ entry: SyncEntity,
        in entity: String,
        where condition: FetchPredicate?
    ) throws -> [SyncKey] {
        var request = FetchRequest<[String: GraphValue]>(entityName: entity)
        request.predicate = condition
        request.propertiesToFetch = [.init(entry.identity)]
        return try context.fetch(request).compactMap { row in
            row[entry.identity].flatMap { LocalObjects.name($0) }
                .map { SyncKey(entity: entry.name, name: $0) }
        }
    }

    private func request(_ entry: SyncEntity) -> FetchRequest<ManagedObject> {
        var request = FetchRequest<ManagedObject>(entityName: entry.name)
        request.returnsObjectsAsFaults = false
        let described = context.model.entity(named: entry.name)
        request.relationshipKeyPathsForPrefetching = entry.properties.keys.filter {
            described?.propertyInHierarchy(named: $0) is RelationshipDescription
        }.sorted()
        return request
    }

    /// The name of an object, which is known by it from then on; `nil` if it has none.
    func key(of object: ManagedObject) throws -> SyncKey? {
        if let key = names[object.objectID] { return key }
        guard let entry = schema.entity(of: object.entity) else { return nil }
        guard let name = LocalObjects.name(try object.value(forKey: entry.identity)) else {
            return nil
        }
        let key = SyncKey(entity: entry.name, name: name)
        names[object.objectID] = key
        known[key] = object
        return key
    }

    /// Why a save was refused, by the objects of an error that have names.
    func reasons(of error: ObjectGraphError) -> [SyncKey: String] {
        let errors = error.underlying.compactMap { $0 as? ObjectGraphError }
        var result: [SyncKey: String] = [:]
        for error in errors.isEmpty ? [error] : errors {
            for key in error.objectIDs.compactMap({ names[$0] }) { result[key] = error.message }
        }
        return result
    }

    /// The name that an identity attribute's value is.
    static func name(_ identity: GraphValue) -> String? {
        switch identity {
        case .string(let text): text
        case .uuid(let uuid): uuid.uuidString
        default: nil
        }
    }

    /// The keys of those objects with some IDs that exist, have records and meet the condition of their
    /// entity; without one, none of the entity.
    func keys(
        of ids: Set<ManagedObjectID>,
        where condition: (EntityDescription) -> FetchPredicate? = { _ in .constant(true) }
    ) throws -> [SyncKey] {
        let ids = ids.filter { id in
            let entity = context.model.entity(of: id)
            return entity.flatMap { schema.entity(of: $0) }.map { !$0.isImplied } ?? false
        }
        return try Dictionary(grouping: ids, by: \.entityName).flatMap { entity, ids in
            guard let described = context.model.entity(named: entity),
                let entry = schema.entity(of: described), let condition = condition(described)
            else { return [SyncKey]() }
            let ids = Array(ids)
            var keys: [SyncKey] = []
            for start in stride(from: 0, to: ids.count, by: LocalObjects.batch) {
                let part = ids[start..<min(ids.count, start + LocalObjects.batch)]
                let values = part.map { GraphValue.objectID($0) }
                let isOne = FetchPredicate.comparison(
                    FetchComparison(.evaluatedObject, .in, .constant(.array(values)))
                )
                keys += try self.keys(entry, in: entity, where: isOne && condition)
            }
            return keys
        }
    }

    /// The identity attribute's value for a name; `nil` if the name cannot be one.
    private func identity(_ name: String, _ entry: SyncEntity) -> GraphValue? {
        let entity = context.model.entity(named: entry.name)
        let attribute = entity?.property(named: entry.identity) as? AttributeDescription
        return attribute?.type == .uuid ? UUID(uuidString: name).map { .uuid($0) } : .string(name)
    }

    // MARK: Making and deleting

    /// A new object with a name.
    func make(_ key: SyncKey, kind: String) throws -> ManagedObject {
        guard let entry = schema.byName[key.entity], let identity = identity(key.name, entry),
            let entity = context.model.entity(named: kind), entity.lineage.contains(entry.name)
        else {
            throw ObjectGraphError(
                .invalidFormat,
                "A remote has an object of a kind or with a name that cannot be here.",
                recovery: "Exchange other entities, or give the object a name that fits.",
                key: kind
            )
        }
        let object = try context.insert(entityNamed: kind)
        try object.setValue(identity, forKey: entry.identity)
        known[key] = object
        names[object.objectID] = key
        return object
    }

    /// Deletes an object alone: what its delete rule would take along stays.
    func delete(_ key: SyncKey) throws {
        guard let object = self[key] else { return }
        for relationship in object.entity.relationships
        where relationship.deleteRule == .cascade || relationship.deleteRule == .deny {
            try object.setValue(.null, forKey: relationship.name)
        }
        context.delete(object)
        known[key] = .some(nil)
    }

    /// The objects that refer to one by properties that are exchanged.
    func referring(to object: ManagedObject) throws -> [(key: SyncKey, property: String)] {
        var result: [(SyncKey, String)] = []
        for relationship in object.entity.relationships {
            guard let inverse = relationship.inverse else { continue }
            for member in try members(object, relationship.name) {
                let entry = schema.entity(of: member.entity)
                guard entry?.properties[inverse.name] != nil, let key = try key(of: member) else {
                    continue
                }
                result.append((key, inverse.name))
            }
        }
        return result
    }

    /// The objects that refer by properties that are exchanged to some that have got a name, or to new
    /// ones by pairs, of which the history says nothing.
    func referring(
        to named: Set<ManagedObjectID>,
        orNew new: Set<ManagedObjectID>
    ) throws -> Set<ManagedObjectID> {
        var result: Set<ManagedObjectID> = []
        let paired = try keys(of: new) { entity in
            references(to: entity).filter { $0.isToMany && $0.inverse?.isToMany == true }
                .map { relationship in
                    let count = FetchExpression.keyPath("\(relationship.name).@count")
                    return .comparison(FetchComparison(count, .greater, .constant(.int(0))))
                }
                .reduce(nil) { conditions, next in conditions.map { $0 || next } ?? next }
        }
        let keys = try keys(of: named) + paired
        try find(keys)
        for object in keys.compactMap({ self[$0] }) {
            for relationship in references(to: object.entity) {
                result.formUnion(try members(object, relationship.name).map(\.objectID))
            }
        }
        return result
    }

    /// The relationships of an entity whose other side is exchanged.
    private func references(to entity: EntityDescription) -> [RelationshipDescription] {
        entity.relationships.filter { relationship in
            guard let inverse = relationship.inverse, let source = relationship.destination else {
                return false
            }
            return schema.entity(of: source)?.properties[inverse.name] != nil
        }
    }

    /// The objects at the other end of a relationship.
    func members(_ object: ManagedObject, _ property: String) throws -> [ManagedObject] {
        let value = try object.value(forKey: property)
        return (value.elements ?? [value]).compactMap {
            if case .object(let member as ManagedObject) = $0 { member } else { nil }
        }
    }

    // MARK: Values

    /// The properties of an object that are exchanged, with their descriptions.
    func properties(of object: ManagedObject) -> [(PropertyDescription, MergeRule)] {
        schema.properties(of: object.entity)
    }

    /// The values of an object, as a remote has them.
    func values(of object: ManagedObject) throws -> [String: SyncValue] {
        var result: [String: SyncValue] = [:]
        for (property, rule) in properties(of: object) {
            if property is RelationshipDescription {
                let references = try members(object, property.name).compactMap { member in
                    try key(of: member).map { SyncValue.reference($0.name) }
                }
                switch rule {
                case .set: result[property.name] = .set(Set(references))
                case .list: result[property.name] = .list(references)
                case .value, .latest, .text: result[property.name] = references.first ?? .null
                }
            } else {
                result[property.name] = SyncValue(try object.value(forKey: property.name))
            }
        }
        schema.entity(of: object.entity)?.canonical?(&result)
        return result
    }

    /// The value that a new object has before anybody sets it.
    func initial(_ property: PropertyDescription, _ rule: MergeRule) -> SyncValue {
        switch rule {
        case .set: .set([])
        case .list: .list([])
        case .value, .latest, .text:
            SyncValue((property as? AttributeDescription)?.defaultValue ?? .null)
        }
    }

    /// A value of a remote in the form that the attribute has here, so that equal values are equal.
    func normal(_ value: SyncValue, _ property: PropertyDescription) throws -> SyncValue {
        guard let attribute = property as? AttributeDescription else { return value }
        if value == .null { return .null }
        guard let coerced = attribute.coerced(value.graphValue) else {
            throw ObjectGraphError(
                .wrongValueKind,
                "A remote has a value for \(attribute.name) that is not "
                    + "\(attribute.type.nameWithArticle).",
                key: attribute.name
            )
        }
        return SyncValue(coerced)
    }

    /// Sets an attribute.
    func write(_ value: SyncValue, _ object: ManagedObject, _ property: String) throws {
        try object.setValue(value.graphValue, forKey: property)
    }

    /// Sets a relationship to those objects that exist; implied ones are made.
    ///
    /// - Returns: the names that do not exist.
    func link(
        _ value: SyncValue,
        _ object: ManagedObject,
        _ relationship: RelationshipDescription
    ) throws -> [String] {
        var (found, missing): ([ManagedObject], [String]) = ([], [])
        for name in value.references {
            guard let key = key(name, of: relationship) else { continue }
            if let target = self[key] {
                found.append(target)
            } else if schema.byName[key.entity]?.isImplied ?? false {
                found.append(try make(key, kind: key.entity))
            } else {
                missing.append(name)
            }
        }
        let present = try members(object, relationship.name)
        if relationship.isOrdered ? present != found : Set(present) != Set(found) {
            let objects = found.map { GraphValue.object($0) }
            try object.setValue(
                relationship.isToMany ? .array(objects) : objects.first ?? .null,
                forKey: relationship.name
            )
        }
        return missing
    }

    /// The key of what a relationship refers to.
    func key(_ name: String, of relationship: RelationshipDescription) -> SyncKey? {
        relationship.destination.flatMap { schema.entity(of: $0) }
            .map { SyncKey(entity: $0.name, name: name) }
    }
}

extension SyncValue {
    /// A stored value; a value that has no meaning elsewhere is none.
    init(_ value: GraphValue) {
        switch value {
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .decimal(let number): self = .decimal(number)
        case .string(let text): self = .string(text)
        case .date(let date): self = .date(date)
        case .data(let data): self = .data(data)
        case .uuid(let uuid): self = .uuid(uuid)
        case .url(let url): self = .url(url)
        case .null, .objectID, .object, .array, .set, .dictionary, .opaque: self = .null
        }
    }

    /// The value of an attribute.
    var graphValue: GraphValue {
        switch self {
        case .bool(let flag): .bool(flag)
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .decimal(let number): .decimal(number)
        case .string(let text): .string(text)
        case .date(let date): .date(date)
        case .data(let data): .data(data)
        case .uuid(let uuid): .uuid(uuid)
        case .url(let url): .url(url)
        case .null, .reference, .set, .list: .null
        }
    }
}
