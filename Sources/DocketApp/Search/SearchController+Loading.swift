import DocketCore
import FoundationEssentials
import ObjectGraph
import TextSearch

// After the first frame, between events, in slices: first the IDs in display order, then the text
// of some thousand items at a time, straight from their rows. Until the last slice, a search finds
// what is there. Afterwards each change of an item, list or tag brings its text up to date.
extension SearchController {
    /// How many items are read at a time: some milliseconds, so that no key waits long.
    private static let slice = 1024

    /// How many threads look through a large text at once.
    static let threads = min(4, ProcessInfo.processInfo.activeProcessorCount)

    /// Whether there is something to do between events.
    var hasWork: Bool {
        switch state {
        case .loading: true
        case .loaded: !queue.isEmpty || orderIsStale
        case .storeOnly: false
        }
    }

    /// Does one slice of the loading.
    func work() {
        do {
            try loadSlice()
        } catch {
            // The search in the store will tell what is wrong.
            searchOnlyInStore()
        }
    }

    func loadForAMoment() {
        let end = ContinuousClock.now + patience
        while !isReady, state != .storeOnly, .now < end { work() }
    }

    private func loadSlice() throws {
        guard let everything else { return try begin() }
        if needsFetch {
            needsFetch = false
            try everything.performFetch()
            follow(everything)
            return
        }
        let ids = Array(queue.prefix(Self.slice))
        if ids.isEmpty {
            state = .loaded
            if orderIsStale { makeOrder() }
            return
        }
        queue = queue.dropFirst(ids.count)
        try readSaved(ids)
        if !arena.isComplete { searchOnlyInStore() }
    }

    private func begin() throws {
        let request = FetchRequest<Item>(
            entityName: "Item",
            predicate: Library.notTrashed,
            sortDescriptors: Library.displayOrder
        )
        let results = try FetchedResultsController(request: request, context: library.context)
        try results.performFetch()
        follow(results)
        everything = results
        let trashed = FetchRequest<ManagedObjectID>(
            entityName: "Item",
            predicate: .not(Library.notTrashed)
        )
        // Rows lie in the file by their keys.
        let ids = results.objectIDs + (try library.context.fetch(trashed))
        queue = ArraySlice(ids.filter { !$0.isTemporaryID }.sorted { $0.key < $1.key })
    }

    private func follow(_ results: FetchedResultsController<Item>) {
        orderIsStale = true
        results.didChange = { [weak self] _ in self?.orderIsStale = true }
    }

    /// Lets a change of everything pass that leaves the items and their order as they are.
    func pauseFollowing(while change: () -> Void) {
        let didChange = everything?.didChange
        everything?.didChange = nil
        change()
        everything?.didChange = didChange
    }

    /// Fetches the items again and reads the texts of some, between events.
    func takeOver(_ ids: [ManagedObjectID]) {
        guard let everything, state != .storeOnly else { return }
        everything.didChange = nil
        needsFetch = true
        queue += ids
        state = .loading
    }

    /// Reads all texts again, between events; until then a search finds what was there.
    func restart() {
        guard everything != nil else { return }
        everything = nil
        needsFetch = false
        savedTexts = nil
        queue = []
        orderIsStale = true
        state = .loading
    }

    private func searchOnlyInStore() {
        state = .storeOnly
        queue = []
        everything = nil
        order = nil
        arena = SearchArena(byteLimit: 0)
    }

    func makeOrder() {
        guard let everything else { return }
        orderIsStale = false
        order = arena.order(everything.objectIDs.map(\.raw))
    }

    // MARK: Reading

    private func readSaved(_ ids: [ManagedObjectID]) throws {
        let texts = try savedTexts ?? SavedTexts(library)
        savedTexts = texts
        try texts.forEach(of: ids) { id, texts in
            arena.set(id.raw) { SearchField.write(texts, to: &$0) }
        }
        // What an open form has changed is newer than its row.
        for case let item as Item in library.context.updatedObjects { read(item) }
    }

    private func read(_ item: Item) {
        arena.set(item.objectID.raw, fields: SearchField.texts(of: item))
    }

    func read(_ objects: Set<ManagedObject>) {
        guard everything != nil else { return }
        for case let item as Item in objects where !item.objectID.isTemporaryID { read(item) }
    }

    func note(_ change: ObjectsDidChange) {
        guard everything != nil else { return }
        read(change.inserted)
        read(change.updated)
        read(change.refreshed)
        for object in change.deleted where object is Item { arena.remove(object.objectID.raw) }
        if change.concernsNames { savedTexts = nil }
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
}

extension ObjectsDidChange {
    /// Whether a list or a tag came, went or changed.
    fileprivate var concernsNames: Bool {
        let carriesName = { (object: ManagedObject) in object is List || object is Tag }
        return invalidatedAll || inserted.contains(where: carriesName)
            || updated.contains(where: carriesName) || deleted.contains(where: carriesName)
            || refreshed.contains(where: carriesName)
    }
}
