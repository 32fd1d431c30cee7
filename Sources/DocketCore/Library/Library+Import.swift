import FoundationEssentials
import ObjectGraph

extension Library {
    /// What an import does with items that cannot be read.
    package enum BrokenItems: Sendable {
        /// Nothing is imported; the report says what is wrong.
        case refuseAll
        /// They are left out.
        case skip
    }

    /// The most items that one transaction takes; a larger import is saved in parts that are one
    /// step of undo together.
    package static let importBatch = 50_000

    /// Takes items over from a file's bytes.
    ///
    /// An item whose UUID is there already is brought up to date. New ones go to the end of the
    /// display order; an empty library takes over order and short IDs as they are.
    ///
    /// An item that is there already as the file has it is left alone, so a second import of a
    /// file changes nothing and is no step of undo.
    ///
    /// - Returns: what was kept, changed and skipped; nothing was imported if it is not complete
    ///   and `broken` is ``BrokenItems/refuseAll``.
    package func importItems(
        _ format: ExchangeFormat,
        from bytes: [UInt8],
        broken: BrokenItems = .refuseAll
    ) throws -> ImportOutcome {
        try refresh()
        var reader = try format.reader(
            of: bytes,
            settings: ExchangeSettings(dates: clock())
        )
        var report = ExchangeReport()
        var outcome = ImportOutcome()
        var records: [ItemRecord] = []
        while let event = reader.next() {
            report.note(event)
            if case .record(let imported) = event { records.append(imported.record) }
        }
        outcome.report = report
        if !report.isComplete, broken == .refuseAll { return outcome }
        var importer = try RecordImporter(self)
        if records.count > 1000 {
            // Its end empties the log: every command that follows would have to read a long one.
            try context.coordinator.importing { try importer.run(records) }
        } else {
            try importer.run(records)
        }
        outcome.added = importer.added
        outcome.updated = importer.updated
        return outcome
    }

    /// Whether an import was cut off in its middle.
    ///
    /// Importing the same file again completes it, undo takes it back as a whole.
    package var hasUnfinishedImport: Bool {
        context.coordinator.metadata(Library.unfinishedKey) != nil
    }

    static let unfinishedKey = "DocketUnfinishedImport"
}

/// What an import did.
package struct ImportOutcome {
    /// What the file held.
    package var report = ExchangeReport()
    /// How many items are new.
    package var added = 0
    /// How many were there and are different now.
    package var updated = 0
}

/// Writes records into a library.
struct RecordImporter {
    private let library: Library
    private let context: ManagedObjectContext
    private var lists: [[String]: List] = [:]
    private var tags: [String: Tag] = [:]
    private var locations: [String: Location] = [:]
    private let wasEmpty: Bool
    private var usedIDs: Set<Int64> = []
    private(set) var added = 0
    private(set) var updated = 0

    init(_ library: Library) throws {
        self.library = library
        context = library.context
        wasEmpty = try library.items(matching: nil, limit: 1).isEmpty
    }

    mutating func run(_ records: [ItemRecord]) throws {
        let starts = stride(from: 0, to: records.count, by: Library.importBatch)
        let isDivided = records.count > Library.importBatch
        var first: Int64?
        do {
            for start in starts {
                let end = min(start + Library.importBatch, records.count)
                try write(records[start..<end])
                var info = TransactionInfo()
                info.groupName = "Import \(records.count) Item\(records.count == 1 ? "" : "s")"
                info.continues = first
                if isDivided {
                    context.coordinator.setMetadata(
                        end == records.count ? nil : .bool(true),
                        for: Library.unfinishedKey
                    )
                }
                let number = try library.saveWithUniqueNumbers(info)
                if number > 0 {
                    library.noteSaved(number)
                    first = first ?? number
                }
                if isDivided { forgetObjects() }
            }
        } catch {
            context.rollback()
            throw error
        }
    }

    /// Objects of a part that was saved are not needed again; lists and tags are looked up anew.
    private mutating func forgetObjects() {
        lists = [:]
        tags = [:]
        locations = [:]
    }

    private mutating func write(_ records: ArraySlice<ItemRecord>) throws {
        var byUUID = try existing(records)
        var new: [Item] = []
        var newRecords: [ItemRecord] = []
        for record in records {
            let item: Item
            if let known = byUUID[record.uuid] {
                if !known.isInserted { try update(known, record) }
                continue
            } else {
                item = record.kind == .note ? context.insert(Note.self) : context.insert(Task.self)
                item.uuid = record.uuid
                byUUID[record.uuid] = item
                new.append(item)
                newRecords.append(record)
            }
            try fill(item, record)
        }
        added += new.count
        for record in records { try relate(record, byUUID) }
        updated += context.updatedObjects.count { $0 is Item }
        try library.number(new)
        if wasEmpty { keepNumbers(new, newRecords) }
    }

