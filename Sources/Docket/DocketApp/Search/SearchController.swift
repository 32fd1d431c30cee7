import DocketCore
import ObjectGraph
import TextSearch

/// Search while the user types: texts of titles, notes, list names and tags, and conditions.
///
/// Split by concern: `+Loading` (loading texts and values into memory and updating them), `+Query`
/// (the items that a search finds).
final class SearchController: ChangeFollower {
    /// The results of a search.
    struct Result {
        /// The texts to mark in the found items.
        var query: SearchQuery
        var ids: [ManagedObjectID]
        /// Whether some texts are not loaded yet; searching again when ``isReady`` is true finds
        /// the rest.
        var isPartial = false
    }

    enum State {
        case loading
        case loaded
        /// There is more text than the arena can hold, or it cannot be read: the store is searched.
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
    /// The items that ``order`` does not have yet during loading.
    var unordered: ArraySlice<ManagedObjectID> = []
    /// The running fetch of the IDs of all items.
    var loading: SnapshotTask<SearchedItems>?
    /// The items that still have to be read.
    var queue: ArraySlice<ManagedObjectID> = []
    /// The names of lists and tags, and the places of the texts; `nil` after one of them changed.
    var savedTexts: SavedTexts?
    /// The values that conditions compare, by the rows of the arena.
    var columns = SearchColumns(ItemValues.keys)
    let values: ItemValues
    /// The lists and tags that a search can name; new after one of them changed.
    var names: QueryNames
    /// The rows of conditions that were computed before.
    var sets = SearchedSets()
    /// What the store has answered about values that are not in memory.
    var answers = StoreAnswers()
    /// Grows with each change of anything.
    var changes = 0
    /// The hits of the texts that every found item has, which make the next search faster.
    private var last: SearchHits?
    /// The hits of the last search, for counting.
    private var shown: SearchHits?
    /// The order of the items of the last search, if it did not search everything.
    private var part: (ids: [ManagedObjectID], order: SearchOrder)?

    /// How long a search with missing texts loads before it searches the loaded ones.
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
        values = ItemValues(library)
        names = QueryNames(library)
    }

    func follow(_ save: ContextDidSave) {
        changes += 1
        answers.followInserted(save.inserted)
        read(save.inserted)
        // What refers to new objects knew them by temporary IDs.
        if !save.inserted.isEmpty { read(save.updated) }
    }

    /// Whether all text is in memory and up to date.
    var isReady: Bool { state == .loaded && queue.isEmpty }

    // MARK: Searching

    /// Finds items: among some, given in their order, or among all outside the trash.
    ///
    /// If texts are still being loaded, it loads for a moment and then finds the loaded ones.
    ///
    /// - Complexity: one to three milliseconds for 100,000 items once loaded; a condition on what is
    ///   not in memory costs one statement, once until that changes.
    func search(_ filter: ItemFilter, among ids: [ManagedObjectID]?) throws -> Result {
        let marked = SearchQuery(texts: filter.compiled.wantedTexts)
        let rest = filter.compiled.withoutRequiredTexts
        loadForAMoment()
        shown = nil
        guard state != .storeOnly else { return try searchStore(filter, marked, among: ids) }
        guard let order = searchOrder(ids),
            let texts = arena.allHits(
                SearchQuery(texts: filter.compiled.requiredTexts),
                in: order,
                limit: rest == .everything ? order.count : 0,
                after: last,
                threads: Self.threads
            )
        else { return Result(query: marked, ids: [], isPartial: !isReady) }
        last = texts
        let hits =
            try rest == .everything
            ? texts : arena.hits(texts, among: rows(rest), in: order, limit: order.count)
        shown = hits
        return Result(
            query: marked,
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
        _ filter: ItemFilter,
        _ marked: SearchQuery,
        among ids: [ManagedObjectID]?
    ) throws -> Result {
        var condition = filter.compiled.condition(names)
        if ids == nil { condition = condition && Library.notTrashed }
        let request = FetchRequest<Item>(where: condition, sortedBy: \.displayOrder)
        let found = try library.context.fetch(FetchRequest<ManagedObjectID>(request))
        guard let ids else { return Result(query: marked, ids: found) }
        let matching = Set(found)
        return Result(query: marked, ids: ids.filter(matching.contains))
    }

    /// Drops what was kept for the next key, after the last one.
    func endSearching() {
        sets = SearchedSets()
        (last, shown, part) = (nil, nil, nil)
        library.giveBackMemory()
    }

    /// Starts counting the found items by field: those that the title alone satisfies, then those
    /// that title and notes satisfy, and so on; the numbers add up to all.
    ///
    /// - Returns: `nil` if some texts are missing, or the last search has no texts.
    func counting(among ids: [ManagedObjectID]?) -> SearchCounting? {
        guard isReady, let shown, !shown.query.isEmpty, let order = searchOrder(ids) else {
            return nil
        }
        return SearchCounting(shown, in: order)
    }
}
