import ObjectModel

// Batch requests use a scratch context over the same stores and the same lock. Its objects are
// plain `ManagedObject`s, so no hook of the program runs; the row cache, the history, the search
// index and inverse relationships are updated as by any save.
//
// Rules (ours, where Core Data's behaviour is unclear):
// - One transaction, one step of `undoLastCommand`, for each store.
// - Not checked: rules of the model and of classes. Checked: attributes that must not be `nil`
//   (1570), the range of integer types (1610, 1620), uniqueness, and denied deletions (1600).
// - The constraint policy resolves new objects that collide; the result names the object into which
//   each was merged. An update that makes objects collide is an error under every policy.
// - Cascade and nullify rules run, and their effects are reported.
// - The context's own pending changes are neither considered nor saved; they stay over the result,
//   which is merged into the context and its ancestors, and into contexts that follow others.

extension ManagedObjectContext {
    /// Inserts objects in the stores and merges them.
    ///
    /// - Throws: `ObjectGraphError` for unknown names and values that cannot be stored, or the
    ///   store's error; nothing is written then.
    @discardableResult
    public func execute(_ request: BatchInsert, as name: String? = nil) throws -> BatchResult {
        if let entity = model.entity(named: request.entityName) {
            try coordinator.checkCanInsert(entity)
        }
        return try runBatch(name) { scratch in
            try request.objects.map { values in
                let object = try scratch.insert(entityNamed: request.entityName)
                for (key, value) in values { try object.setBatchValue(value, key) }
                return object
            }
        }
    }

    /// Changes objects in the stores and merges the changes.
    ///
    /// - Throws: `ObjectGraphError` for unknown names, invalid expressions and values that cannot
    ///   be stored (1570, 1610, 1620, 133021), or the store's error; nothing is written then.
    /// - Complexity: O(matching objects).
    @discardableResult
    public func execute(_ request: BatchUpdate, as name: String? = nil) throws -> BatchResult {
        let values = request.values.mapValues { CompiledExpression($0) }
        var description = FetchDescription(
            entityName: request.entityName,
            predicate: request.predicate
        )
        description.includesSubentities = request.includesSubentities
        try check(request, checkedEntity(of: description))
        return try runBatch(name) { scratch in
            // In a bulk edit, objects that collide are a mistake: they must not be merged into one.
            scratch.constraintPolicy = .error
            let objects = try scratch.fetchObjects(description)
            for object in objects {
                let new = try values.mapValues { try $0.value(with: .object(object)) }
                for (key, value) in new { try object.setBatchValue(value, key) }
            }
            return objects
        }
    }

    /// Deletes objects in the stores and merges the deletions.
    ///
    /// The result lists the matching objects, in their order, and after them the objects that
    /// cascades deleted.
    ///
    /// - Throws: `ObjectGraphError` for unknown names and denied deletions (1600), or the store's
    ///   error; nothing is written then.
    /// - Complexity: O(matching objects and their destinations).
    @discardableResult
    public func execute(_ request: BatchDelete, as name: String? = nil) throws -> BatchResult {
        let result = try runBatch(name) { scratch in
            let objects = try scratch.fetchObjects(request.request)
            for object in objects { scratch.delete(object) }
            return objects
        }
        let cascaded = result.changes.deleted.subtracting(result.objectIDs).sorted()
        return BatchResult(objectIDs: result.objectIDs + cascaded, changes: result.changes)
    }

    /// Merges changes that were saved elsewhere, such as a batch request's result or the changes of
    /// another process; reads the rows again.
    public static func mergeChanges(
        _ changes: ObjectIDChanges,
        into contexts: [ManagedObjectContext]
    ) {
        for context in contexts {
            context.coordinator.forgetRows(changes.updated.union(changes.inserted))
        }
        for context in contexts { context.mergeRead(changes) }
        // The fault of a deleted object needs its row one last time.
        for context in contexts { context.coordinator.forgetRows(changes.deleted) }
    }

