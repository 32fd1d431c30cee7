import ObjectModel

/// The rows of a results controller: fetched once, then updated after each event.
///
/// An event costs a search for the affected IDs among all rows and, for each affected object, a
/// comparison with its neighbours, or a binary search if it has moved. Where the dependencies of a
/// predicate or an order are unknown, the event costs a fetch.
struct ResultsRows {
    /// The rows after an event, the changes, and the touched objects that are known to sort as before;
    /// `nil` if any row may sort otherwise.
    typealias Update = (
        rows: SectionedRows, change: ResultsChange, unmoved: Set<ManagedObjectID>?
    )

    let context: ManagedObjectContext
    let description: FetchDescription
    let sections: ResultsSections
    private(set) var current: SectionedRows
    /// The objects on which the rows depend; `nil` for an entity that the model does not have.
    let dependencies: FetchDependencies?
    private let predicate: CompiledPredicate?
    private let order: ResultsOrder
    private var batch: FetchBatch?
    /// The rows that are not saved yet.
    private var temporary: Set<ManagedObjectID> = []
    /// Where a row came, went or moved last: what a command takes away, its undo brings back.
    private var lastPlace: Int?
    /// The rows that went since a row came, moved or got another key last, with their sort keys and the
    /// number of rows before them now; noted where comparing is a round trip.
    private var gone: [ManagedObjectID: (keys: ResultsOrder.Keys, gap: Int)] = [:]
    private static let mostGone = 200

    init(context: ManagedObjectContext, description: FetchDescription, sections: ResultsSections) {
        self.context = context
        self.description = description
        self.sections = sections
        dependencies = context.model.entity(named: description.entityName).map {
            FetchDependencies(description, $0, sectionNameKeyPath: sections.keyPath)
        }
        predicate = description.predicate.map { CompiledPredicate($0) }
        order = ResultsOrder(description.sortDescriptors)
        current = SectionedRows(isSectioned: sections.keyPath != nil)
    }

    // MARK: Fetching

    mutating func fetch() throws {
        current = try sections.fetch(description, in: context)
        gone = [:]
        temporary = Set(current.ids.lazy.filter(\.isTemporaryID))
    }

    /// Takes rows of a snapshot, and applies the changes since it was taken, pending ones included.
    ///
    /// All changes are applied at once: between two of them there would be rows whose objects do
    /// not exist any more.
    mutating func adopt(_ rows: SectionedRows, then missed: MissedChanges) throws {
        current = rows
        (temporary, gone) = ([], [:])
        guard let dependencies else { return }
        var all: Set<ManagedObject> = []
        for change in missed.changes {
            guard let touched = touched(by: change, dependencies) else { return try fetch() }
            all.formUnion(touched)
        }
        for object in missed.pending + context.pending.objects
        where dependencies.concerns(object.entity) {
            guard object.context === context else {
                if dependencies.admits(object.entity) { all.insert(object) }
                continue
            }
            if !dependencies.collect(object, changed: nil, into: &all) { return try fetch() }
        }
        if let update = update(touching: all) { take(update) }
    }

    mutating func take(_ update: Update) {
        if context.source.answersFromMemory { noteGone(update) }
        if case .delete(_, let path)? = update.change.objects.last {
            lastPlace = current.rank(of: path)
        }
        current = update.rows
        if case .insert(_, let path)? = update.change.objects.last {
            lastPlace = current.rank(of: path)
        }
        for change in update.change.objects {
            switch change {
            case .insert(let id, _): if id.isTemporaryID { temporary.insert(id) }
            case .delete(let id, _): temporary.remove(id)
            case .move, .update: break
            }
        }
    }

    private mutating func noteGone(_ update: Update) {
        var ranks: [(id: ManagedObjectID, rank: Int)] = []
        for change in update.change.objects {
            switch change {
            case .delete(let id, let path): ranks.append((id, current.rank(of: path)))
            case .update(let id, _, _) where update.unmoved?.contains(id) == true: break
            // One that stays may have another key, and what went may belong on its other side.
            case .insert, .move, .update:
                gone = [:]
                return
            }
        }
        if update.unmoved == nil || ranks.count + gone.count > Self.mostGone {
            gone = [:]
            return
        }
        for (id, known) in gone {
            gone[id]?.gap -= ranks.count { $0.rank < known.gap }
        }
        for (index, row) in ranks.sorted(by: { $0.rank < $1.rank }).enumerated() {
            let object = context.object(with: row.id)
            guard !object.isFault, let keys = try? order.keys(of: object) else { continue }
            gone[row.id] = (keys, row.rank - index)
        }
    }

