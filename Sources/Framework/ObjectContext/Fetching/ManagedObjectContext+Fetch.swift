public import ObjectModel
import ObjectStore

// A fetch, step by step:
//   1. end the event, so that the pending changes are known;
//   2. ask each store that holds the entity; it returns IDs and puts its rows into the row cache;
//   3. apply the part of the predicate that a store could not express;
//   4. apply pending changes: drop deleted and no longer matching objects, add new matches;
//   5. sort in memory where 2–4 left no order;
//   6. apply the window (limit and offset), unless the store could;
//   7. create instances, in batches, and prefetch.

extension ManagedObjectContext {
    /// The objects that match a request, one instance for each ID.
    ///
    /// - Throws: `ObjectGraphError` for an unknown entity or key, or the store's error.
    /// - Complexity: O(results); the query of the store may read more rows.
    public func fetch<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [T] {
        var description = request.description
        description.resultType = .objects
        let isOnlyClass = try requireClass(T.self, of: description)
        let objects = try fetchObjects(description)
        if !isOnlyClass { return objects.compactMap { $0 as? T } }
        assert(objects.allSatisfy { $0 is T })
        // Safety: all are of the class, so this changes the type of a counted array and nothing else.
        return unsafeBitCast(objects, to: [T].self)
    }

    /// Refuses a class that is not the class of any object of the request.
    ///
    /// - Returns: whether it is the class of all of them.
    private func requireClass<T: ManagedObject>(
        _ type: T.Type,
        of description: FetchDescription
    ) throws -> Bool {
        var rest = [try entity(of: description)]
        let classes = coordinator.classes
        let found = classes.objectClass(of: rest[0])
        var (fitting, others) = (0, 0)
        while let entity = rest.popLast() {
            if classes.objectClass(of: entity) is T.Type { fitting += 1 } else { others += 1 }
            rest += entity.subentities
        }
        if fitting > 0 { return others == 0 }
        throw ObjectGraphError(
            .invalidRequest,
            "A fetch of \(description.entityName) asks for objects of the class \(type), but they are of"
                + " the class \(found).",
            recovery: "Give the class to the container or coordinator:"
                + " classes: [\"\(description.entityName)\": \(type).self]."
        )
    }

    /// The IDs of the objects that match a request, in order; creates no instances.
    ///
    /// - Throws: `ObjectGraphError` for an unknown entity or key, or the store's error.
    public func fetch(_ request: FetchRequest<ManagedObjectID>) throws -> [ManagedObjectID] {
        try fetchIDs(request.description)
    }

    /// Columns and aggregates as dictionaries; saved state only.
    ///
    /// - Throws: `ObjectGraphError` for an unknown entity or key and for invalid columns, or the
    ///   store's error.
    public func fetch(
        _ request: FetchRequest<[String: GraphValue]>
    ) throws -> [[String: GraphValue]] {
        try fetchDictionaries(request.description)
    }

    /// The number of objects that match a request, pending changes included.
    ///
    /// - Throws: `ObjectGraphError` for an unknown entity or key, or the store's error.
    public func count<T>(for request: FetchRequest<T>) throws -> Int {
        try count(request.description)
    }

    /// The number of objects that match a request, as the only element of an array; used for the
    /// result type "count".
    ///
    /// - Throws: as ``count(for:)``.
    public func fetch(_ request: FetchRequest<Int>) throws -> [Int] {
        [try count(request.description)]
    }

    // MARK: Untyped

    package func count(_ description: FetchDescription) throws -> Int {
        settleBelow()
        var description = description
        let entity = try checkedEntity(of: description)
        description.sortDescriptors = []
        if description.includesPendingChanges { processPendingChanges() }
        let stores = try source.storesToRead(entity)
        let isUntouched = touched(by: description, entity)?.isEmpty ?? false
        if isUntouched, let parent { return try parent.count(description) }
        if isUntouched, stores.count == 1 {
            var counting = description
            counting.resultType = .count
            let plan = FetchPlan(request: counting, entity: entity)
            let answer = try source.fetch(plan, from: stores).first
            if let count = answer?.count { return count }
        }
        description.resultType = .objectIDs
        return try fetchIDs(description).count
    }

    /// The identities of what a request finds, in its order.
    public func fetchIDs(_ description: FetchDescription) throws -> [ManagedObjectID] {
        var description = description
        description.includesPropertyValues = false
        return try find(description)
    }

    package func fetchObjects(_ description: FetchDescription) throws -> [ManagedObject] {
        try objects(try find(description), of: description)
    }

    /// Step 7.
    func objects(
        _ ids: [ManagedObjectID],
        of description: FetchDescription
    ) throws -> [ManagedObject] {
        let size = description.batchSize > 0 ? description.batchSize : FetchBatch.size
        let objects = instances(ids, batchSize: size)
        if description.shouldRefreshRefetchedObjects {
            for object in objects where !object.isFault && !object.isInserted {
                try takeStoreValues(object, keeping: .changedHere)
            }
            endOwnEvent()
        }
        if !description.returnsObjectsAsFaults {
            for object in objects where object.isFault { object.fireFault() }
        }
        for keyPath in description.relationshipKeyPathsForPrefetching {
            try prefetch(keyPath, from: objects, of: entity(of: description))
        }
        return objects
    }

