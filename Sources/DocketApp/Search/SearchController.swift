import DocketCore
import ObjectGraph
import TextSearch

/// Search while the user types, over titles, notes, list names and tags.
///
/// Split by concern: `+Loading` (how the texts come into memory and stay up to date).
final class SearchController {
    /// What a search found.
    struct Result {
        var query: SearchQuery
        var ids: [ManagedObjectID]
        /// Whether there are texts that could not be looked at yet; searching again when
        /// ``isReady`` is true finds the rest.
        var isPartial = false
    }

    enum State {
        case loading
        case loaded
        /// There is more text than the arena takes, or it cannot be read: the store is searched.
        case storeOnly
    }

    let library: Library
    let background: Background
    var arena: SearchArena
    var state = State.loading
    /// Everything outside the trash, in display order.
    var everything: FetchedResultsController<Item>?
    var order: SearchOrder?
    var orderIsStale = true
    /// What ``order`` still lacks while all is being loaded.
    var unordered: ArraySlice<ManagedObjectID> = []
    /// The IDs of all items on their way.
    var loading: SnapshotTask<SearchedItems>?
    /// What still has to be read.
    var queue: ArraySlice<ManagedObjectID> = []
    /// The names of lists and tags, and where the texts are; `nil` after one of them changed.
    var savedTexts: SavedTexts?
    private var last: SearchHits?
    /// The order of the items that were searched last, where that was not everything.
    private var part: (ids: [ManagedObjectID], order: SearchOrder)?
    private var tokens: [NotificationCenter.Token] = []

    /// How long a search that finds texts missing loads before it searches what there is.
    let patience: Duration

    init(
        library: Library,
        background: Background,
        byteLimit: Int = SearchArena.defaultByteLimit,
        patience: Duration = .milliseconds(4)
    ) {
        self.library = library
        self.background = background
        self.patience = patience
        arena = SearchArena(byteLimit: byteLimit)
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

    /// Whether all text is in memory and up to date.
    var isReady: Bool { state == .loaded && queue.isEmpty }

    // MARK: Searching

    /// Finds items: among some, given in their order, or among all outside the trash.
    ///
    /// While texts are being loaded it finds what is loaded, after it has loaded for a moment.
    ///
    /// - Complexity: one to three milliseconds for 100,000 items once loaded.
    func search(_ text: String, among ids: [ManagedObjectID]?) throws -> Result {
        let query = SearchQuery(text)
        loadForAMoment()
        guard state != .storeOnly else { return try searchStore(text, query, among: ids) }
        guard let order = searchOrder(ids),
            let hits = arena.allHits(
                query,
                in: order,
                limit: order.count,
                after: last,
                threads: Self.threads
            )
        else { return Result(query: query, ids: [], isPartial: !isReady) }
        last = hits
        return Result(
            query: query,
            ids: hits.ids.map { ManagedObjectID(raw: $0) },
            isPartial: !isReady
        )
    }

    private func searchOrder(_ ids: [ManagedObjectID]?) -> SearchOrder? {
        guard let ids else {
            prepareOrder()
            return order
        }
        if let part, part.ids == ids { return part.order }
        let order = arena.order(ids.map(\.raw))
        part = (ids, order)
        return order
    }

    private func searchStore(
        _ text: String,
        _ query: SearchQuery,
        among ids: [ManagedObjectID]?
    ) throws -> Result {
        var condition = SearchField.condition(text)
        if ids == nil { condition = condition && Library.notTrashed }
        let request = FetchRequest<Item>(where: condition, sortedBy: \.displayOrder)
        let found = try library.context.fetch(FetchRequest<ManagedObjectID>(request))
        guard let ids else { return Result(query: query, ids: found) }
        let matching = Set(found)
        return Result(query: query, ids: ids.filter(matching.contains))
    }

    /// Begins to count how many of the found items each field is needed for: those that the title
    /// alone satisfies, then those that title and notes do, and so on; the numbers add up to all.
    ///
    /// - Returns: `nil` if not all texts are there.
    func counting(_ text: String, among ids: [ManagedObjectID]?) -> SearchCounting? {
        guard isReady, let order = searchOrder(ids),
            let hits = arena.allHits(SearchQuery(text), in: order, limit: 0, after: last)
        else { return nil }
        return SearchCounting(hits, in: order)
    }
}