    /// The instance of a row, in a batch with the rows around it, because these are shown together.
    mutating func instance(at path: ResultIndexPath) -> ManagedObject {
        let rank = current.rank(of: path)
        let object = context.object(with: current.list[rank])
        guard object.isFault, object.batch == nil else { return object }
        if let batch, batch.ids.contains(object.objectID) {
            object.batch = batch
        } else {
            let start = max(0, rank - ResultsRows.reach)
            let end = min(current.count, rank + ResultsRows.reach)
            batch = FetchBatch(current.list.ids(start..<end))
            object.batch = batch
        }
        return object
    }

    /// How many rows on either side are read together with one.
    private static let reach = 100

    // MARK: Tracking

    /// Replaces temporary IDs that have become permanent; returns them with their new form.
    mutating func adoptPermanentIDs() -> [ManagedObjectID: ManagedObjectID] {
        var replaced: [ManagedObjectID: ManagedObjectID] = [:]
        for id in temporary {
            let known = context.resolve(id)
            if known != id { replaced[id] = known }
        }
        if replaced.isEmpty { return [:] }
        for rank in current.list.indexes(of: IDFilter(Set(replaced.keys))) {
            if let known = replaced[current.list[rank]] { current.replace(at: rank, with: known) }
        }
        temporary.subtract(replaced.keys)
        return replaced
    }

    /// Whether rows with new IDs are where a fetch would put them; rows with equal keys are ordered
    /// by ID.
    func areInOrder(_ replaced: Set<ManagedObjectID>) -> Bool {
        current.list.indexes(of: IDFilter(replaced)).allSatisfy { rank in
            isInOrder(rank - 1, rank) && isInOrder(rank, rank + 1)
        }
    }

    private func isInOrder(_ first: Int, _ second: Int) -> Bool {
        if first < 0 || second >= current.count { return true }
        let left = current.list[first]
        let right = current.list[second]
        if left.precedesByInsertion(right) { return true }
        guard let a = try? order.keys(of: context.object(with: left)),
            let b = try? order.keys(of: context.object(with: right))
        else { return false }
        return order.precedes(a, b)
    }

    /// The rows after an event, and the changes; `nil` without a visible change.
    func update(for change: ObjectsDidChange) -> Update? {
        guard let dependencies else { return nil }
        guard let touched = touched(by: change, dependencies) else { return refetched(change) }
        return update(touching: touched, unmoved: unmoved(touched, by: change))
    }

    /// Those of some objects whose place an event has not changed; none where comparing costs little.
    private func unmoved(
        _ touched: Set<ManagedObject>,
        by change: ObjectsDidChange
    ) -> Set<ManagedObjectID> {
        let keyPaths = description.sortDescriptors.map(\.keyPath)
        guard context.source.answersFromMemory, !keyPaths.contains(where: { $0.contains(".") })
        else {
            return []
        }
        let unknown = change.inserted.union(change.refreshed)
        let unmoved = touched.filter { object in
            if unknown.contains(object) { return false }
            guard change.updated.contains(object) else { return true }
            guard let changed = change.changedSlots(of: object) else { return false }
            return keyPaths.allSatisfy {
                object.entity.slots(readBy: $0)?.contains(where: changed.contains) == false
            }
        }
        return Set(unmoved.map(\.objectID))
    }

