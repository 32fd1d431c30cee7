package import FoundationEssentials
package import ObjectModel

/// Makes an ``IncrementalStore`` a store of a coordinator.
///
/// The adapter keeps what it has asked for: rows in ``rows``, the members of to-many relationships
/// beside them, until the row is removed or read again. It evaluates what the store leaves to it.
package final class IncrementalStoreAdapter: PersistentStore {
    package let store: IncrementalStore
    package let identifier: UUID
    package let space: IDSpace
    package let rows = RowCache()
    let model: ManagedObjectModel
    private var layouts: [RowLayout?]
    /// The members of to-many relationships of rows in ``rows``, by owner and slot.
    var members: [ManagedObjectID: [Int: [ManagedObjectID]]] = [:]
    var versions: [ManagedObjectID: Versions] = [:]

    /// The version of a cached row, which counts saves and changes of others, and what the store
    /// calls it; `nil` where that is unknown: after a save, or for a store without versions.
    struct Versions {
        var row: Int64 = 1
        var store: Int64?

        /// The store was asked again.
        mutating func read(_ found: Int64?) {
            if let found, let store, found != store { row += 1 }
            store = found
        }

        mutating func saved() {
            row += 1
            store = nil
        }
    }

    package var type: StoreType { store.type }
    package var url: URL? { store.url }
    package var configurationName: String? { store.configurationName }
    package var isReadOnly: Bool { store.isReadOnly }
    package var canBeWritten: Bool { Swift.type(of: store).canBeWritten }
    package var keepsHistory: Bool { false }
    package var readsInBatches: Bool { store.readsInBatches }
    package var observesRegistration: Bool { true }

    package var metadata: StoreMetadata {
        get { store.metadata }
        set {
            var new = newValue
            new.keepOwnEntries(of: store.metadata)
            if new == store.metadata { return }
            store.metadata = new
            hasUnsavedMetadata = true
        }
    }
    package internal(set) var hasUnsavedMetadata = false

    /// Opens a store.
    ///
    /// - Throws: `ObjectGraphError`, as `PersistentStoreCoordinator.addStore(_:)` lists them.
    package init(
        _ storeClass: IncrementalStore.Type,
        as type: StoreType,
        url: URL?,
        model: ManagedObjectModel,
        configuration: String?,
        isReadOnly: Bool
    ) throws {
        try model.freeze()
        try model.checkConfiguration(configuration)
        try model.checkTransformers(configuration)
        store = storeClass.init(
            StoreSetup(
                type: type,
                model: model,
                configurationName: configuration,
                url: url,
                isReadOnly: isReadOnly,
                metadata: StoreMetadata.new(type, model, configuration, format: 1)
            )
        )
        self.model = model
        layouts = model.entitiesByNumber.map { _ in nil }
        try StoreCheck.check(store.type, of: storeClass, registeredAs: type)
        try store.loadMetadata()
        try StoreCheck(url, model, configuration).check(store.metadata, type)
        identifier = store.metadata.storeIdentifier ?? UUID()
        space = IDSpace.space(for: identifier, entityNames: model.entityNames)
        space.useReferences()
        store.space = space
    }

    package func layout(_ entity: EntityDescription) -> RowLayout {
        if let known = layouts[Int(entity.number)] { return known }
        let made = RowLayout(entity)
        layouts[Int(entity.number)] = made
        return made
    }

    package func close() {
        rows.removeAll()
        members = [:]
        versions = [:]
        store.willClose()
    }

    // MARK: Reading

    package func fetch(_ plan: FetchPlan) throws -> FetchAnswer {
        var request = plan.request
        // The context counts the window after pending changes.
        if !plan.appliesWindow {
            request.limit = 0
            request.offset = 0
        }
        try plan.monitor?.check()
        let result = try store.execute(StoreFetchRequest(description: request, entity: plan.entity))
        for node in result.nodes { try put(node, in: rows) }
        let isPlain = request.resultType == .objects || request.resultType == .objectIDs
        if result.isExact, isPlain || request.resultType == .count {
            var answer = FetchAnswer()
            answer.ids = result.ids
            if request.resultType == .count { answer.count = result.ids.count }
            let hasWindow = plan.request.limit > 0 || plan.request.offset > 0
            answer.isWindowed = plan.appliesWindow || !hasWindow
            return answer
        }
        // Their values are read if something has to be evaluated, and only then.
        var evaluated = plan
        evaluated.loadsRows = false
        let evaluation = RequestEvaluation(plan: evaluated, store: self, model: model)
        return try withExtendedLifetime(evaluation) { try evaluation.answer(from: result.ids) }
    }

    package func load(_ ids: [ManagedObjectID]) throws { try read(ids, into: rows) }

    package func read(_ ids: [ManagedObjectID], into rows: RowCache) throws {
        let nodes: [IncrementalStoreNode]
        if ids.count == 1, let id = ids.first {
            nodes = try store.newValues(for: id).map { [$0] } ?? []
        } else {
            nodes = try store.newValues(for: ids)
        }
        var missing = Set(ids)
        for node in nodes {
            missing.remove(node.objectID)
            try put(node, in: rows)
        }
        guard rows === self.rows else { return }
        for id in missing { forget(id) }
    }

    func forget(_ id: ManagedObjectID) {
        rows.remove(id)
        members[id] = nil
        versions[id] = nil
    }

    /// Caches the values of a node, and asks for the to-one relationships that it leaves out.
    func put(_ node: IncrementalStoreNode, in rows: RowCache) throws {
        let id = node.objectID
        guard let entity = model.entity(of: id) else { return }
        for key in node.values.keys where entity.property(named: key)?.isInStore != true {
            throw ObjectGraphError.notStored(key, entity)
        }
        var slots = [GraphValue](repeating: .null, count: entity.slots.count)
        var lists: [Int: [ManagedObjectID]] = [:]
        for property in entity.storedProperties {
            let given = node.values[property.name]
            guard let relationship = property as? RelationshipDescription else {
                slots[property.slot] = try checked(given ?? .null, property, id)
                continue
            }
            if relationship.isToMany {
                if case .array(let values)? = given {
                    lists[property.slot] = try values.map { try destination($0, relationship, id) }
                }
            } else if let given {
                if given.isNull { continue }
                slots[property.slot] = .objectID(try destination(given, relationship, id))
            } else if let found = try store.newValue(forRelationship: relationship, of: id).first {
                slots[property.slot] = .objectID(
                    try destination(.objectID(found), relationship, id)
                )
            }
        }
        var version = versions[id] ?? Versions()
        version.read(node.version)
        try slots.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            try RowWriter.store(
                base,
                version: version.row,
                id: id,
                layout: layout(entity),
                in: rows
            ) { $0 }
        }
        if rows === self.rows {
            members[id] = lists.isEmpty ? nil : lists
            versions[id] = version
        }
    }

    private func checked(
        _ value: GraphValue,
        _ property: PropertyDescription,
        _ id: ManagedObjectID
    ) throws -> GraphValue {
        if let taken = property.taken(value) { return taken }
        throw wrongKind(value, property, id)
    }

    private func destination(
        _ value: GraphValue,
        _ relationship: RelationshipDescription,
        _ owner: ManagedObjectID
    ) throws -> ManagedObjectID {
        guard case .objectID(let id) = value, let entity = model.entity(of: id),
            let destination = relationship.destination, entity.isKind(of: destination)
        else { throw wrongKind(value, relationship, owner) }
        if id.spaceNumber == space.number { return id }
        throw RelationshipTarget.error(id, relationship)
    }

    private func wrongKind(
        _ value: GraphValue,
        _ property: PropertyDescription,
        _ id: ManagedObjectID
    ) -> ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "The store of the type \(type.rawValue) gave \(value.kindWithArticle) for"
                + " \(property.entity?.name ?? "").\(property.name).",
            recovery: "Correct the store: it must give values of the property's type.",
            objectIDs: [id],
            key: property.name
        )
    }

    package func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        try owners.map { owner in
            if rows.contains(owner), let known = members[owner]?[relationship.slot] {
                return known
            }
            let found = try store.newValue(forRelationship: relationship, of: owner)
                .map { try destination(.objectID($0), relationship, owner) }
            let ids = relationship.isOrdered ? found : found.sorted()
            // Without a row nobody would remove them again.
            if rows.contains(owner) { members[owner, default: [:]][relationship.slot] = ids }
            return ids
        }
    }

    package func didRegister(_ ids: [ManagedObjectID]) { store.contextDidRegister(ids) }

    package func didUnregister(_ ids: [ManagedObjectID]) { store.contextDidUnregister(ids) }

    // MARK: History

    package func history(after token: Int64, limit: Int) throws -> [HistoryTransaction] { [] }

    package func historyTransaction(_ number: Int64) throws -> HistoryTransaction? { nil }

    package func undoSteps(limit: Int, by author: String?) throws -> [HistoryStep] { [] }

    package func redoSteps(limit: Int, by author: String?) throws -> [HistoryStep] { [] }
}
