import FoundationEssentials
public import ObjectContext
public import ObjectModel
public import ObjectStore
import SQLiteStore

/// Makes the objects of a new store from those of an old one, by a mapping model.
///
/// Three passes: every mapping makes its objects; then they are connected; then they are checked by
/// the policies and by the rules of the model. Objects are handled and saved in batches, and which
/// object became which is kept in a temporary database, so memory is bounded.
///
///     let manager = try MigrationManager(
///         from: oldCoordinator, to: newCoordinator, mapping: mapping)
///     try manager.migrate()
///
/// The stores may be of any type. The entries of programs in the metadata go along. The new store is complete only when ``migrate()`` returns; after
/// an error throw it away. `PersistentStoreCoordinator.migrateStore` does all of that, and replaces
/// the old store with the new one.
public final class MigrationManager {
    public let mappingModel: MappingModel
    /// The objects of the old store; read-only.
    public let sourceContext: ManagedObjectContext
    /// The objects of the new store.
    public let destinationContext: ManagedObjectContext
    /// Whatever the policies of one migration share.
    public var userInfo: [String: GraphValue] = [:]
    /// The mapping that is being worked on.
    public private(set) var currentEntityMapping: EntityMapping?

    public var sourceModel: ManagedObjectModel { sourceContext.model }
    public var destinationModel: ManagedObjectModel { destinationContext.model }
    /// How far the migration is, 0…1.
    public var progress: Double { monitor.progress.fraction }

    let monitor: MigrationMonitor
    let associations: AssociationTable
    private var places: [String: Int] = [:]
    private var pending: [(source: ManagedObject, destination: ManagedObject, mapping: Int)] = []
    private var expressions: [String: [PreparedMapping]] = [:]
    private var cancellation: (any Error)?
    /// About how much work there is and how much is done, in objects.
    private var total = 1.0
    private var done = 0.0

    /// The ID of the one object that an inferred mapping makes from another one; `nil` if the new
    /// store gives new IDs.
    package var identity: ((ManagedObjectID, EntityDescription) -> ManagedObjectID)?
    /// Whether the rules of the model are checked at the end, as those of a mapping model are.
    package var validates = true

    /// How many objects are handled between two saves.
    private static let batch = 500

    /// - Parameters:
    ///   - source: a coordinator with the old store.
    ///   - destination: one with the new, empty store.
    ///   - mapping: how the objects change.
    ///   - monitor: receives the progress, and can cancel.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/missingMappingModel`` if the
    ///   mapping does not fit the models.
    public init(
        from source: PersistentStoreCoordinator,
        to destination: PersistentStoreCoordinator,
        mapping: MappingModel,
        monitor: MigrationMonitor = MigrationMonitor()
    ) throws {
        try mapping.check(from: source.model, to: destination.model)
        mappingModel = mapping
        sourceContext = ManagedObjectContext(coordinator: source)
        destinationContext = ManagedObjectContext(coordinator: destination)
        self.monitor = monitor
        associations = try AssociationTable(for: source.openStores.first?.url?.path ?? "")
        for (index, mapping) in mapping.entityMappings.enumerated() { places[mapping.name] = index }
        destinationContext.validatesOnSave = false
        destinationContext.name = "migration"
        // Rows are read once.
        source.rowCacheLimit = 8 << 20
        destination.rowCacheLimit = 8 << 20
        MappingFunctions.register()
    }

    /// Ends the migration at the next object with an error; callable from a policy.
    public func cancel(with error: any Error) { cancellation = error }

    /// Does the migration.
    ///
    /// - Throws: what a policy throws, wrapped with code
    ///   ``ObjectGraphError/Code/migrationPolicy``; errors of expressions, with the place;
    ///   validation errors of new objects; ``ObjectGraphError/Code/cancelled``.
    public func migrate() throws {
        let stores = destinationContext.coordinator.openStores
        for store in stores { try store.setImporting(true) }
        defer { for store in stores { try? store.setImporting(false) } }
        let work = try mappingModel.entityMappings.filter { $0.kind != .remove }.map {
            MappingWork(mapping: $0, policy: try MigrationPolicies.policy(of: $0))
        }
        total = max(1, try work.reduce(0) { $0 + Double(try sourceCount(of: $1.mapping)) * 3 })
        for item in work { try createInstances(item) }
        for item in work { try createRelationships(item) }
        if validates { for item in work { try validate(item) } }
        for item in work {
            try at(item.mapping, "end") { try item.policy.end(item.mapping, manager: self) }
        }
        try save()
        try copyMetadata()
        currentEntityMapping = nil
        monitor.note(1, "Migrated")
    }

