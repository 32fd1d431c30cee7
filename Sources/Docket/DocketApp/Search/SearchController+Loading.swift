import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph
import TextSearch

// Loading starts after the first frame: first the IDs in display order, on another thread; then,
// between events and in slices, their order, and the texts directly from their rows. Before the
// last slice, a search finds the loaded items. Each change of an item, list or tag updates its
// text.

/// All items that a search can find.
struct SearchedItems: Sendable {
    /// Items outside the trash, in display order.
    let rows: FetchedRows
    /// All items, in the order of their rows in the file.
    let keys: [ManagedObjectID]

    static var request: FetchRequest<Item> {
        FetchRequest<Item>(where: Library.notTrashed, sortedBy: \.displayOrder)
    }

    init(in context: ManagedObjectContext) throws {
        rows = try FetchedRows(Self.request, in: context)
        let trashed = FetchRequest<ManagedObjectID>(of: Item.self, where: !Library.notTrashed)
        keys = (rows.ids + (try context.fetch(trashed))).sorted { $0.key < $1.key }
    }
}

extension SearchController {
    /// How many items are read at a time: some milliseconds, so that no key waits long.
    private static let slice = 1024

    /// How many items are put in order at a time.
    private static let orderSlice = 8192

    /// How many threads search a large text in parallel.
    static let threads = min(4, ProcessInfo.processInfo.activeProcessorCount)

    /// Whether there is work between events.
    var hasWork: Bool {
        switch state {
        case .loading: loading?.isDone ?? (everything != nil || background.isFree)
        case .loaded: !queue.isEmpty
        case .storeOnly: false
        }
    }

    /// Runs one slice of the loading.
    func work() {
        do {
            try loadSlice()
        } catch {
            // The search in the store reports the error.
            searchOnlyInStore()
        }
    }

    func loadForAMoment() {
        let end = ContinuousClock.now + patience
        while !isReady, state != .storeOnly, .now < end {
            work()
            loading?.wait(atMost: ContinuousClock.now.duration(to: end))
        }
    }

    private func loadSlice() throws {
        guard let everything else { return try begin() }
        if let loading {
            guard let result = loading.result else { return }
            self.loading = nil
            let items = try result.get()
            try everything.finishLoading(items.rows)
            expect(items.keys.count)
            queue = queue.isEmpty ? ArraySlice(items.keys) : queue + items.keys
            unordered = ArraySlice(everything.ids)
            order = arena.order([])
            orderIsStale = false
            return
        }
        if !unordered.isEmpty {
            order?.append(unordered.prefix(Self.orderSlice).map(\.raw), in: arena)
            unordered = unordered.dropFirst(Self.orderSlice)
            return
        }
        let ids = Array(queue.prefix(Self.slice))
        if ids.isEmpty {
            state = .loaded
            // An empty slice keeps the memory of the whole.
            (queue, unordered) = ([], [])
            prepareOrder()
            // What loading has used and freed would stay with the process.
            library.giveBackMemory()
            return
        }
        queue = queue.dropFirst(ids.count)
        try readSaved(ids)
        if !arena.isComplete { searchOnlyInStore() }
    }

    /// Makes room for the items that are about to be read, and for some more, at once.
    private func expect(_ count: Int) {
        guard arena.allRowCount == 0 else { return }
        let rows = count + count / 16
        arena = SearchArena(byteLimit: arena.byteLimit, expectedRows: rows)
        columns = SearchColumns(ItemValues.keys, expectedRows: rows)
    }

    private func begin() throws {
        let results = try FetchedResultsController(
            request: SearchedItems.request,
            context: library.context
        )
        follow(results)
        results.beginLoading()
        everything = results
        loading = background.start("search") { try SearchedItems(in: $0) }
    }

    private func follow(_ results: FetchedResultsController<Item>) {
        results.didChange = { [weak self] in self?.follow($0) }
        results.didReplaceIDs = { [weak self] _ in self?.orderIsStale = true }
    }

    /// Ignores a change of everything that does not change the items and their order.
    func pauseFollowing(while change: () -> Void) {
        let didChange = everything?.didChange
        everything?.didChange = nil
        change()
        everything?.didChange = didChange
    }

    /// Fetches the items again and reads the texts of some, between events.
    func readAgain(_ ids: [ManagedObjectID]) {
        guard everything != nil, state != .storeOnly else { return }
        beginAgain()
        queue += ids
    }

