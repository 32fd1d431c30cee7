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
    /// - Returns: what was kept, changed and skipped; nothing was imported if it is not complete
    ///   and `broken` is ``BrokenItems/refuseAll``.
    package func importItems(
        _ format: ExchangeFormat, from bytes: [UInt8], broken: BrokenItems = .refuseAll
    ) throws -> ExchangeReport {
        var reader = try format.reader(
            of: bytes, settings: ExchangeSettings(dates: clock()))
        var report = ExchangeReport()
        var records: [ItemRecord] = []
        while let event = reader.next() {
            report.note(event)
            if case .record(let imported) = event { records.append(imported.record) }
        }
        if !report.isComplete, broken == .refuseAll { return report }
        var importer = try RecordImporter(self)
        try importer.run(records)
        // A long log would have to be read again by every command that follows.
        if records.count > 1000 { try context.coordinator.checkpoint() }
        return report
    }

    /// Whether an import was cut off in its middle.
    ///
    /// Importing the same file again completes it, undo takes it back as a whole.
    package var hasUnfinishedImport: Bool {
        context.coordinator.metadata(Library.unfinishedKey) != nil
    }

    static let unfinishedKey = "DocketUnfinishedImport"
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

    init(_ library: Library) throws {
        self.library = library
        context = library.context
        wasEmpty = try library.items(matching: nil, limit: 1).isEmpty
    }

    mutating func run(_ records: [ItemRecord]) throws {
        let parts = stride(from: 0, to: records.count, by: Library.importBatch).map {
            Array(records[$0..<min($0 + Library.importBatch, records.count)])
        }
        var first: Int64?
        do {
            for (index, part) in parts.enumerated() {
                try write(part)
                var info = TransactionInfo()
                info.groupName = "Import \(records.count) Item\(records.count == 1 ? "" : "s")"
                info.continues = first
                if parts.count > 1 {
                    let isLast = index == parts.count - 1
                    context.coordinator.setMetadata(
                        isLast ? nil : .bool(true), for: Library.unfinishedKey)
                }
                let number = try context.save(info)
                first = first ?? number
                if parts.count > 1 { forgetObjects() }
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

    private mutating func write(_ records: [ItemRecord]) throws {
        var byUUID = try existing(records)
        var new: [Item] = []
        var newRecords: [ItemRecord] = []
        for record in records {
            let item: Item
            if let known = byUUID[record.uuid] {
                item = known
            } else {
                item = record.kind == .note ? context.insert(Note.self) : context.insert(Task.self)
                item.uuid = record.uuid
                byUUID[record.uuid] = item
                new.append(item)
                newRecords.append(record)
            }
            try fill(item, record)
        }
        for record in records { try relate(record, byUUID) }
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
    private func existing(_ records: [ItemRecord]) throws -> [UUID: Item] {
        if wasEmpty { return [:] }
        var result: [UUID: Item] = [:]
        for start in stride(from: 0, to: records.count, by: 500) {
            let uuids = records[start..<min(start + 500, records.count)].map(\.uuid)
            let request = FetchRequest<Item>(
                entityName: "Item",
                predicate: .comparison(
                    FetchComparison(
                        .keyPath("uuid"), .in,
                        .constant(.array(uuids.map { .uuid($0) })))))
            for item in try context.fetch(request) { result[item.uuid] = item }
        }
        return result
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
        if let parent = record.parent { task.parent = try item(parent, byUUID) as? Task }
        for uuid in record.dependencies {
            if let other = try item(uuid, byUUID) as? Task { task.addToBlockedBy(other) }
        }
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
                FetchComparison(.keyPath("name"), .equal, .constant(.string(name)))))
        request.limit = 1
        let found = try context.fetch(request).first ?? context.insert(Location.self)
        found.name = name
        locations[name] = found
        return found
    }
}
