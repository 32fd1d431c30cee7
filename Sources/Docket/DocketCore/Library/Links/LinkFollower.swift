import Markdown
import ObjectGraph

/// The pending changes of a context that concern links.
struct LinkChanges {
    /// Items whose texts have links, or had some.
    private(set) var texts: [Item] = []
    /// Items whose title is new.
    private(set) var titled: [Item] = []
    /// Items that had another title, and that title.
    private(set) var renamed: [(item: Item, old: String)] = []

    var isEmpty: Bool { texts.isEmpty && titled.isEmpty }

    private static let keys = [
        Item.Keys.title, Item.Keys.notes, Note.Keys.body, Note.Keys.sealedBody,
    ]

    init(_ context: ManagedObjectContext) {
        for case let item as Item in context.insertedObjects {
            titled.append(item)
            if !item.linkedTitles.isEmpty || !item.$links.isEmpty { texts.append(item) }
        }
        for case let item as Item in context.updatedObjects where !item.isDeleted {
            let changed = item.changedKeys
            guard LinkChanges.keys.contains(where: changed.contains) else { continue }
            let committed = item.committedValues(forKeys: LinkChanges.keys.dropLast())
            func old(_ key: String) -> String {
                if case .string(let text)? = committed[key] { text } else { "" }
            }
            if changed.contains(Item.Keys.title) {
                titled.append(item)
                renamed.append((item, old(Item.Keys.title)))
            }
            let hadLinks = LinkChanges.keys.dropLast().contains {
                changed.contains($0) && !TitleLink.all(in: old($0)).isEmpty
            }
            if hadLinks || !item.linkedTitles.isEmpty { texts.append(item) }
        }
    }
}

/// Sets the links of items by their texts.
struct LinkFollower {
    private let library: Library
    private let context: ManagedObjectContext
    /// Reads what is saved: an index serves a context without pending changes only.
    private let saved: ManagedObjectContext
    /// The pending items of the context, by folded title.
    private var pending: [String: [Item]]?
    /// All saved items by folded title, if they were read.
    private var known: [String: ManagedObjectID]?

    /// For more new titles than this, all items with links are looked at in place of each title.
    private static let mostTitles = 100
    /// A longer title is searched by its beginning; what is found is compared with all of it.
    private static let longestSearch = 200

    init(_ library: Library, _ context: ManagedObjectContext) {
        self.library = library
        self.context = context
        saved = library.makeScratch()
    }

    // MARK: Renaming

    /// Writes the new titles of items into the texts that link to them, and so on for texts that are
    /// titles.
    ///
    /// - Returns: the items whose texts have changed, and those whose links do not lead there any more,
    ///   because no link can have the title.
    func rename(_ renamed: [(item: Item, old: String)]) -> (changed: [Item], lost: [Item]) {
        var rest = renamed
        var changed: [Item] = []
        var lost: [Item] = []
        var seen = Set(renamed.map(\.item.objectID))
        while let (target, old) = rest.popLast() {
            let (folded, new) = (QueryNames.folded(old), target.title)
            guard TitleLink.canName(new) else {
                lost += target.backlinks.filter { !$0.isDeleted && !lost.contains($0) }
                continue
            }
            for source in target.backlinks where !source.isDeleted {
                func replaced(_ text: String?) -> String? {
                    text.flatMap {
                        TitleLink.replacing(in: $0) { link in
                            QueryNames.folded(link.title) == folded && link.title != new ? new : nil
                        }
                    }
                }
                var hasChanged = false
                if let text = replaced(source.notes) {
                    source.notes = text
                    hasChanged = true
                }
                if let note = source as? Note, let text = replaced(note.body) {
                    note.body = text
                    hasChanged = true
                }
                let title = source.title
                if seen.insert(source.objectID).inserted, let text = replaced(title) {
                    source.title = text
                    rest.append((source, title))
                    hasChanged = true
                }
                if hasChanged, !changed.contains(source) { changed.append(source) }
            }
        }
        return (changed, lost)
    }

