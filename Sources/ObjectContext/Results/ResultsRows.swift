import ObjectModel

/// The rows behind a results controller: fetched once, then kept by watching events.
///
/// An event costs a scan of the IDs and, for each touched object, a binary search that looks at a
/// logarithmic number of objects. Where a predicate or an order depends on objects in a way that
/// cannot be followed back, the event costs a fetch.
struct ResultsRows {
    let context: ManagedObjectContext
    let description: FetchDescription
    let sectionNameKeyPath: String?
    var snapshot: ResultsSnapshot
    /// On which objects the rows depend; `nil` for an entity that the model does not have.
    let dependencies: FetchDependencies?
    private let predicate: CompiledPredicate?
    private let order: ResultsOrder
    private var batch: FetchBatch?

    init(
        context: ManagedObjectContext,
        description: FetchDescription,
        sectionNameKeyPath: String?
    ) {
        self.context = context
        self.description = description
        self.sectionNameKeyPath = sectionNameKeyPath
        dependencies = context.model.entity(named: description.entityName).map {
            FetchDependencies(description, $0, sectionNameKeyPath: sectionNameKeyPath)
        }
        predicate = description.predicate.map { CompiledPredicate($0) }
        order = ResultsOrder(description.sortDescriptors)
        snapshot = ResultsSnapshot(
            sections: sectionNameKeyPath == nil ? [.init(name: "", ids: [])] : []
        )
    }

    var count: Int { snapshot.sections.reduce(0) { $0 + $1.ids.count } }

    // MARK: Fetching

    mutating func fetch() throws { snapshot = try fetched(description) }

    private func fetched(_ description: FetchDescription) throws -> ResultsSnapshot {
        guard let sectionNameKeyPath else {
            let ids = try context.fetchIDs(description)
            return ResultsSnapshot(sections: [.init(name: "", ids: ids)])
        }
        var sections: [ResultsSnapshot.Section] = []
        var names: Set<String> = []
        for object in try context.fetchObjects(description) {
            let name = sectionName(of: object)
            if sections.last?.name != name {
                guard names.insert(name).inserted else {
                    throw ObjectGraphError(
                        .invalidRequest,
                        "The rows of section \"\(name)\" do not stand together: the first sort "
                            + "descriptor does not order by \(sectionNameKeyPath).",
                        recovery: "Sort by \(sectionNameKeyPath) first."
                    )
                }
                sections.append(.init(name: name, ids: []))
            }
            sections[sections.count - 1].ids.append(object.objectID)
        }
        return ResultsSnapshot(sections: sections)
    }

    /// The instance of a row, in a batch with the rows around it, which are shown together.
    mutating func instance(at path: ResultIndexPath) -> ManagedObject {
        let ids = snapshot.sections[path.section].ids
        let object = context.object(with: ids[path.item])
        guard object.isFault, object.batch == nil else { return object }
        if let batch, batch.ids.contains(object.objectID) {
            object.batch = batch
        } else {
            let start = max(0, path.item - ResultsRows.reach)
            let end = min(ids.count, path.item + ResultsRows.reach)
            batch = FetchBatch(Array(ids[start..<end]))
            object.batch = batch
        }
        return object
    }

    /// How many rows on either side are read with one.
    private static let reach = 100

    private func sectionName(of object: ManagedObject) -> String {
        guard let sectionNameKeyPath,
            let value = try? object.value(forKeyPath: sectionNameKeyPath)
        else { return "" }
        return value.sectionName
    }

    // MARK: Tracking

    /// Temporary IDs among the rows became permanent: returns them with their new form.
    mutating func adoptPermanentIDs() -> [ManagedObjectID: ManagedObjectID] {
        var replaced: [ManagedObjectID: ManagedObjectID] = [:]
        for index in snapshot.sections.indices
        where snapshot.sections[index].ids.contains(where: \.isTemporaryID) {
            for item in snapshot.sections[index].ids.indices {
                let id = snapshot.sections[index].ids[item]
                let known = context.resolve(id)
                if known == id { continue }
                replaced[id] = known
                snapshot.sections[index].ids[item] = known
            }
        }
        return replaced
    }