    /// Checks the names in a batch update, whether or not an object matches.
    private func check(_ request: BatchUpdate, _ entity: EntityDescription) throws {
        let check = requestCheck("a batch update", of: entity)
        for (key, expression) in request.values.sorted(by: { $0.key < $1.key }) {
            guard let property = entity.property(named: key) else {
                throw ObjectGraphError(
                    .undefinedKey,
                    "The values of a batch update of \(entity.name) name \"\(key)\", which"
                        + " \(entity.name) does not have.",
                    recovery:
                        "It has: \(entity.slots.filter { $0.declared === $0 }.map(\.name).joined(separator: ", ")).",
                    key: key
                )
            }
            if (property as? RelationshipDescription)?.isToMany == true {
                throw Self.toManyInBatch(key, entity)
            }
            try check.check(expression, as: "value of \"\(key)\"")
        }
    }

    fileprivate static func toManyInBatch(
        _ key: String,
        _ entity: EntityDescription
    ) -> ObjectGraphError {
        ObjectGraphError(
            .invalidRequest,
            "A batch request cannot set the to-many relationship \(entity.name).\(key).",
            recovery: "Set the other side of it, or change objects in a context.",
            key: key
        )
    }

    private func runBatch(
        _ name: String?,
        _ body: (ManagedObjectContext) throws -> [ManagedObject]
    ) throws -> BatchResult {
        processPendingChanges()
        let scratch = ManagedObjectContext(
            coordinator: PersistentStoreCoordinator(sharingStoresOf: coordinator)
        )
        scratch.settings.isBatch = true
        scratch.name = self.name
        scratch.transactionAuthor = transactionAuthor
        scratch.mergePolicy = mergePolicy
        scratch.constraintPolicy = constraintPolicy
        var changes = ObjectIDChanges()
        let token = notifications.addObserver(of: ContextDidSave.self, from: scratch) { save in
            changes = save.changes
        }
        defer { notifications.removeObserver(token) }
        let objects = try body(scratch)
        try scratch.save(as: name)
        coordinator.noteChange()
        coordinator.deliver({ changes }, savedAt: coordinator.generation, except: following.inbox)
        for context in ancestry { context.mergeRead(changes) }
        movePin()
        let ids = objects.map { scratch.saving.survivor(of: $0).objectID }
        return BatchResult(objectIDs: ids, changes: changes)
    }

    /// The ancestors from the root on, then this context.
    private var ancestry: [ManagedObjectContext] { (parent?.ancestry ?? []) + [self] }
}

extension ManagedObject {
    /// Sets a value that may refer to an object of another context.
    fileprivate final func setBatchValue(_ value: GraphValue, _ key: String) throws {
        guard let relationship = entity.property(named: key) as? RelationshipDescription else {
            return try setValue(value, forKey: key)
        }
        if relationship.isToMany { throw ManagedObjectContext.toManyInBatch(key, entity) }
        guard let id = ManagedObjectID(value: value), let owner else {
            return try setValue(.null, forKey: key)
        }
        try setValue(.object(try owner.existingObject(with: id)), forKey: key)
    }

    /// Checks what even a batch request must not do: deny rules, `nil` where a value must be, and
    /// numbers that the type cannot hold.
    final func checkForBatch() throws {
        if isDeleted { return try validateDeleteRules() }
        try checkStorable()
        try checkDeclaredTypes()
        for property in entity.slots {
            guard let attribute = property as? AttributeDescription, !attribute.isOptional,
                !attribute.isTransient, !attribute.isDerived, value(at: attribute.slot).isNull,
                !isPartOfNothing(attribute)
            else { continue }
            throw ObjectGraphError(
                .missingMandatory,
                "\(entity.name).\(attribute.name) needs a value.",
                objectIDs: [objectID],
                key: attribute.name,
                rule: .required
            )
        }
    }
}
