import ObjectModel

/// The rows behind a results controller: fetched once, then kept by watching events.
///
/// An event costs a scan of the IDs and, for each touched object, a binary search that looks at a
/// logarithmic number of objects.
struct ResultsRows {
    let context: ManagedObjectContext
    let description: FetchDescription
    let sectionNameKeyPath: String?
    var snapshot: ResultsSnapshot
    private let entity: EntityDescription?
    private let predicate: CompiledPredicate?
    private var batch: FetchBatch?

    init(
        context: ManagedObjectContext,
        description: FetchDescription,
        sectionNameKeyPath: String?
    ) {
        self.context = context
        self.description = description
        self.sectionNameKeyPath = sectionNameKeyPath
        entity = context.model.entity(named: description.entityName)
        predicate = description.predicate.map { CompiledPredicate($0) }
        snapshot = ResultsSnapshot(
            sections: sectionNameKeyPath == nil ? [.init(name: "", ids: [])] : []
        )
    }

    var count: Int { snapshot.sections.reduce(0) { $0 + $1.ids.count } }

    // MARK: Fetching

    mutating func fetch() throws {
        guard let sectionNameKeyPath else {
            let ids = try context.fetchIDs(description)
            snapshot = ResultsSnapshot(sections: [.init(name: "", ids: ids)])
            return
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
        snapshot = ResultsSnapshot(sections: sections)
    }

    /// The instance of a row, in a batch with the rows around it.
    mutating func instance(_ id: ManagedObjectID) -> ManagedObject {
        let object = context.object(with: id)
        if object.isFault, object.batch == nil, let batch = batch(around: id) {
            object.batch = batch
        }
        return object
    }

    /// Rows near each other are shown together, so they are read together.
    private mutating func batch(around id: ManagedObjectID) -> FetchBatch? {
        if let batch, batch.ids.contains(id) { return batch }
        for section in snapshot.sections {
            guard let index = section.ids.firstIndex(of: id) else { continue }
            let start = max(0, index - ResultsRows.reach)
            let end = min(section.ids.count, index + ResultsRows.reach)
            batch = FetchBatch(Array(section.ids[start..<end]))
            return batch
        }
        return nil
    }

    /// How many rows on either side are read with one.
    private static let reach = 100

    private func sectionName(of object: ManagedObject) -> String {
        guard let sectionNameKeyPath,
            let value = try? object.value(forKeyPath: sectionNameKeyPath)
        else { return "" }
        return value.sectionName
    }

    /// Temporary IDs among the rows became permanent.
    mutating func adoptPermanentIDs() {
        for index in snapshot.sections.indices
        where snapshot.sections[index].ids.contains(where: \.isTemporaryID) {
            snapshot.sections[index].ids = snapshot.sections[index].ids.map(context.resolve)
        }
    }

    // MARK: Tracking

    /// The rows after an event, and what changed; `nil` if nothing visible did.
    func update(
        for change: ObjectsDidChange
    ) -> (snapshot: ResultsSnapshot, change: ResultsChange)? {
        guard let entity else { return nil }
        func concerns(_ object: ManagedObject) -> Bool {
            description.includesSubentities
                ? object.entity.isKind(of: entity) : object.entity === entity
        }
        var touched: Set<ManagedObjectID> = []
        var matching: [ManagedObject] = []
        for object in change.inserted.union(change.updated).union(change.refreshed)
        where concerns(object) && touched.insert(object.objectID).inserted {
            if !object.isDeleted, object.context === context, matches(object) {
                matching.append(object)
            }
        }
        for object in change.deleted where concerns(object) { touched.insert(object.objectID) }
        if touched.isEmpty { return nil }
        let new = rows(touched: touched, matching: matching)
        let difference = ResultsDiff(old: snapshot, new: new, touched: touched).change()
        return difference.isEmpty ? nil : (new, difference)
    }

    private func matches(_ object: ManagedObject) -> Bool {
        guard let predicate else { return true }
        return (try? predicate.evaluate(with: .object(object))) ?? false
    }

    /// The rows with the touched ones taken out and the matching ones put in their places.
    private func rows(touched: Set<ManagedObjectID>, matching: [ManagedObject]) -> ResultsSnapshot {
        var base: [(id: ManagedObjectID, section: Int)] = []
        base.reserveCapacity(count)
        for (index, section) in snapshot.sections.enumerated() {
            for id in section.ids where !touched.contains(id) { base.append((id, index)) }
        }
        let order = ResultsOrder(description.sortDescriptors)
        let placed =
            matching
            .map { object in
                let keys = order.keys(of: object)
                return (object, keys, gap: gap(of: keys, in: base.map(\.id), order))
            }
            .sorted { left, right in
                left.gap != right.gap ? left.gap < right.gap : order.precedes(left.1, right.1)
            }
        var sections: [ResultsSnapshot.Section] = []
        func append(_ id: ManagedObjectID, _ name: String) {
            if sections.last?.name != name { sections.append(.init(name: name, ids: [])) }
            sections[sections.count - 1].ids.append(id)
        }
        var next = 0
        for index in 0...base.count {
            while next < placed.count, placed[next].gap == index {
                append(placed[next].0.objectID, sectionName(of: placed[next].0))
                next += 1
            }
            if index < base.count {
                append(base[index].id, snapshot.sections[base[index].section].name)
            }
        }
        if sections.isEmpty, sectionNameKeyPath == nil { sections = [.init(name: "", ids: [])] }
        return ResultsSnapshot(sections: sections)
    }

    /// How many of the untouched rows come before an object.
    ///
    /// Cost: O(log n) objects looked at.
    private func gap(
        of keys: ResultsOrder.Keys,
        in base: [ManagedObjectID],
        _ order: ResultsOrder
    ) -> Int {
        var low = 0
        var high = base.count
        while low < high {
            let middle = (low + high) / 2
            if order.precedes(order.keys(of: context.object(with: base[middle])), keys) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension Value {
    /// A section's name for the value of its key path; `nil` gives "".
    fileprivate var sectionName: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .date(let date): "\(date)"
        case .uuid(let uuid): "\(uuid)"
        case .url(let url): "\(url)"
        case .object(let object): object.managedObjectID?.uri ?? ""
        default: kindName
        }
    }
}
