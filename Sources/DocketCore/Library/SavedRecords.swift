import FoundationEssentials
import ObjectGraph

/// Reads the records of saved items straight from their rows.
///
/// An export looks at every item once; an instance for each would cost more than all the rest.
/// Gives what `Library.record(of:)` gives; a test compares the two.
struct SavedRecords {
    /// How much of an item is read.
    enum Extent {
        /// What a line of a list shows: number, kind, title, state, priority, due date, list, tags.
        case line
        /// Everything.
        case whole
    }

    private let extent: Extent
    private let context: ManagedObjectContext
    private let task: Slots
    private let note: Slots
    private var listPaths: [ManagedObjectID: [String]] = [:]
    private var tagNames: [ManagedObjectID: String] = [:]
    private var locationNames: [ManagedObjectID: String] = [:]
    private let hasTimeEntries: Bool
    private let passesFieldsOn: Bool

    /// - Parameters:
    ///   - library: where the items are.
    ///   - extent: how much of them is read.
    ///   - passesFieldsOn: whether the fields of foreign formats are only handed on, as text.
    /// - Throws: the store's error.
    init(_ library: Library, _ extent: Extent = .whole, passesFieldsOn: Bool = false) throws {
        context = library.context
        self.extent = extent
        self.passesFieldsOn = passesFieldsOn
        let entities = context.coordinator.model
        task = Slots(entities.entity(named: "Task"))
        note = Slots(entities.entity(named: "Note"))
        for list in try library.lists() { listPaths[list.objectID] = list.path }
        for tag in try library.tags() { tagNames[tag.objectID] = tag.name }
        guard extent == .whole else {
            hasTimeEntries = false
            return
        }
        hasTimeEntries =
            try context.count(for: FetchRequest<TimeEntry>(entityName: "TimeEntry")) > 0
        for location in try context.fetch(FetchRequest<Location>(entityName: "Location")) {
            locationNames[location.objectID] = location.name
        }
    }

    /// The records of items, in their order; those that are gone are left out.
    ///
    /// Cost: a constant number of statements for each some hundred items; nothing stays in the row
    /// cache.
    func records(of ids: [ManagedObjectID]) throws -> [ItemRecord] {
        var records: [ItemRecord] = []
        records.reserveCapacity(ids.count)
        var found: [ManagedObjectID] = []
        var parents: [(place: Int, id: ManagedObjectID)] = []
        var tasks: [(place: Int, id: ManagedObjectID)] = []
        try context.forEachRow(of: ids, keepsRows: false) { id, row in
            let isTask = id.entityNumber == task.entityNumber
            guard extent == .whole else {
                records.append(line(row, isTask ? task : note))
                found.append(id)
                return
            }
            var record = item(row, isTask ? task : note)
            if isTask {
                fill(&record, row)
                tasks.append((records.count, id))
                if let parent = row.reference(task.parent) {
                    parents.append((records.count, parent))
                }
            }
            records.append(record)
            found.append(id)
        }
        let tags = try context.savedDestinations(of: "tags", in: "Item", for: found)
        for (place, ids) in tags.enumerated() where !ids.isEmpty {
            records[place].tags = ids.compactMap { tagNames[$0] }.sorted()
        }
        guard extent == .whole else { return records }
        let uuids = try uuids(of: parents.map(\.id))
        for parent in parents { records[parent.place].parent = uuids[parent.id] }
        try addLinks(to: &records, of: tasks)
        return records
    }

    private func line(_ row: RowReader, _ slots: Slots) -> ItemRecord {
        var record = ItemRecord(
            uuid: SavedRecords.noUUID,
            title: row.string(slots.title) ?? "",
            created: Slots.epoch
        )
        record.shortID = row.number(slots.shortID) ?? 0
        if slots.body >= 0 { record.kind = .note }
        if let list = row.reference(slots.list) { record.list = listPaths[list] ?? [] }
        record.trashed = !row.lacks(slots.trashed)
        record.priority = Int(row.number(slots.priority) ?? 0)
        record.completed = row.date(slots.completed)
        record.due = row.date(slots.due).map {
            DueDate(date: $0, isDateOnly: row.number(slots.dueDateOnly) ?? 0 != 0)
        }
        return record
    }

