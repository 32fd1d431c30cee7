import FoundationEssentials
import ObjectGraph

/// Writes the records of a file into a library.
///
/// Items that exist already (`+Known`):
///
/// 1. Fields are compared in the form of the format, that is, as an export of the item would write
///    them. So values that a format cannot hold neither differ nor get lost.
/// 2. An item without a difference is not changed.
/// 3. Otherwise the file's values are used if they are not older than those here:
///    - by the file's own time of change, if it has one;
///    - else if the item has not changed here since it was created or last imported. For this,
///      items keep the line of todo.txt that they came from; those that a file without times has
///      changed get a mark of its content.
/// 4. The report lists changed and unchanged items with their fields.
///
/// Relations to other items (`+Relations`) are set when all items of a part exist; those to a later
/// part at the end.
struct RecordImporter {
    let library: Library
    let context: ManagedObjectContext
    let format: ExchangeFormat
    let settings: ExchangeSettings
    /// What people call the file.
    let source: String?
    let records: [ImportedRecord]
    var report: ExchangeReport
    var names: RecordNames
    private var wasEmpty: Bool
    private var isFirst = true
    private var usedIDs: Set<Int64> = []
    /// An item that got the place of its record, and that place.
    private var kept: (item: Item, order: Int64)?
    private(set) var added = 0
    var updated = 0
    /// The UUIDs of the whole file, during an import in parts.
    var later: Set<UUID> = []
    var postponed: [Relation] = []
    /// Whether this completes an interrupted import.
    private(set) var isResuming = false
    /// Names that were reported because they exist in another letter case.
    var spellings: Set<String> = []

    init(
        _ library: Library,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings,
        _ file: ImportFile,
        named source: String?
    ) throws {
        self.source = source
        self.library = library
        self.format = format
        self.settings = settings
        context = library.context
        records = file.records
        report = file.report
        names = try RecordNames(library)
        wasEmpty = try library.items(matching: nil, limit: 1).isEmpty
    }

    /// Finds the effect of ``run(batch:mark:)``, and reverts it.
    mutating func rehearse() throws {
        defer { library.revertChanges() }
        try write(records[...])
    }

    /// Saves everything, as one step of undo.
    ///
    /// - Parameters:
    ///   - batch: how many items one transaction contains.
    ///   - mark: the hash of the file, to complete an interrupted import of it.
    /// - Throws: the store's error; the parts that were saved before it stay.
    mutating func run(batch: Int, mark: String) throws {
        let isDivided = records.count > batch
        let key = ImportMark.key
        let before = context.coordinator.metadata(key)
        var first: Int64?
        if isDivided {
            later = Set(records.map(\.record.uuid))
            let unfinished = before.flatMap { ImportMark($0) }
            if let unfinished, unfinished.file == mark, library.isDone(unfinished.transaction) {
                first = unfinished.transaction
                isResuming = true
            }
        }
        do {
            for start in stride(from: 0, to: records.count, by: batch) {
                let end = min(start + batch, records.count)
                let isLast = end == records.count
                let part = records[start..<end]
                let number = try save(part, isLast: isLast, continuing: first) { library in
                    guard isDivided else { return }
                    let coordinator = library.context.coordinator
                    let command = try first ?? library.latestTransaction() + 1
                    let value: GraphValue? = isLast ? .none : ImportMark(command, mark).value
                    coordinator.setMetadata(value, for: key)
                }
                // If a part had to move after additions of others, the rest follows it.
                if let kept, kept.item.displayOrder != kept.order { wasEmpty = false }
                kept = nil
                if number > 0 { first = first ?? number }
            }
            if isDivided, context.coordinator.metadata(key) != nil {
                // All items of its last part existed already.
                try context.coordinator.saveMetadata(.none, for: key)
            }
        } catch {
            library.revertChanges()
            if isDivided, first == nil { context.coordinator.setMetadata(before, for: key) }
            throw error
        }
    }

    /// Saves a part; if somebody else has saved some of its items in the meantime, it is created
    /// again.
    private mutating func save(
        _ part: ArraySlice<ImportedRecord>,
        isLast: Bool,
        continuing first: Int64?,
        _ beforeWriting: (Library) throws -> Void
    ) throws -> Int64 {
        let before = self
        for attempt in 0... {
            do {
                try write(part)
                if isLast { try relatePostponed() }
                var info = TransactionInfo()
                info.groupName = stepName
                info.continues = first
                return try withoutActuallyEscaping(beforeWriting) { body in
                    try library.save(context, info) { [library] in try body(library) }
                }
            } catch let error as ObjectGraphError
                where error.code == .constraintConflict && attempt < 5
            {
                library.revertChanges()
                try library.refresh()
                self = before
                names = try RecordNames(library)
                wasEmpty = false
            }
        }
        return 0
    }

    /// The name of the step.
    ///
    /// That of an import in parts is written before all of them are compared with the existing
    /// items, so it has the number of items in the file.
    private var stepName: String {
        let count = later.isEmpty ? added + updated : records.count
        let rest = source.map { " from \(StepName.short($0))" } ?? ""
        return StepName(.imported, StepSubject(.item, count: count, title: nil), rest).text
    }

    private mutating func write(_ part: ArraySlice<ImportedRecord>) throws {
        var items = wasEmpty ? [:] : try found(part.lazy.map(\.record.uuid))
        var new: [Item] = []
        var newRecords: [ItemRecord] = []
        var relations: [Relation] = []
        for imported in part {
            let record = imported.record
            if let known = items[record.uuid] {
                let fields = try update(known, imported)
                if let task = known as? Task {
                    relations += Relation.all(of: task, imported, fields)
                }
                continue
            }
            let item = record.kind == .note ? context.insert(Note.self) : context.insert(Task.self)
            item.uuid = record.uuid
            items[record.uuid] = item
            new.append(item)
            newRecords.append(record)
            try fill(item, imported)
            if let task = item as? Task { relations += Relation.all(of: task, imported, nil) }
        }
        added += new.count
        try relate(relations, &items)
        try library.assignNumbers(to: new)
        // Somebody may have added items since the file was read.
        if isFirst, library.endOfOrder != 0 { wasEmpty = false }
        isFirst = false
        if wasEmpty { keepNumbers(new, newRecords) }
    }

    /// An empty library takes short IDs and ranks from the file, unless two items share one.
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
            if keepsOrder, let order = record.order {
                item.displayOrder = order
                kept = (item, order)
            }
            if keepsIDs, let number = record.shortID { item.shortID = number }
        }
    }

    /// The existing items of some UUIDs, found in a few queries.
    func found(_ uuids: some Collection<UUID>) throws -> [UUID: Item] {
        var result: [UUID: Item] = [:]
        var rest = Array(uuids)[...]
        while !rest.isEmpty {
            let slice = rest.prefix(500)
            rest = rest.dropFirst(500)
            for item in try Item.all(in: context, where: { $0.uuid.in(slice) }) {
                result[item.uuid] = item
            }
        }
        return result
    }
}
