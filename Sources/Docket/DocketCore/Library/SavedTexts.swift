public import ObjectGraph

/// Reads the searched texts directly from the rows of saved items.
///
/// The search during typing reads the text of every item once; an instance for each, and its row in
/// the row cache, would cost more time and memory than the search itself.
///
/// Valid until a list or a tag changes, because their names are read once at the beginning.
public struct SavedTexts {
    /// The texts of one item.
    ///
    /// Safety: valid during the call that gets them.
    public struct Texts {
        public let title: UnsafeBufferPointer<UInt8>
        public let notes: UnsafeBufferPointer<UInt8>
        public let body: UnsafeBufferPointer<UInt8>
        /// The path of its list, with `/` between the names; empty without a list.
        public let list: String
        /// Its tags with their signs, by name, separated by blanks.
        public let tags: String
        public let tagIDs: [ManagedObjectID]
        /// The tasks that it waits for.
        public let blockerIDs: [ManagedObjectID]
        /// All of its row, and the entity by which slots are numbered.
        public let row: RowReader
        public let isNote: Bool
    }

    private struct Slots {
        let title, notes, body, list: Int

        init(_ entity: EntityDescription?) {
            func slot(_ name: String) -> Int { entity?.slotByName[name] ?? -1 }
            title = slot(Item.Keys.title)
            notes = slot(Item.Keys.notes)
            body = slot(Note.Keys.body)
            list = slot(Item.Keys.list)
        }
    }

    private let context: ManagedObjectContext
    private let noteNumber: UInt16?
    private let task: Slots
    private let note: Slots
    private var listPaths: [ManagedObjectID: String] = [:]
    private var tagNames: [ManagedObjectID: String] = [:]

    public init(_ library: Library) throws {
        context = library.context
        let model = context.coordinator.model
        noteNumber = model.entity(of: Note.self)?.number
        task = Slots(model.entity(of: Task.self))
        note = Slots(model.entity(of: Note.self))
        for list in try library.lists() {
            listPaths[list.objectID] = list.path.joined(separator: "/")
        }
        for tag in try library.tags() { tagNames[tag.objectID] = "#\(tag.name)" }
    }

    /// Calls the body with the texts of each of some items that has a row.
    ///
    /// - Complexity: three statements for each five hundred items; nothing stays in the row cache.
    public func forEach(
        of ids: [ManagedObjectID],
        _ body: (ManagedObjectID, Texts) -> Void
    ) throws {
        let tags = try context.savedDestinations(of: \.tags, in: Item.self, for: ids)
        var tagsByID: [ManagedObjectID: [ManagedObjectID]] = [:]
        for (id, tags) in zip(ids, tags) where !tags.isEmpty { tagsByID[id] = Array(tags) }
        let tasks = ids.filter { $0.entityNumber != noteNumber }
        let blockers = try context.savedDestinations(of: \.blockedBy, in: Task.self, for: tasks)
        var blockersByID: [ManagedObjectID: [ManagedObjectID]] = [:]
        for (id, blockers) in zip(tasks, blockers) where !blockers.isEmpty {
            blockersByID[id] = Array(blockers)
        }
        try context.forEachRow(of: ids, keepsRows: false) { id, row in
            let isNote = id.entityNumber == noteNumber
            let slots = isNote ? note : task
            let tags = tagsByID[id] ?? []
            let list = row.reference(slots.list)
            body(
                id,
                Texts(
                    title: row.text(slots.title),
                    notes: row.text(slots.notes),
                    body: row.text(slots.body),
                    list: list.flatMap { listPaths[$0] } ?? "",
                    tags: tags.isEmpty
                        ? "" : tags.compactMap { tagNames[$0] }.sorted().joined(separator: " "),
                    tagIDs: tags,
                    blockerIDs: blockersByID[id] ?? [],
                    row: row,
                    isNote: isNote
                )
            )
        }
    }
}