    /// Gives the new store the entries of programs in the old one's metadata; what a policy has set
    /// stays.
    ///
    /// History tokens of the old store expire.
    private func copyMetadata() throws {
        guard let source = sourceContext.coordinator.openStores.first,
            let target = destinationContext.coordinator.openStores.first
        else { return }
        target.metadata.merge(source.metadata.ofPrograms) { own, _ in own }
        if target.identifier != source.identifier { target.metadata.noteFormer(source.metadata) }
        try destinationContext.coordinator.writeMetadata()
    }

    struct MappingWork {
        let mapping: EntityMapping
        let policy: EntityMigrationPolicy
    }

    // MARK: Associations

    /// Notes that a destination object was made from a source object.
    public func associate(
        _ source: ManagedObject,
        with destination: ManagedObject,
        for mapping: EntityMapping
    ) throws {
        pending.append((source, destination, try place(of: mapping.name)))
    }

    private func place(of mapping: String) throws -> Int {
        if let place = places[mapping] { return place }
        throw ObjectGraphError(
            .migrationPolicy,
            "There is no mapping named \(mapping).",
            recovery: "It has: \(places.keys.sorted().joined(separator: ", "))."
        )
    }

    /// The objects that a mapping has made from source objects, in their order.
    public func destinationInstances(
        forEntityMapping name: String,
        sourceInstances: [ManagedObject]
    ) throws -> [ManagedObject] {
        let place = try place(of: name)
        return try destinations(of: sourceInstances, mapping: place)
    }

    /// The source objects from which a mapping has made objects, in their order.
    public func sourceInstances(
        forEntityMapping name: String,
        destinationInstances: [ManagedObject]
    ) throws -> [ManagedObject] {
        let place = try place(of: name)
        return try destinationInstances.flatMap { object in
            let open = pending.filter { $0.mapping == place && $0.destination === object }
                .map(\.source)
            if object.objectID.isTemporaryID { return open }
            return try open
                + associations.sources(of: object.objectID, mapping: place)
                .map { sourceContext.object(with: $0) }
        }
    }

    func destinations(of sources: [ManagedObject], mapping: Int?) throws -> [ManagedObject] {
        try sources.flatMap { object in
            let open = pending.filter {
                $0.source === object && (mapping == nil || mapping == $0.mapping)
            }.map(\.destination)
            return try associations.destinations(of: object.objectID, mapping: mapping)
                .map { destinationContext.object(with: $0) } + open
        }
    }

    /// Writes what is pending; objects become faults after it.
    private func save() throws {
        if !pending.isEmpty {
            if let identity {
                let new = pending.filter { $0.destination.objectID.isTemporaryID }
                destinationContext.give(
                    new.map {
                        ($0.destination, identity($0.source.objectID, $0.destination.entity))
                    }
                )
            }
            try destinationContext.obtainPermanentIDs(for: pending.map(\.destination))
        }
        var transaction = TransactionInfo()
        transaction.kind = .silent
        try destinationContext.save(transaction)
        for (mapping, items) in Dictionary(grouping: pending, by: \.mapping) {
            try associations.add(
                items.map {
                    .init(source: $0.source.objectID, destination: $0.destination.objectID)
                },
                mapping: mapping
            )
        }
        pending = []
        destinationContext.reset()
        sourceContext.reset()
        for store in sourceContext.coordinator.openStores { store.rows.trim(to: 8 << 20) }
    }

    // MARK: Pass 1

    private func createInstances(_ work: MappingWork) throws {
        let (mapping, policy) = (work.mapping, work.policy)
        try begin(mapping)
        try at(mapping, "begin") { try policy.begin(mapping, manager: self) }
        if mapping.kind != .add {
            try forEachSource(of: mapping) { source in
                try at(mapping, "createDestinationInstances") {
                    try policy.createDestinationInstances(for: source, in: mapping, manager: self)
                }
            }
        }
        try at(mapping, "endInstanceCreation") {
            try policy.endInstanceCreation(for: mapping, manager: self)
        }
        try save()
    }

    private func begin(_ mapping: EntityMapping) throws {
        currentEntityMapping = mapping
        try check()
    }

    private func check() throws {
        if let cancellation { throw cancellation }
        try monitor.check()
    }