    private static let noUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private func item(_ row: RowReader, _ slots: Slots) -> ItemRecord {
        var record = ItemRecord(
            uuid: row.uuid(slots.uuid)
                ?? SavedRecords.noUUID,
            title: row.string(slots.title) ?? "",
            created: row.date(slots.created) ?? Slots.epoch,
            modified: row.date(slots.modified) ?? Slots.epoch
        )
        record.shortID = row.number(slots.shortID) ?? 0
        record.notes = row.string(slots.notes)
        if let list = row.reference(slots.list) { record.list = listPaths[list] ?? [] }
        record.order = row.number(slots.displayOrder) ?? 0
        record.trashed = !row.lacks(slots.trashed)
        record.flagged = row.number(slots.flagged) ?? 0 != 0
        if let extra = row.string(slots.extra) {
            record.extra =
                passesFieldsOn && ForeignFields.canPassOn(extra)
                ? ForeignFields(unread: extra) : ForeignFields(stored: extra)
        }
        if slots.body >= 0 {
            record.kind = .note
            record.body = row.string(slots.body)
        }
        return record
    }

    private func fill(_ record: inout ItemRecord, _ row: RowReader) {
        record.due = row.date(task.due).map {
            DueDate(date: $0, isDateOnly: row.number(task.dueDateOnly) ?? 0 != 0)
        }
        record.start = row.date(task.start).map {
            DueDate(date: $0, isDateOnly: row.number(task.startDateOnly) ?? 0 != 0)
        }
        record.priority = Int(row.number(task.priority) ?? 0)
        record.completed = row.date(task.completed)
        record.recurrence = row.string(task.recurrence)
        record.reminder = row.date(task.reminder)
        record.location = row.reference(task.location).flatMap { locationNames[$0] }
        record.estimate = row.number(task.estimate).map { Int($0) }
    }

    private func addLinks(
        to records: inout [ItemRecord],
        of tasks: [(place: Int, id: ManagedObjectID)]
    ) throws {
        let owners = tasks.map(\.id)
        let blocking = try context.savedDestinations(of: "blockedBy", in: "Task", for: owners)
        let uuids = try uuids(of: blocking.flatMap { $0 })
        for (task, ids) in zip(tasks, blocking) where !ids.isEmpty {
            records[task.place].dependencies = ids.compactMap { uuids[$0] }
                .sorted { $0.uuidString < $1.uuidString }
        }
        guard hasTimeEntries else { return }
        let entries = try context.savedDestinations(of: "timeEntries", in: "Task", for: owners)
        let times = try times(of: entries.flatMap { $0 })
        for (task, ids) in zip(tasks, entries) where !ids.isEmpty {
            records[task.place].timeEntries = ids.compactMap { times[$0] }
                .sorted { $0.start < $1.start }
        }
    }

    private func uuids(of ids: [ManagedObjectID]) throws -> [ManagedObjectID: UUID] {
        var result: [ManagedObjectID: UUID] = [:]
        try context.forEachRow(of: ids) { id, row in
            let slots = id.entityNumber == task.entityNumber ? task : note
            result[id] = row.uuid(slots.uuid)
        }
        return result
    }

    private func times(of ids: [ManagedObjectID]) throws -> [ManagedObjectID: TimeEntryRecord] {
        var result: [ManagedObjectID: TimeEntryRecord] = [:]
        if ids.isEmpty { return result }
        let entity = context.coordinator.model.entity(named: "TimeEntry")
        let start = entity?.slotByName["start"] ?? -1
        let end = entity?.slotByName["end"] ?? -1
        try context.forEachRow(of: ids) { id, row in
            result[id] = TimeEntryRecord(start: row.date(start) ?? Slots.epoch, end: row.date(end))
        }
        return result
    }
}

/// The slots of an entity's properties; -1 for those that it does not have.
private struct Slots {
    static let epoch = Date(timeIntervalSinceReferenceDate: 0)

    let entityNumber: UInt16
    let uuid, title, created, modified, shortID, notes, list, displayOrder, trashed, flagged: Int
    let extra, body, due, dueDateOnly, start, startDateOnly, priority, completed: Int
    let recurrence, reminder, location, estimate, parent: Int

    init(_ entity: EntityDescription?) {
        entityNumber = entity?.number ?? 0
        func slot(_ name: String) -> Int { entity?.slotByName[name] ?? -1 }
        uuid = slot("uuid")
        title = slot("title")
        created = slot("created")
        modified = slot("modified")
        shortID = slot("shortID")
        notes = slot("notes")
        list = slot("list")
        displayOrder = slot("displayOrder")
        trashed = slot("trashed")
        flagged = slot("flagged")
        extra = slot("extra")
        body = slot("body")
        due = slot("due")
        dueDateOnly = slot("dueDateOnly")
        start = slot("start")
        startDateOnly = slot("startDateOnly")
        priority = slot("priority")
        completed = slot("completed")
        recurrence = slot("recurrence")
        reminder = slot("reminder")
        location = slot("location")
        estimate = slot("estimate")
        parent = slot("parent")
    }
}