    /// The objects whose rows an event can affect; `nil` if every row may be affected.
    private func touched(
        by change: ObjectsDidChange,
        _ dependencies: FetchDependencies
    ) -> Set<ManagedObject>? {
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
                let slots = change.changedSlots(of: object)
                if !dependencies.collect(object, changed: slots, into: &touched) { return nil }
            }
        }
        return touched
    }

    /// The rows after changes of some objects, and the differences; `nil` without a visible change.
    func update(
        touching touched: Set<ManagedObject>,
        unmoved: Set<ManagedObjectID> = []
    ) -> Update? {
        if touched.isEmpty { return nil }
        var matching: [ManagedObject] = []
        for object in touched where !object.isDeleted && object.context === context {
            if matches(object) { matching.append(object) }
        }
        let filter = IDFilter(Set(touched.map(\.objectID)))
        guard let update = try? placing(matching, without: filter, unmoved) else { return nil }
        return update.change.isEmpty ? nil : update
    }

    /// The slow way: fetches again.
    private func refetched(_ change: ObjectsDidChange) -> Update? {
        var whole = description
        whole.limit = 0
        whole.offset = 0
        guard let new = try? sections.fetch(whole, in: context) else { return nil }
        let objects = change.inserted.union(change.updated).union(change.refreshed)
        let filter = IDFilter(Set(objects.map(\.objectID)))
        let difference = ResultsDiff(old: current, new: new, changed: filter).change()
        return difference.isEmpty ? nil : (new, difference, nil)
    }

    private func matches(_ object: ManagedObject) -> Bool {
        guard let predicate else { return true }
        return (try? predicate.evaluate(with: .object(object))) ?? false
    }

    // MARK: Placing

    /// The rows without the affected ones, and with the matching ones inserted at their places.
    private func placing(
        _ matching: [ManagedObject],
        without touched: IDFilter,
        _ unmoved: Set<ManagedObjectID>
    ) throws -> Update {
        let ranks = current.list.indexes(of: touched)
        var before: [ResultsDiff.Row] = []
        for (index, rank) in ranks.enumerated() {
            before.append(.init(id: current.list[rank], rank: rank, gap: rank - index))
        }
        var base = current
        base.remove(at: ranks)
        let kept = base.sections
        let placed = try matching.map { (object: $0, keys: try order.keys(of: $0)) }
            .sorted { order.precedes($0.keys, $1.keys) }
        let places = try places(of: placed.map(\.keys), before, unmoved, among: base.list)
        let additions = zip(placed, places).map { entry, place in
            SectionedRows.Addition(
                id: entry.keys.id,
                rank: place,
                section: sections.name(of: entry.object)
            )
        }
        let isInOrder = base.insert(additions)
        let diff = ResultsDiff(old: current, new: base, changed: touched)
        guard isInOrder else { return (base, diff.change(), unmoved) }
        let after = additions.enumerated().map { index, row in
            ResultsDiff.Row(id: row.id, rank: row.rank + index, gap: row.rank)
        }
        return (base, diff.change(of: before, to: after, among: kept), unmoved)
    }

    /// For each of some ordered keys, the number of unaffected rows before it.
    private func places(
        of keys: [ResultsOrder.Keys],
        _ before: [ResultsDiff.Row],
        _ unmoved: Set<ManagedObjectID>,
        among rows: RowList
    ) throws -> [Int] {
        let isFar = context.source.answersFromMemory
        func keysAt(_ rank: Int, with next: @autoclosure () -> [Int]) throws -> ResultsOrder.Keys {
            let object = context.object(with: rows[rank])
            // Where reading is a round trip, the rows of the next comparisons come with the row.
            if isFar, object.isFault, object.batch == nil {
                object.batch = FetchBatch(next().map { rows[$0] })
            }
            return try order.keys(of: object)
        }
        func keysAt(_ rank: Int, _ range: Range<Int>) throws -> ResultsOrder.Keys {
            try keysAt(rank, with: ResultsOrder.pivots(in: range))
        }
        func near(_ rank: Int) -> Range<Int> { max(0, rank - 32)..<min(rows.count, rank + 32) }
        /// What is new is looked for near a place, at the end and then everywhere.
        func keysAt(_ rank: Int) throws -> ResultsOrder.Keys {
            let ranges =
                [near(rank)]
                + (before.isEmpty ? [rows.count - 1..<rows.count, 0..<rows.count] : [])
            return try keysAt(rank, with: ranges.flatMap { ResultsOrder.pivots(in: $0) })
        }
        let hint = (before.first?.gap ?? lastPlace).map { min($0, rows.count) }
        // Most changes leave a row where it is: two comparisons instead of a binary search.
        if keys.count * 16 < rows.count {
            var gaps: [ManagedObjectID: Int] = [:]
            for row in before { gaps[row.id] = row.gap }
            let stayed = try keys.compactMap { keys -> Int? in
                if unmoved.contains(keys.id), let gap = gaps[keys.id] { return gap }
                if before.isEmpty, let known = gone[keys.id], order.isSame(known.keys, keys) {
                    return known.gap
                }
                // What comes back was where something has changed last.
                guard let gap = gaps[keys.id] ?? (before.isEmpty ? hint : nil),
                    try gap == 0 || order.precedes(keysAt(gap - 1), keys),
                    try gap == rows.count || order.precedes(keys, keysAt(gap))
                else { return nil }
                return gap
            }
            if stayed.count == keys.count { return stayed }
        }
        // What is new mostly belongs at the end, which is read with the rows of a search.
        if isFar, before.isEmpty, rows.count > 0, let first = keys.first {
            if try order.precedes(keysAt(rows.count - 1), first) {
                return keys.map { _ in rows.count }
            }
        }
        return try order.places(of: keys, among: rows.count, near: hint, keysAt: keysAt)
    }
}