    private func note(_ phase: String) {
        done += 1
        monitor.note(min(1, done / total), phase)
    }

    private func sourceCount(of mapping: EntityMapping) throws -> Int {
        guard mapping.kind != .add, let name = mapping.sourceEntityName else { return 0 }
        var request = FetchRequest<Int>(entityName: name)
        request.includesSubentities = false
        return try sourceContext.count(for: request)
    }

    private func forEachSource(
        of mapping: EntityMapping,
        _ body: (ManagedObject) throws -> Void
    ) throws {
        let phase = "Making \(mapping.destinationEntityName ?? mapping.name)"
        let ids = try sourceIDs(of: mapping)
        for start in stride(from: 0, to: ids.count, by: MigrationManager.batch) {
            let slice = ids[start..<min(start + MigrationManager.batch, ids.count)]
            for object in try objects(Array(slice), in: sourceContext) {
                try check()
                try body(object)
                note(phase)
            }
            try save()
        }
    }

    /// The objects of IDs, read together, in the order of the IDs.
    private func objects(
        _ ids: [ManagedObjectID],
        in context: ManagedObjectContext
    ) throws -> [ManagedObject] {
        let groups = Dictionary(grouping: ids, by: \.entityName)
        for (name, ids) in groups {
            var request = FetchRequest<ManagedObject>(entityName: name)
            request.predicate = .comparison(
                FetchComparison(
                    .evaluatedObject,
                    .in,
                    .constant(.array(ids.map { .objectID($0) }))
                )
            )
            request.returnsObjectsAsFaults = false
            kept = try context.fetch(request) + kept
        }
        defer { kept = [] }
        return ids.map { context.object(with: $0) }
    }

    /// Keeps a batch in memory until its objects are asked for by ID.
    private var kept: [ManagedObject] = []

    private func sourceIDs(of mapping: EntityMapping) throws -> [ManagedObjectID] {
        guard let expression = mapping.sourceExpression else {
            guard let name = mapping.sourceEntityName else { return [] }
            var request = FetchRequest<ManagedObjectID>(entityName: name)
            request.includesSubentities = false
            // In the order of their making, so that the new keys have the same order.
            return try sourceContext.fetch(request).sorted()
        }
        let value = try expression.value(
            with: .null,
            bindings: ["manager": .object(self), "entityMapping": .object(MappingKeys(mapping))]
        )
        if case .opaque(let request) = value, let request = request as? SourceRequest {
            return try sourceContext.fetch(FetchRequest<ManagedObjectID>(request)).sorted()
        }
        let members = value.elements ?? [value]
        return try members.map { member in
            if let id = member.sourceID { return id }
            throw ObjectGraphError(
                .migration,
                "The source expression of the mapping \(mapping.name) gives "
                    + "\(member.kindWithArticle), not objects.",
                recovery: "Let it give objects of \(mapping.sourceEntityName ?? "the entity")."
            )
        }
    }

    // MARK: Pass 2 and 3

    private func createRelationships(_ work: MappingWork) throws {
        let (mapping, policy) = (work.mapping, work.policy)
        try begin(mapping)
        try forEachPair(of: mapping, "Connecting") { destination in
            try at(mapping, "createRelationships") {
                try policy.createRelationships(for: destination, in: mapping, manager: self)
            }
        }
        try at(mapping, "endRelationshipCreation") {
            try policy.endRelationshipCreation(for: mapping, manager: self)
        }
        try save()
    }

    private func validate(_ work: MappingWork) throws {
        let (mapping, policy) = (work.mapping, work.policy)
        try begin(mapping)
        try at(mapping, "performCustomValidation") {
            try policy.performCustomValidation(for: mapping, manager: self)
        }
        try forEachPair(of: mapping, "Checking") { destination in
            do {
                try destination.validateForInsert()
            } catch let error as ObjectGraphError {
                let place = [destination.entity.name, error.key].compactMap { $0 }
                throw ObjectGraphError(
                    .migration,
                    "A new object of the mapping \(mapping.name) is not valid: "
                        + "\(place.joined(separator: ".")): \(error.message)",
                    recovery: "Let the mapping or its policy set a valid value.",
                    key: error.key,
                    rule: error.rule,
                    underlying: [error]
                )
            }
        }
    }

