public import ObjectModel

/// Keeps the rows of a request up to date with its context, and reports the changes of each event.
///
/// It holds IDs, eight bytes a row; the objects of the visible rows are created on demand. So a
/// million rows open in the time in which the store lists their keys. A change of one row costs a
/// search for it and a comparison with its neighbours, not a walk over all rows.
///
/// Rules, which are Core Data's: a request has at least one sort descriptor. Without a section key
/// path there is one section, even an empty one; with a key path and no rows there is none. Limit
/// and offset apply to the fetch, not to later changes. An event without a visible change is not
/// reported. Objects with equal sort keys are in the order of their IDs.
///
/// While ``didChange`` is set, the saves of everybody else reach the rows by themselves: of other
/// contexts, other coordinators and other processes. The context merges them as with
/// ``ManagedObjectContext/automaticallyMergesChangesFromParent``, soon after they happen on the thread of
/// a ``BackgroundContext``, on the main actor for a context of the main thread, and in the loop over a
/// ``ResultsSequence``; in any other context, and where the program has a loop of its own, at the next
/// ``ManagedObjectContext/processPendingChanges()``, fetch or save. A program that has a
/// ``StoreFollower`` for the context merges by that alone. Cost: a sleeping thread for each store.
public final class FetchedResultsController<Result: ManagedObject> {
    public let request: FetchRequest<Result>
    public let context: ManagedObjectContext
    public let sectionNameKeyPath: String?
    /// Called before the rows change; the old rows are still there.
    public var willChange: (() -> Void)?
    /// Called after the rows have changed; without it changes are not tracked.
    public var didChange: ((ResultsChange) -> Void)? {
        didSet { startOrStopTracking() }
    }

    /// Called when rows have got their permanent IDs; the keys are the temporary ones.
    ///
    /// Nothing else in the rows has changed.
    public var didReplaceIDs: (([ManagedObjectID: ManagedObjectID]) -> Void)?

    /// What makes the title of a section in the section index; `nil` from it leaves the section out
    /// of the index.
    ///
    ///     controller.sectionIndexTitleForSectionName = { name in
    ///         name.first?.isNumber == true ? "#" : name.prefix(1).uppercased()
    ///     }
    ///
    /// Without it a title is the name's first letter as a capital.
    public var sectionIndexTitleForSectionName: ((_ name: String) -> String?)?

    private var rows: ResultsRows
    /// The changes while the rows are fetched on another thread; see `+Loading`.
    var missed: MissedChanges?
    private var tokens: [GraphNotificationCenter.Token] = []
    /// Called on any thread when others may have saved.
    var wake: (@Sendable () -> Void)?
    /// The state that the rows were fetched in; `nil` before the first fetch.
    private var fetchedState: (generation: Int, stores: [UInt32])?

    /// Creates a controller without rows.
    ///
    /// A cache keeps the sections for the next run; use it where a store has very many rows.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` if the
    ///   request has no sort descriptor.
    public init(
        request: FetchRequest<Result>,
        context: ManagedObjectContext,
        sectionNameKeyPath: String? = nil,
        cache: ResultsCache? = nil
    ) throws {
        guard !request.sortDescriptors.isEmpty else {
            throw ObjectGraphError(
                .invalidRequest,
                "A results controller needs a request with a sort descriptor.",
                recovery: "Add one, such as the order on the screen."
            )
        }
        self.request = request
        self.context = context
        self.sectionNameKeyPath = sectionNameKeyPath
        rows = ResultsRows(
            context: context,
            description: request.description,
            sections: ResultsSections(keyPath: sectionNameKeyPath, cache: cache)
        )
    }

    /// A controller without rows yet, with a section for each value of a property.
    ///
    ///     let controller = try FetchedResultsController(
    ///         request: FetchRequest<Book>(sortedBy: \.author.name, \.title),
    ///         context: context, sections: \.author.name)
    ///
    /// - Throws: `ObjectGraphError` if the request has no sort descriptor.
    public convenience init(
        request: FetchRequest<Result>,
        context: ManagedObjectContext,
        sections keyPath: SortKeyPath<Result>,
        cache: ResultsCache? = nil
    ) throws {
        try self.init(
            request: request,
            context: context,
            sectionNameKeyPath: keyPath.modelKeyPath(),
            cache: cache
        )
    }

    deinit { stopTracking() }

    /// Runs the request.
    ///
    /// Call it once, and again after changing the request.
    ///
    /// - Throws: the fetch's error, or `ObjectGraphError` if the first sort key does not order by
    ///   section.
    /// - Complexity: the query, and O(rows) for their IDs.
    public func performFetch() throws {
        missed = nil
        // Before the fetch: too old rather than too new.
        fetchedState = (context.coordinator.generation, context.coordinator.seenStates)
        if let sectionNameKeyPath {
            let entity = try context.entity(of: request.description)
            let check = context.requestCheck("a results controller", of: entity)
            try check.check(keyPath: sectionNameKeyPath, as: "section name")
        }
        // The fetch ends an event, which may change the rows that are there.
        var new = rows
        try new.fetch()
        rows = new
    }

    var currentRows: SectionedRows { rows.current }

    func takeRows(_ fetched: SectionedRows, then missed: MissedChanges) throws {
        var new = rows
        try new.adopt(fetched, then: missed)
        rows = new
    }