    package func fetchDictionaries(_ description: FetchDescription) throws -> [[String: GraphValue]]
    {
        settleBelow()
        var description = description
        description.resultType = .dictionaries
        let entity = try checkedEntity(of: description)
        let plan = FetchPlan(request: description, entity: entity)
        let answers = try source.fetch(plan, from: source.storesToRead(entity))
        return answers.flatMap(\.dictionaries)
    }

    /// The instances for IDs, new ones as members of a batch.
    package func instances(
        _ ids: [ManagedObjectID],
        batchSize: Int = FetchBatch.size
    ) -> [ManagedObject] {
        var result: [ManagedObject] = []
        result.reserveCapacity(ids.count)
        var start = 0
        while start < ids.count {
            let end = start + min(batchSize, ids.count - start)
            var batch: FetchBatch?
            for index in start..<end {
                let id = ids[index]
                let object = registry.get(id) ?? makeFault(id)
                if object.batch == nil, !id.isTemporaryID {
                    if batch == nil { batch = FetchBatch(Array(ids[start..<end])) }
                    object.batch = batch
                }
                result.append(object)
            }
            start = end
        }
        return result
    }

    func entity(of description: FetchDescription) throws -> EntityDescription {
        // First, because what follows walks the predicates.
        for predicate in [description.predicate, description.having] {
            let place = "The predicate of a fetch of \(description.entityName)"
            if let error = predicate?.nestingError(of: place) { throw error }
        }
        if let name = description.predicate?.unboundVariable {
            throw ObjectGraphError(
                .invalidRequest,
                "The variable $\(name) of a fetch of \(description.entityName) has no value.",
                recovery: "Give it one when you make the request from its template.",
                key: name
            )
        }
        if let entity = model.entity(named: description.entityName) { return entity }
        throw ObjectGraphError(
            .invalidRequest,
            "The model has no entity named \"\(description.entityName)\".",
            recovery: "It has: \(model.entities.map(\.name).sorted().joined(separator: ", "))."
        )
    }

    /// Steps 1 to 6: the IDs, in order.
    func find(_ description: FetchDescription) throws -> [ManagedObjectID] {
        let use = beginUse()
        defer { endUse(use) }
        let fetch = try prepare(description)
        return try complete(fetch, try answers(to: fetch))
    }

    /// Step 1, and the plan for step 2.
    func prepare(_ description: FetchDescription) throws -> PreparedFetch {
        settleBelow()
        let entity = try checkedEntity(of: description)
        if description.includesPendingChanges { processPendingChanges() }
        let touched = touched(by: description, entity)
        let stores = try source.storesToRead(entity)
        var plan = FetchPlan(
            request: description,
            entity: entity,
            appliesWindow: (stores.count == 1 || parent != nil) && touched != nil,
            loadsRows: description.includesPropertyValues && description.batchSize == 0
        )
        if let touched, !touched.isEmpty {
            // Enough results to fill the window, however many pending objects drop out.
            let limit = description.limit
            if limit > 0 {
                plan.request.limit = [description.offset, touched.count]
                    .reduce(limit) { $0.addingClamped($1) }
            }
            plan.request.offset = 0
        }
        // Any pending change may matter: every object is evaluated again.
        if touched == nil {
            if let predicate = plan.request.predicate, source.trace.isOn {
                source.trace.tell(
                    "left to memory of fetch \(entity.name) by pending changes:"
                        + " \(predicate.formatWithoutValues)"
                )
            }
            plan.request.predicate = nil
        }
        return PreparedFetch(description: description, plan: plan, stores: stores, touched: touched)
    }

    /// Steps 3 to 6.
    func complete(_ fetch: PreparedFetch, _ found: [FetchAnswer]) throws -> [ManagedObjectID] {
        var answers = found
        let touched = fetch.touched
        if answers.count == 1, answers[0].isComplete, touched?.isEmpty ?? false {
            return answers[0].ids
        }
        if touched == nil {
            for index in answers.indices {
                answers[index].remainder = fetch.description.predicate
                answers[index].isSorted = false
            }
        }
        var result = FetchOverlay(context: self, description: fetch.description)
        for answer in answers { try result.add(answer) }
        try result.overlay(touched ?? pendingObjects(of: fetch.plan.entity, fetch.description))
        return try result.finish()
    }

    /// The possible results whose place pending changes may have changed.
    ///
    /// - Returns: `nil` if every object may be one.
    private func touched(
        by description: FetchDescription,
        _ entity: EntityDescription
    ) -> Set<ManagedObject>? {
        guard description.includesPendingChanges, !pending.objects.isEmpty else { return [] }
        let dependencies = FetchDependencies(description, entity)
        var result: Set<ManagedObject> = []
        for object in pending.objects where object.isPending && dependencies.concerns(object.entity)
        {
            let slots = object.isUpdated && !object.isDeleted ? object.changes?.sinceSave : nil
            if !dependencies.collect(object, changed: slots, into: &result) { return nil }
        }
        return result
    }

    private func pendingObjects(
        of entity: EntityDescription,
        _ description: FetchDescription
    ) -> Set<ManagedObject> {
        let dependencies = FetchDependencies(description, entity)
        return Set(pending.objects.filter { $0.isPending && dependencies.admits($0.entity) })
    }
}