    private func forEachPair(
        of mapping: EntityMapping,
        _ word: String,
        _ body: (ManagedObject) throws -> Void
    ) throws {
        let place = try place(of: mapping.name)
        let phase = "\(word) \(mapping.destinationEntityName ?? mapping.name)"
        var last: AssociationTable.Pair?
        while true {
            let pairs = try associations.pairs(of: place, after: last, limit: Self.batch)
            if pairs.isEmpty { return }
            last = pairs.last
            // Reads both sides in two statements.
            let sources = try objects(pairs.map(\.source), in: sourceContext)
            let objects = try objects(pairs.map(\.destination), in: destinationContext)
            try withExtendedLifetime(sources) {
                for object in objects {
                    try check()
                    try body(object)
                    note(phase)
                }
            }
            try save()
        }
    }

    /// Adds the mapping and the stage to what a policy throws.
    private func at(_ mapping: EntityMapping, _ stage: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as ObjectGraphError where error.code == .cancelled {
            throw error
        } catch {
            if let cancellation { throw cancellation }
            if mapping.policyName == nil, error is ObjectGraphError { throw error }
            let reason = (error as? ObjectGraphError).map { ": \($0.message)" } ?? "."
            throw ObjectGraphError(
                .migrationPolicy,
                "The policy of the mapping \(mapping.name) failed in \(stage)\(reason)",
                recovery: "Nothing was changed; correct the policy.",
                key: (error as? ObjectGraphError)?.key,
                underlying: [error]
            )
        }
    }

    // MARK: Values

    /// Sets the attributes of a new object by the mapping that is being worked on.
    ///
    /// - Throws: `ObjectGraphError` that names the entity and the attribute.
    public func setAttributes(
        of destination: ManagedObject,
        from source: ManagedObject?,
        policy: EntityMigrationPolicy
    ) throws {
        guard let mapping = currentEntityMapping else { return }
        let prepared = prepared(mapping.attributeMappings, "\(mapping.name) attributes")
        for property in prepared {
            try property.set(in: mapping, source, destination, policy, self)
        }
    }

    /// Connects a new object by the mapping that is being worked on.
    ///
    /// - Throws: `ObjectGraphError` that names the entity and the relationship.
    public func setRelationships(
        of destination: ManagedObject,
        from source: ManagedObject?,
        policy: EntityMigrationPolicy
    ) throws {
        guard let mapping = currentEntityMapping else { return }
        let wanted = mapping.relationshipMappings.filter { !isSetByInverse($0, mapping) }
        for property in prepared(wanted, "\(mapping.name) relationships") {
            try property.set(in: mapping, source, destination, policy, self)
        }
    }

    private func prepared(_ mappings: [PropertyMapping], _ key: String) -> [PreparedMapping] {
        if let known = expressions[key] { return known }
        let made = mappings.compactMap { PreparedMapping($0) }
        expressions[key] = made
        return made
    }

    /// Whether a to-many relationship follows from its to-one inverse, which is mapped the same way:
    /// setting it too would read all members of a list, however long.
    private func isSetByInverse(_ property: PropertyMapping, _ mapping: EntityMapping) -> Bool {
        guard MappingFunctions.isPlainRelationship(property.valueExpression),
            let name = mapping.destinationEntityName,
            let relationship = destinationModel.entity(named: name)?.property(named: property.name)
                as? RelationshipDescription,
            relationship.isToMany, !relationship.isOrdered, let inverse = relationship.inverse,
            !inverse.isToMany, let members = inverse.entity
        else { return false }
        return mappingModel.entityMappings.allSatisfy { other in
            guard let name = other.destinationEntityName,
                let entity = destinationModel.entity(named: name), entity.isKind(of: members)
            else { return true }
            return other.policyName == nil
                && other.relationshipMappings.contains {
                    $0.name == inverse.name
                        && MappingFunctions.isPlainRelationship($0.valueExpression)
                }
        }
    }
}

extension MigrationManager: KeyValueCoding {
    public func value(forKey key: String) throws -> GraphValue {
        switch key {
        case "userInfo": .dictionary(userInfo)
        case "sourceContext": .opaque(sourceContext)
        case "destinationContext": .opaque(destinationContext)
        default: try value(forUndefinedKey: key)
        }
    }

    public func setValue(_ value: GraphValue, forKey key: String) throws {
        try setValue(value, forUndefinedKey: key)
    }
}

extension GraphValue {
    var sourceID: ManagedObjectID? {
        switch self {
        case .objectID(let id): id
        case .object(let object): object.managedObjectID
        default: nil
        }
    }
}