    /// An empty library takes short IDs and ranks over, unless two items share one.
    private mutating func keepNumbers(_ items: [Item], _ records: [ItemRecord]) {
        var ranks: Set<Int64> = []
        let orders = records.compactMap(\.order)
        let keepsOrder =
            orders.count == records.count && orders.allSatisfy { ranks.insert($0).inserted }
        let numbers = records.compactMap(\.shortID)
        let keepsIDs =
            numbers.count == records.count
            && numbers.allSatisfy { $0 > 0 && usedIDs.insert($0).inserted }
        for (item, record) in zip(items, records) {
            if keepsOrder, let order = record.order { item.displayOrder = order }
            if keepsIDs, let number = record.shortID { item.shortID = number }
        }
    }

    /// The items that are there already, found in a few queries.
    private func existing(_ records: ArraySlice<ItemRecord>) throws -> [UUID: Item] {
        if wasEmpty { return [:] }
        var result: [UUID: Item] = [:]
        for start in stride(from: records.startIndex, to: records.endIndex, by: 500) {
            let uuids = records[start..<min(start + 500, records.endIndex)].map(\.uuid)
            let request = FetchRequest<Item>(
                entityName: "Item",
                predicate: .comparison(
                    FetchComparison(
                        .keyPath("uuid"),
                        .in,
                        .constant(.array(uuids.map { .uuid($0) }))
                    )
                )
            )
            for item in try context.fetch(request) { result[item.uuid] = item }
        }
        return result
    }

    /// Brings an item up to date; what the record had to invent stays as it is.
    private mutating func update(_ item: Item, _ record: ItemRecord) throws {
        var record = record
        let line = record.extra[ExchangeFormat.todotxt.rawValue]
        if line.contains(where: { $0.name == "undated" }) {
            record.created = item.created
            record.modified = item.modified
        }
        if line.contains(where: { $0.name == "endless" }) {
            record.completed = (item as? Task)?.completed ?? record.completed
        }
        let known = library.record(of: item)
        record.shortID = known.shortID
        record.order = known.order
        record.tags.sort()
        record.dependencies.sort { $0.uuidString < $1.uuidString }
        record.timeEntries.sort { $0.start < $1.start }
        if record != known { try fill(item, record) }
    }

    private mutating func fill(_ item: Item, _ record: ItemRecord) throws {
        item.title = record.title
        item.notes = record.notes
        item.created = record.created
        item.modified = record.modified
        item.flagged = record.flagged
        item.extra = record.extra.text
        item.trashed = record.trashed ? item.trashed ?? record.modified : nil
        item.list = try list(record.list)
        try setTags(record.tags, of: item)
        if let note = item as? Note { note.body = record.body }
        guard let task = item as? Task else { return }
        task.setDue(record.due)
        task.setStart(record.start)
        task.priority = Int16(min(max(record.priority, 0), 3))
        task.completed = record.completed
        task.recurrence = record.recurrence
        task.reminder = record.reminder
        task.estimate = record.estimate.map { Int32(clamping: $0) }
        task.location = try record.location.map { try location($0) }
        for entry in task.timeEntries { context.delete(entry) }
        for entry in record.timeEntries {
            let made = context.insert(TimeEntry.self)
            made.start = entry.start
            made.end = entry.end
            task.addToTimeEntries(made)
        }
    }

    private mutating func setTags(_ names: [String], of item: Item) throws {
        if names.isEmpty, item.isInserted { return }
        let wanted = try names.map { try tag($0) }
        for tag in item.tags where !wanted.contains(tag) { item.removeFromTags(tag) }
        for tag in wanted { item.addToTags(tag) }
    }

    private func relate(_ record: ItemRecord, _ byUUID: [UUID: Item]) throws {
        guard let task = byUUID[record.uuid] as? Task else { return }
        if let parent = record.parent {
            task.parent = try item(parent, byUUID) as? Task
        } else if !task.isInserted, task.parent != nil {
            task.parent = nil
        }
        let others = Set(try record.dependencies.compactMap { try item($0, byUUID) as? Task })
        if !task.isInserted {
            for other in task.blockedBy where !others.contains(other) {
                task.removeFromBlockedBy(other)
            }
        }
        for other in others { task.addToBlockedBy(other) }
    }

    private func item(_ uuid: UUID, _ byUUID: [UUID: Item]) throws -> Item? {
        if let known = byUUID[uuid] { return known }
        return try? library.item(.uuid(uuid))
    }

    private mutating func list(_ path: [String]) throws -> List? {
        if path.isEmpty { return nil }
        if let known = lists[path] { return known }
        let found = try library.list(path: path)
        lists[path] = found
        return found
    }

    private mutating func tag(_ name: String) throws -> Tag {
        if let known = tags[name] { return known }
        let found = try library.tag(name)
        tags[name] = found
        return found
    }

    private mutating func location(_ name: String) throws -> Location {
        if let known = locations[name] { return known }
        var request = FetchRequest<Location>(
            entityName: "Location",
            predicate: .comparison(
                FetchComparison(.keyPath("name"), .equal, .constant(.string(name)))
            )
        )
        request.limit = 1
        let found = try context.fetch(request).first ?? context.insert(Location.self)
        found.name = name
        locations[name] = found
        return found
    }
}