    /// Reads all texts again, between events; until then a search finds the old ones.
    func restart() {
        guard everything != nil else { return }
        beginAgain()
        savedTexts = nil
        names = QueryNames(library)
        queue = []
    }

    private func beginAgain() {
        loading?.cancel()
        loading = nil
        everything = nil
        unordered = []
        orderIsStale = true
        answers.forget()
        state = .loading
    }

    private func searchOnlyInStore() {
        state = .storeOnly
        queue = []
        unordered = []
        loading?.cancel()
        loading = nil
        everything = nil
        order = nil
        arena = SearchArena(byteLimit: 0)
        columns = SearchColumns(ItemValues.keys)
    }

    /// Prepares the order of everything, when a search is about to begin: it takes some hundredths
    /// of a second for a million items.
    func prepareOrder() {
        guard orderIsStale, let everything, !everything.isLoading, unordered.isEmpty else {
            return
        }
        orderIsStale = false
        order = arena.order(Array(everything.ids).map(\.raw))
    }

    /// Follows a change of a few items; after more, the order is computed at the next use.
    private func follow(_ change: ResultsChange) {
        guard !orderIsStale, unordered.isEmpty, change.objects.count <= 16,
            var order = order.take()
        else {
            orderIsStale = true
            return
        }
        var gone: [Int] = []
        var come: [(id: ManagedObjectID, place: Int)] = []
        for change in change.objects {
            switch change {
            case .delete(_, let path): gone.append(path.item)
            case .insert(let id, let path): come.append((id, path.item))
            case .move(let id, let from, let to):
                gone.append(from.item)
                come.append((id, to.item))
            case .update: break
            }
        }
        for place in gone.sorted(by: >) { order.remove(at: place) }
        for (id, place) in come.sorted(by: { $0.place < $1.place }) {
            order.insert(id.raw, at: place, in: arena)
        }
        self.order = order
    }

    // MARK: Reading

    private func readSaved(_ ids: [ManagedObjectID]) throws {
        let texts = try savedTexts ?? SavedTexts(library)
        savedTexts = texts
        try texts.forEach(of: ids) { id, texts in
            arena.set(id.raw) { SearchField.write(texts, to: &$0) }
            values.read(texts, row: arena.rowNumber(of: id.raw), into: &columns)
        }
        // The changes of an open form are newer than its row.
        for case let item as Item in library.context.updatedObjects { read(item) }
    }

    private func read(_ item: Item) {
        let id = item.objectID.raw
        arena.set(id, fields: SearchField.texts(of: item))
        values.read(item, row: arena.rowNumber(of: id), into: &columns)
    }

    func read(_ objects: Set<ManagedObject>) {
        guard everything != nil else { return }
        for case let item as Item in objects where !item.objectID.isTemporaryID { read(item) }
    }

    /// Reads the names that searches may use again when one uses them.
    func forgetNames() {
        changes += 1
        names = QueryNames(library)
    }

    func follow(_ change: ObjectsDidChange) {
        changes += 1
        answers.follow(change)
        if change.concernsNames { names = QueryNames(library) }
        guard everything != nil else { return }
        read(change.inserted)
        read(change.updated)
        read(change.refreshed)
        for object in change.deleted where object is Item { arena.remove(object.objectID.raw) }
        if change.concernsNames { savedTexts = nil }
        for object in change.updated.union(change.refreshed) where change.changesItself(object) {
            // A new name is found in all items that have it.
            if let list = object as? List { readLater(itemIDs(of: list)) }
            if let tag = object as? Tag { readLater(itemIDs(of: tag)) }
        }
    }

    /// Reads the rows of some items between events; new ones are read when they have one.
    private func readLater(_ ids: [ManagedObjectID]) {
        queue += ids.filter { !$0.isTemporaryID }
    }

    private func itemIDs(of list: List) -> [ManagedObjectID] {
        list.items.map(\.objectID) + list.children.flatMap(itemIDs)
    }

    private func itemIDs(of tag: Tag) -> [ManagedObjectID] { tag.items.map(\.objectID) }
}

extension ObjectsDidChange {
    /// Whether a list, a tag or a location was inserted, deleted or changed.
    fileprivate var concernsNames: Bool {
        let carriesName = { (object: ManagedObject) in
            object is List || object is Tag || object is Location
        }
        return invalidatedAll || inserted.contains(where: carriesName)
            || deleted.contains(where: carriesName)
            || [updated, refreshed].contains { changed in
                changed.contains { carriesName($0) && changesItself($0) }
            }
    }
}
