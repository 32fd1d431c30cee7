import DocketFormats
import FoundationEssentials
import ObjectGraph

/// Writes the records of a file into a library.
///
/// Items that exist already (`+Known`, `+Unchanged`):
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
/// part at the end, in parts of their own.
///
/// Each part has a context of its own, so that nothing of it is left when it is saved. The mark of
/// an import of several parts (`+Parts`) is saved with each part and removed with the last.
struct RecordImporter {
    let library: Library
    /// The context of the present part.
    var context: ManagedObjectContext
    let format: ExchangeFormat
    let settings: ExchangeSettings
    /// What people call the file.
    let source: String?
    let survey: ImportSurvey
    var progress: ((ImportProgress) throws -> Void)?
    var report: ExchangeReport
    var names: RecordNames
    var wasEmpty: Bool
    private var isFirst = true
    private var usedIDs: Set<Int64> = []
    /// An item that got the place of its record, and that place.
    var kept: (item: Item, order: Int64)?
    /// The numbers behind which new items follow, while another thread saves those before them;
    /// `nil` if the store knows.
    var numbers: Library.Numbers?
    private(set) var added = 0
    var updated = 0
    /// How many items an interrupted import had done.
    var continued = 0
    /// Whether the import has several parts.
    var isDivided = false
    var postponed: [Relation] = []
    /// What the part at hand refers to and does not exist.
    var missing: Set<UUID> = []
    /// What the part at hand has as it is saved here (`+Unchanged`).
    private var unchanged: Set<UUID> = []
    /// The items that were here before, by the hash of their titles; `nil` until it is needed.
    var idsByTitle: [Int: [ManagedObjectID]]?
    /// The first transaction of the step, once everything is saved; `nil` if nothing had to be.
    var first: Int64?
    /// Whether this completes an interrupted import.
    var isResuming = false
    /// Names that were reported because they exist in another letter case.
    var spellings: Set<String> = []

    init(
        _ library: Library,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings,
        _ survey: ImportSurvey,
        named source: String?
    ) throws {
        self.source = source
        self.library = library
        self.format = format
        self.settings = settings
        self.survey = survey
        context = library.makeScratch()
        report = survey.report
        names = try RecordNames(context)
        wasEmpty = try library.items(matching: nil, limit: 1).isEmpty
    }

    /// Finds the effect of ``run(_:batch:)``, and reverts it.
    mutating func rehearse(_ parts: ImportParts) throws {
        defer { library.forgetNumbers() }
        isDivided = true
        while true {
            let part = parts.take()
            if part.isEmpty { return }
            try write(part[...], try known(part[...]))
            // What refers to another part would be set at the end.
            postponed = []
            try beginPart()
        }
    }

    /// Continues with a new context; objects of the last part are not valid any more.
    mutating func beginPart() throws {
        kept = nil
        let seen = library.othersSteps.count
        try library.mergeOthers()
        context = library.makeScratch()
        if library.othersSteps.count == seen {
            try names.move(to: context)
        } else {
            // They may have added lists and tags.
            names = try RecordNames(context)
        }
    }

    /// The items of a part that exist already.
    mutating func known(_ part: ArraySlice<ImportedRecord>) throws -> [UUID: Item] {
        (missing, unchanged) = ([], [])
        if wasEmpty { return [:] }
        let unchanged = survey.leavesOutUnchanged ? [] : try unchanged(part)
        self.unchanged = unchanged
        var known = try found(part.map(\.record.uuid).filter { !unchanged.contains($0) })
        if format == .taskwarrior { try adopt(part, &known) }
        missing = try missing(in: part, known)
        return known
    }

    /// Finds occurrences that an import has made before Taskwarrior has; they get its UUIDs.
    private func adopt(_ part: ArraySlice<ImportedRecord>, _ known: inout [UUID: Item]) throws {
        var made: [UUID: UUID] = [:]
        for imported in part
        where known[imported.record.uuid] == nil && !unchanged.contains(imported.record.uuid) {
            guard let uuid = TaskwarriorTemplates.made(for: imported.record) else { continue }
            made[uuid] = imported.record.uuid
        }
        for (uuid, item) in try found(made.keys) {
            guard let theirs = made[uuid] else { continue }
            item.keepsModified = true
            item.uuid = theirs
            known[theirs] = item
        }
    }

    /// Writes records into the present context.
    mutating func write(_ part: ArraySlice<ImportedRecord>, _ known: [UUID: Item]) throws {
        var items = known
        var new: [Item] = []
        var places: [Place] = []
        var relations: [Relation] = []
        for imported in part where !unchanged.contains(imported.record.uuid) {
            let record = imported.record
            if let known = items[record.uuid] {
                let fields = try update(known, imported)
                if known is Task { relations += Relation.all(imported, fields) }
                continue
            }
            let item = record.kind == .note ? context.insert(Note.self) : context.insert(Task.self)
            item.uuid = record.uuid
            items[record.uuid] = item
            new.append(item)
            places.append(Place(number: record.shortID, order: record.order))
            try fill(item, imported)
            if item is Task { relations += Relation.all(imported, nil) }
        }
        added += new.count
        try relate(relations, &items)
        if let numbers {
            try library.assign(numbers, to: new, in: context)
        } else {
            try library.assignNumbers(to: new, in: context)
        }
        // Somebody may have added items since the file was read.
        if isFirst, library.endOfOrder != 0 { wasEmpty = false }
        isFirst = false
        if wasEmpty { keepNumbers(new, places) }
    }

    /// The short ID and the rank of an item in the file.
    private struct Place {
        let number: Int64?
        let order: Int64?
    }

    /// An empty library takes short IDs and ranks from the file, unless two items share one.
    private mutating func keepNumbers(_ items: [Item], _ places: [Place]) {
        var ranks: Set<Int64> = []
        let orders = places.compactMap(\.order)
        let keepsOrder =
            orders.count == places.count && orders.allSatisfy { ranks.insert($0).inserted }
        let numbers = places.compactMap(\.number)
        let keepsIDs =
            numbers.count == places.count
            && numbers.allSatisfy { $0 > 0 && usedIDs.insert($0).inserted }
        for (item, place) in zip(items, places) {
            if keepsOrder, let order = place.order {
                item.displayOrder = order
                kept = (item, order)
            }
            if keepsIDs, let number = place.number { item.shortID = number }
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
