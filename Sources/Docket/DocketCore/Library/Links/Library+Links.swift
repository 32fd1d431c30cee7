import DocketFormats
import Markdown
import ObjectGraph

// `links` is what the texts of an item name by `[[title]]`: the title, the notes and the text of a
// note; an encrypted text names nothing. It changes in the transaction of what changes it, so undo
// takes both back. Every save of items comes by here (`followLinks`); an import does it once, for all
// (`followAllLinks`), and so does the first opening of a library of a former version.
//
//   an item gets another title ─→ the items that link to it name the new one
//   a text changes             ─→ its links lead to the items with the titles
//   a title appears            ─→ links that had no item with this title lead to it
//
// All are found by the index of the search or by `backlinks`; no text of other items is read.

extension Library {
    /// Brings the links of a context's changed items up to date before it is saved.
    ///
    /// - Parameter context: the library's own or a scratch context, with pending changes.
    /// - Returns: what to say of other items whose text was changed, for the end of the step's name;
    ///   empty for none.
    /// - Throws: the store's error.
    /// - Complexity: O(changed items); a few statements for each text with links and each new title.
    func followLinks(in context: ManagedObjectContext) throws -> String {
        let changes = LinkChanges(context)
        if changes.isEmpty { return "" }
        var links = LinkFollower(self, context)
        let (renamed, lost) = links.rename(changes.renamed)
        try links.follow(changes.texts + renamed + lost)
        try links.lead(to: changes.titled)
        let end = renamed.isEmpty ? "" : ", and its links in \(StepSubject(renamed).counted)"
        if lost.isEmpty { return end }
        return end + "; the links in \(StepSubject(lost).counted) do not lead to it any more"
    }

    /// Brings the links of all items up to date; part of a save.
    ///
    /// - Complexity: O(texts) if the store has links, a scan of the texts in C.
    func followAllLinks(in context: ManagedObjectContext) throws {
        var links = LinkFollower(self, context)
        var items: [Item] = []
        for case let item as Item in context.insertedObjects.union(context.updatedObjects)
        where !item.linkedTitles.isEmpty {
            items.append(item)
        }
        let pending = Set(items.map(\.objectID))
        let found = try makeScratch().search("[[", in: Item.self).filter { !pending.contains($0) }
        items += existing(try context.objects(Item.self, with: found, prefetching: []))
        if items.isEmpty { return }
        try links.readTitles()
        try links.follow(items)
    }

    private static let linksKey = "DocketLinks"

    /// Makes the links of a library of a version that had none; where it cannot be written now, the next
    /// opening does it.
    ///
    /// Cost: one look at the metadata in memory, if it was done.
    func followOldLinks() {
        let coordinator = context.coordinator
        guard !isReadOnly, coordinator.metadata(Library.linksKey) == nil else { return }
        do {
            try followAllLinks(in: context)
            let isNew = try items(matching: nil, limit: 1).isEmpty
            if !isNew, !context.hasChanges {
                return try coordinator.saveMetadata(.int(1), for: Library.linksKey)
            }
            // The first save of a new library writes it.
            coordinator.setMetadata(.int(1), for: Library.linksKey)
            if context.hasChanges { try saveSilently() }
        } catch {
            coordinator.setMetadata(nil, for: Library.linksKey)
            revertChanges()
        }
    }

    /// The items with a title, however it is written: open ones first, each in display order.
    ///
    /// Cost: one statement, by the index of the search.
    public func items(titled title: String, limit: Int = 0) throws -> [Item] {
        try refresh()
        let ids = try context.search(
            title,
            in: Item.self,
            where: Condition(CompiledQuery.compare(Item.Keys.title, .equal, title)),
            sortedBy: \.displayOrder
        )
        let items = try context.objects(Item.self, with: ids, prefetching: [])
        let open = items.filter { $0.isOpenTarget }
        let all = open + items.filter { !$0.isOpenTarget }
        return limit > 0 ? Array(all.prefix(limit)) : all
    }

    /// The item that a link means: the first of ``items(titled:limit:)``.
    public func item(titled title: String) throws -> Item? {
        try items(titled: title, limit: 1).first
    }
}

extension Item {
    /// Whether it is neither in the trash nor done.
    fileprivate var isOpenTarget: Bool {
        trashed == nil && (self as? Task)?.completed == nil
    }

    /// The texts in which titles are links.
    var linkingTexts: [String] {
        [title, notes ?? "", (self as? Note)?.body ?? ""].filter { !$0.isEmpty }
    }

    /// The titles that the texts name, folded, with the way they are written.
    var linkedTitles: [String: String] {
        var titles: [String: String] = [:]
        for text in linkingTexts {
            for link in TitleLink.all(in: text) {
                titles[QueryNames.folded(link.title)] = link.title
            }
        }
        return titles
    }

    /// The first items outside the trash that name this one, by title, and how many there are besides.
    ///
    /// Cost: reads the titles of at most `limit` items; one statement more if there are others.
    public func linkSources(_ limit: Int) -> (first: [Item], rest: Int) {
        let all = backlinks
        if all.count <= limit {
            return (all.filter { $0.trashed == nil }.sorted { $0.title < $1.title }, 0)
        }
        let id = objectID
        var request = FetchRequest<Item>(
            where: Library.notTrashed && Condition { $0.links.any { $0.in([id]) } },
            sortedBy: \.title
        )
        request.limit = limit
        let first = (try? context?.fetch(request)) ?? []
        return (first, all.count - first.count)
    }

    /// That the item's text names a title that no item has.
    static var hasBrokenLinks: Condition<Item> {
        let keys = [Item.Keys.title, Item.Keys.notes, Note.Keys.body]
        let hasSign = FetchPredicate.or(keys.map { CompiledQuery.compare($0, .contains, "[[") })
        let isBroken = FetchBlock { object, _ in
            guard case .object(let object) = object, let item = object as? Item else {
                return false
            }
            let titles = item.linkedTitles
            if titles.isEmpty { return false }
            let known = Set(item.links.map { QueryNames.folded($0.title) })
            return titles.keys.contains { !known.contains($0) }
        }
        return Condition(.and([hasSign, .block(isBroken)]))
    }
}