    // MARK: Rows

    /// The present rows as a value.
    ///
    /// Cost: copies all IDs; use the members below to draw rows.
    public var snapshot: ResultsSnapshot { rows.current.snapshot }
    /// All rows in order.
    ///
    /// Cost: copies all IDs.
    public var objectIDs: [ManagedObjectID] { rows.current.ids }
    public var sectionCount: Int { rows.current.sections.count }
    public var count: Int { rows.current.count }

    public func numberOfObjects(inSection section: Int) -> Int {
        rows.current.sections[section].count
    }

    /// The section's name: the value of the section key path as text.
    public func sectionName(_ section: Int) -> String { rows.current.sections[section].name }

    /// The section index's title of a section; `""` for one without a title.
    public func sectionIndexTitle(_ section: Int) -> String {
        sectionIndexTitle(forSectionName: sectionName(section)) ?? ""
    }

    /// The sections' index titles in their order, each once.
    public var sectionIndexTitles: [String] {
        var seen: Set<String> = []
        return rows.current.sections.compactMap { sectionIndexTitle(forSectionName: $0.name) }
            .filter { seen.insert($0).inserted }
    }

    /// The first section with an index title; `nil` if there is none.
    public func section(forSectionIndexTitle title: String) -> Int? {
        rows.current.sections.firstIndex { sectionIndexTitle(forSectionName: $0.name) == title }
    }

    /// The object of a row.
    ///
    /// Traps out of bounds.
    public func object(at path: ResultIndexPath) -> Result {
        let object = rows.instance(at: path)
        guard let result = object as? Result else {
            Misuse.trap("\(object) is not a \(Result.self)")
        }
        return result
    }

    /// The path of an object; `nil` if it is not among the rows.
    ///
    /// Cost: a scan of the rows.
    public func indexPath(for object: Result) -> ResultIndexPath? {
        indexPath(for: object.objectID)
    }

    public func indexPath(for id: ManagedObjectID) -> ResultIndexPath? {
        let ranks = rows.current.list.indexes(of: IDFilter([id]))
        return rows.current.paths(of: ranks).first
    }

    /// All objects in order.
    ///
    /// Creates every instance.
    public var fetchedObjects: [Result] {
        context.instances(rows.current.ids).compactMap { $0 as? Result }
    }

    // MARK: Tracking

    /// Brings the rows up to date after a change of objects, unless an event does it.
    func update(touching objects: Set<ManagedObject>) {
        if tokens.isEmpty, let update = rows.update(touching: objects) { rows.take(update) }
    }

    private func startOrStopTracking() {
        guard didChange != nil else { return stopTracking() }
        startTracking()
    }

    func startTracking() {
        guard tokens.isEmpty else { return }
        let center = context.notifications
        tokens = [
            center.addObserver(of: ObjectsDidChange.self, from: context) { [weak self] change in
                self?.handle(change)
            },
            center.addObserver(of: ContextDidSave.self, from: context) { [weak self] _ in
                self?.adoptPermanentIDs()
            },
        ]
        context.following.setDependencies(rows.dependencies, of: self)
        context.beginDelivery(to: ObjectIdentifier(self), wake: wake) { [weak self] in
            self?.refetchAll()
        }
        // What was saved between the fetch and now, nobody else reports.
        let coordinator = context.coordinator
        guard let fetchedState, missed == nil, !context.following.hasFollower else { return }
        if fetchedState != (coordinator.generation, coordinator.seenStates) { refetchAll() }
    }

    private func stopTracking() {
        if tokens.isEmpty { return }
        context.endDelivery(to: ObjectIdentifier(self))
        for token in tokens { context.notifications.removeObserver(token) }
        tokens = []
        context.following.setDependencies(nil, of: self)
    }

    private func handle(_ change: ObjectsDidChange) {
        if missed != nil {
            missed?.changes.append(change)
            if change.invalidatedAll { missed?.invalidatedAll = true }
            return
        }
        if change.invalidatedAll { return refetchAll() }
        adoptPermanentIDs()
        if let update = rows.update(for: change) { publish(update) }
    }

    private func publish(_ update: ResultsRows.Update) {
        willChange?()
        rows.take(update)
        didChange?(update.change)
    }

    private func adoptPermanentIDs() {
        let replaced = rows.adoptPermanentIDs()
        if replaced.isEmpty { return }
        didReplaceIDs?(replaced)
        let ids = Set(replaced.values)
        if rows.areInOrder(ids) { return }
        // Rows with equal sort keys are in the order of their IDs, which has changed.
        let objects = Set(ids.map { context.object(with: $0) })
        if let update = rows.update(touching: objects) { publish(update) }
    }

    /// The context was reset: pending rows are removed, changed ones may have moved.
    private func refetchAll() {
        var new = rows
        guard (try? new.fetch()) != nil else { return }
        let old = rows.current
        if new.current == old { return }
        let change = ResultsDiff(old: old, new: new.current, changed: IDFilter([])).change()
        publish((new.current, change, nil))
    }
}

extension FetchedResultsController {
    /// A change as a collection difference, for a controller without sections.
    public static func difference(
        from old: ResultsSnapshot,
        to new: ResultsSnapshot
    ) -> CollectionDifference<ManagedObjectID> {
        new.ids.difference(from: old.ids).inferringMoves()
    }
}