    /// Whether rows with new IDs are where a fetch would put them; equal keys stand by ID.
    func areInOrder(_ replaced: Set<ManagedObjectID>) -> Bool {
        let filter = IDFilter(replaced)
        for section in snapshot.sections {
            for (left, right) in zip(section.ids, section.ids.dropFirst())
            where filter.contains(left) || filter.contains(right) {
                if left.precedesByInsertion(right) { continue }
                guard let a = try? order.keys(of: context.object(with: left)),
                    let b = try? order.keys(of: context.object(with: right)),
                    order.precedes(a, b)
                else { return false }
            }
        }
        return true
    }

    /// The rows after an event, and what changed; `nil` if nothing visible did.
    func update(
        for change: ObjectsDidChange
    ) -> (snapshot: ResultsSnapshot, change: ResultsChange)? {
        guard let dependencies else { return nil }
        var touched: Set<ManagedObject> = []
        for object in change.deleted where dependencies.admits(object.entity) {
            touched.insert(object)
        }
        for list in [change.inserted, change.updated, change.refreshed] {
            for object in list where dependencies.concerns(object.entity) {
                guard object.context === context else {
                    if dependencies.admits(object.entity) { touched.insert(object) }
                    continue
                }
                if !dependencies.collect(object, into: &touched) { return refetched(change) }
            }
        }
        return update(touching: touched)
    }

    /// The rows after some objects changed, and what that changed; `nil` if nothing visible did.
    func update(
        touching touched: Set<ManagedObject>
    ) -> (snapshot: ResultsSnapshot, change: ResultsChange)? {
        if touched.isEmpty { return nil }
        var matching: [ManagedObject] = []
        for object in touched where !object.isDeleted && object.context === context {
            if matches(object) { matching.append(object) }
        }
        let filter = IDFilter(Set(touched.map(\.objectID)))
        guard let new = try? rows(without: filter, with: matching) else { return nil }
        let difference = ResultsDiff(old: snapshot, new: new, changed: filter).change()
        return difference.isEmpty ? nil : (new, difference)
    }

    /// The slow way: what a fetch finds now.
    private func refetched(
        _ change: ObjectsDidChange
    ) -> (snapshot: ResultsSnapshot, change: ResultsChange)? {
        var whole = description
        whole.limit = 0
        whole.offset = 0
        guard let new = try? fetched(whole) else { return nil }
        let objects = change.inserted.union(change.updated).union(change.refreshed)
        let filter = IDFilter(Set(objects.map(\.objectID)))
        let difference = ResultsDiff(old: snapshot, new: new, changed: filter).change()
        return difference.isEmpty ? nil : (new, difference)
    }

    private func matches(_ object: ManagedObject) -> Bool {
        guard let predicate else { return true }
        return (try? predicate.evaluate(with: .object(object))) ?? false
    }

    // MARK: Placing

    /// The rows with the touched ones taken out and the matching ones put in their places.
    private func rows(
        without touched: IDFilter,
        with matching: [ManagedObject]
    ) throws -> ResultsSnapshot {
        let base = BaseRows(snapshot, without: touched)
        let placed = try matching.map { (object: $0, keys: try order.keys(of: $0)) }
            .sorted { order.precedes($0.keys, $1.keys) }
        let places = try order.places(of: placed.map(\.keys), among: base.count) { index in
            try order.keys(of: context.object(with: base[index]))
        }
        var result = SectionBuilder(isSectioned: sectionNameKeyPath != nil)
        var start = 0
        for (entry, place) in zip(placed, places) {
            base.forEach(start..<place) { result.append($0, $1) }
            result.append(CollectionOfOne(entry.keys.id), sectionName(of: entry.object))
            start = place
        }
        base.forEach(start..<base.count) { result.append($0, $1) }
        return result.snapshot
    }
}
