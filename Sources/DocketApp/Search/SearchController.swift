import DocketCore
import ObjectGraph
import TextSearch

// Loading: after the first frame, between events, in slices: first the IDs in display order, then
// the text of some hundred items at a time. Until the last slice, a search asks the store.
// Afterwards each change of an item, list or tag brings its text up to date.

/// Search while the user types, over titles, notes, list names and tags.
final class SearchController {
    /// What a search found.
    struct Result {
        var query: SearchQuery
        var ids: [ManagedObjectID]
    }

    private static let slice = 400

    private let library: Library
    private let arena = SearchArena()
    /// Everything outside the trash, in display order.
    private var everything: FetchedResultsController<Item>?
    private var order: SearchOrder?
    private var orderIsStale = true
    /// What still has to be read.
    private var queue: ArraySlice<ManagedObjectID> = []
    private var last: SearchHits?
    private var tokens: [NotificationCenter.Token] = []
    private(set) var isReady = false

    init(library: Library) {
        self.library = library
        let center = library.context.notifications
        tokens = [
            center.addObserver(of: ObjectsDidChange.self, from: library.context) { [weak self] in
                self?.note($0)
            },
            center.addObserver(of: ContextDidSave.self, from: library.context) { [weak self] in
                self?.read($0.inserted)
            },
        ]
    }

    deinit { for token in tokens { library.context.notifications.removeObserver(token) } }

    // MARK: Loading

    /// Whether there is something to do between events.
    var hasWork: Bool { !isReady || !queue.isEmpty || orderIsStale }

    /// Does one slice of the loading.
    func work() {
        do {
            try loadSlice()
        } catch {
            // Without an arena the store is searched; that will tell what is wrong.
            queue = []
            isReady = false
            orderIsStale = false
        }
    }

    private func loadSlice() throws {
        if everything == nil {
            let request = FetchRequest<Item>(
                entityName: "Item",
                predicate: Library.notTrashed,
                sortDescriptors: Library.displayOrder
            )
            let results = try FetchedResultsController(request: request, context: library.context)
            try results.performFetch()
            results.didChange = { [weak self] _ in self?.orderIsStale = true }
            everything = results
            let trashed = FetchRequest<ManagedObjectID>(
                entityName: "Item",
                predicate: .not(Library.notTrashed)
            )
            queue = ArraySlice(results.snapshot.ids + (try library.context.fetch(trashed)))
            return
        }
        let ids = Array(queue.prefix(SearchController.slice))
        if ids.isEmpty {
            isReady = arena.isComplete
            if orderIsStale { makeOrder() }
            return
        }
        queue = queue.dropFirst(ids.count)
        for item in try library.searchableItems(withIDs: ids) { read(item) }
    }

    private func makeOrder() {
        orderIsStale = false
        order = everything.map { arena.order($0.snapshot.ids.map(\.raw)) }
    }

    private func read(_ item: Item) {
        arena.set(item.objectID.raw, fields: SearchField.texts(of: item))
    }

    private func read(_ objects: Set<ManagedObject>) {
        guard everything != nil else { return }
        for case let item as Item in objects where !item.objectID.isTemporaryID { read(item) }
    }

    private func note(_ change: ObjectsDidChange) {
        guard everything != nil else { return }
        read(change.inserted)
        read(change.updated)
        read(change.refreshed)
        for object in change.deleted where object is Item { arena.remove(object.objectID.raw) }
        for object in change.updated.union(change.refreshed) {
            // A new name is found in all that carry it.
            if let list = object as? List { queue += itemIDs(of: list) }
            if let tag = object as? Tag { queue += itemIDs(of: tag) }
        }
    }

    private func itemIDs(of list: List) -> [ManagedObjectID] {
        list.items.map(\.objectID) + list.children.flatMap(itemIDs)
    }

    private func itemIDs(of tag: Tag) -> [ManagedObjectID] { tag.items.map(\.objectID) }

    // MARK: Searching

    /// Finds items: among some, given in their order, or among all outside the trash.
    ///
    /// - Complexity: one to three milliseconds for 100,000 items once loaded.
    func search(_ text: String, among ids: [ManagedObjectID]?) throws -> Result {
        let query = SearchQuery(text)
        guard isReady, queue.isEmpty else {
            return try searchStore(text, query, among: ids)
        }
        if orderIsStale { makeOrder() }
        let order = ids.map { arena.order($0.map(\.raw)) } ?? order
        guard let order,
            let hits = arena.allHits(query, in: order, limit: order.count, after: last)
        else { return Result(query: query, ids: []) }
        last = hits
        return Result(query: query, ids: hits.ids.map { ManagedObjectID(raw: $0) })
    }

    private func searchStore(
        _ text: String,
        _ query: SearchQuery,
        among ids: [ManagedObjectID]?
    ) throws -> Result {
        var conditions = [try SearchField.predicate(text)]
        if ids == nil { conditions.append(Library.notTrashed) }
        let request = FetchRequest<ManagedObjectID>(
            entityName: "Item",
            predicate: .and(conditions),
            sortDescriptors: Library.displayOrder
        )
        let found = try library.context.fetch(request)
        guard let ids else { return Result(query: query, ids: found) }
        let matching = Set(found)
        return Result(query: query, ids: ids.filter(matching.contains))
    }

    /// How many of the found items each field is needed for: those that the title alone satisfies,
    /// then those that title and notes do, and so on; the numbers add up to all.
    func countsByField(_ text: String, among ids: [ManagedObjectID]?) -> [SearchField: Int] {
        guard isReady, queue.isEmpty, let order = ids.map({ arena.order($0.map(\.raw)) }) ?? order
        else { return [:] }
        var counts: [SearchField: Int] = [:]
        var before = 0
        for field in SearchField.allCases {
            let query = SearchQuery(text, fields: SearchFields(0...field.rawValue))
            let count = arena.allHits(query, in: order, limit: 0)?.count ?? before
            counts[field] = count - before
            before = count
        }
        return counts
    }

    /// All items outside the trash, in display order; `nil` before they are loaded.
    var allIDs: [ManagedObjectID]? { everything?.snapshot.ids }
}