    // MARK: Texts

    /// Makes the links of items those that their texts name; a link that leads to an item of the title
    /// stays.
    mutating func follow(_ items: [Item]) throws {
        for item in items where !item.isDeleted {
            var titles = item.linkedTitles
            for target in item.links {
                // Of two with a title one is enough.
                let isNamed = titles.removeValue(forKey: QueryNames.folded(target.title)) != nil
                if !isNamed || target.isDeleted { item.$links.remove(target) }
            }
            for (folded, title) in titles {
                guard let target = try self.item(folded, title) else { continue }
                item.$links.insert(target)
            }
        }
    }

    /// Reads the titles of all saved items, for many links.
    ///
    /// - Complexity: O(items), two statements.
    mutating func readTitles() throws {
        var titles: [String: ManagedObjectID] = [:]
        for condition in [!Library.openItems, Library.openItems] {
            let request = FetchRequest<Item>(
                where: condition,
                sortedBy: \.displayOrder,
                \.shortID
            )
            let ids = try saved.fetch(FetchRequest<ManagedObjectID>(request))
            let names = try Item.values(
                of: \.title,
                in: saved,
                where: condition,
                sortedBy: \.displayOrder,
                \.shortID
            )
            // The first one of a title is the last one that is set, and an open one before others.
            for (id, name) in zip(ids, names).reversed() { titles[QueryNames.folded(name)] = id }
        }
        known = titles
    }

    /// The item that a title means: a pending one, else a saved one.
    private mutating func item(_ folded: String, _ title: String) throws -> Item? {
        if let item = pendingItems()[folded]?.first { return item }
        let id: ManagedObjectID?
        if let known {
            id = known[folded]
        } else {
            let condition = Condition<Item>(
                CompiledQuery.compare(Item.Keys.title, .equal, title)
            )
            let text = String(title.prefix(Self.longestSearch))
            func first(_ condition: Condition<Item>) throws -> ManagedObjectID? {
                try saved.search(
                    text,
                    in: Item.self,
                    where: condition,
                    sortedBy: \.displayOrder,
                    limit: 1
                ).first
            }
            id = try first(condition && Library.openItems) ?? first(condition)
        }
        guard let id, let item = try context.existingObject(with: id) as? Item, !item.isDeleted,
            QueryNames.folded(item.title) == folded
        else { return nil }
        return item
    }

    private mutating func pendingItems() -> [String: [Item]] {
        if let pending { return pending }
        var found: [String: [Item]] = [:]
        for case let item as Item in context.insertedObjects.union(context.updatedObjects)
        where !item.isDeleted {
            found[QueryNames.folded(item.title), default: []].append(item)
        }
        pending = found
        return found
    }

    // MARK: Titles

    /// Leads links that had no item to items that have got their title.
    func lead(to items: [Item]) throws {
        let named = items.filter { TitleLink.canName($0.title) }
        let targets = Dictionary(
            named.map { (QueryNames.folded($0.title), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let texts =
            targets.count > Self.mostTitles ? ["[["] : targets.values.map { "[[\($0.title)]]" }
        for text in texts {
            let found = try Self.items(with: text, in: saved)
            for source in try context.objects(Item.self, with: found, prefetching: [\.links])
            where !source.isDeleted {
                let titles = source.linkedTitles
                let led = Set(source.links.map { QueryNames.folded($0.title) })
                for title in titles.keys where !led.contains(title) {
                    if let target = targets[title] { source.$links.insert(target) }
                }
            }
        }
    }

    private static func items(
        with text: String,
        in context: ManagedObjectContext
    ) throws -> [ManagedObjectID] {
        try context.search(String(text.prefix(longestSearch)), in: Item.self)
    }

    /// Asks what ``lead(to:)`` will ask for one title.
    static func readAhead(_ title: String, in context: ManagedObjectContext) throws {
        if TitleLink.canName(title) { _ = try items(with: "[[\(title)]]", in: context) }
    }
}
