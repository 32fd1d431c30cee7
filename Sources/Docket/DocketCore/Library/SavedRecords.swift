import CivilTime
import DocketFormats
import FoundationEssentials
import ObjectGraph

/// Reads the records of saved items straight from their rows.
///
/// An export reads every item once; an instance for each would cost more than everything else. The
/// result equals that of `Library.record(of:)`; a test compares the two.
struct SavedRecords {
    /// The fields of an item that are read.
    enum Extent {
        /// The fields of a line in a list: number, kind, title, state, priority, due date, list,
        /// tags, location, and the open tasks for which it waits.
        case line
        /// Everything.
        case whole

        /// The properties that are read; `nil` for all.
        fileprivate var keys: Set<String>? { self == .line ? Extent.lineKeys : nil }

        private static let lineKeys: Set = [
            Item.Keys.title, Item.Keys.shortID, Item.Keys.list, Item.Keys.trashed,
            Task.Keys.priority, Task.Keys.location, Task.Keys.completed, Task.Keys.due,
            Task.Keys.dueDateOnly, Task.Keys.start, Task.Keys.startDateOnly,
        ]
    }

    private let context: ManagedObjectContext
    private let form: RecordForm
    private let hasTimeEntries: Bool

    /// - Parameters:
    ///   - library: the library of the items.
    ///   - extent: the fields to read.
    ///   - passesFieldsOn: whether the fields of foreign formats are only passed on, as text.
    /// - Throws: the store's error.
    init(_ library: Library, _ extent: Extent = .whole, passesFieldsOn: Bool = false) throws {
        context = library.context
        let entities = context.coordinator.model
        var form = RecordForm(
            extent: extent,
            passesFieldsOn: passesFieldsOn,
            task: Slots(entities.entity(of: Task.self)),
            note: Slots(entities.entity(of: Note.self))
        )
        for list in try library.lists() { form.listPaths[list.objectID] = list.path }
        for tag in try library.tags() { form.tagNames[tag.objectID] = tag.name }
        for location in try Location.all(in: context) {
            form.locationNames[location.objectID] = location.name
        }
        self.form = form
        hasTimeEntries =
            try extent == .whole
            && TimeEntry.count(in: context) > 0
    }

    /// The stored data of some items: their rows, and the rows of related objects.
    struct Reading: Sendable {
        fileprivate let form: RecordForm
        fileprivate let rows: SavedRows
        /// For each item that has a row.
        fileprivate var tags: [[ManagedObjectID]] = []
        /// For each task that has a row.
        fileprivate var blockers: [[ManagedObjectID]] = []
        /// The numbers of the open ones among them, for lines.
        fileprivate var openBlockers: [ManagedObjectID: Int64] = [:]
        fileprivate var timeEntries: [[ManagedObjectID]] = []
        /// The UUIDs of parents and of blocking tasks.
        fileprivate var uuids: [ManagedObjectID: UUID] = [:]
        fileprivate var times: [ManagedObjectID: TimeEntryRecord] = [:]

        /// The items' records, in their order; deleted ones are left out.
        ///
        /// They may be created on any thread, while the reading thread continues.
        func records() -> [ItemRecord] { form.records(from: self) }
    }

    /// Reads some items.
    ///
    /// Cost: a constant number of statements for each some hundred items; nothing stays in the row
    /// cache.
    func read(_ ids: [ManagedObjectID]) throws -> Reading {
        var reading = Reading(
            form: form,
            rows: try context.savedRows(of: ids, only: form.extent.keys)
        )
        var found: [ManagedObjectID] = []
        found.reserveCapacity(ids.count)
        var tasks: [ManagedObjectID] = []
        var linked: [ManagedObjectID] = []
        reading.rows.visit { id, row in
            found.append(id)
            guard id.entityNumber == form.task.entityNumber else { return }
            tasks.append(id)
            guard form.extent == .whole else { return }
            if let parent = row.reference(form.task.parent) { linked.append(parent) }
        }
        reading.tags = try context.savedDestinations(of: \.tags, in: Item.self, for: found)
        reading.blockers = try context.savedDestinations(of: \.blockedBy, in: Task.self, for: tasks)
        for blockers in reading.blockers where !blockers.isEmpty { linked += blockers }
        guard form.extent == .whole else {
            reading.openBlockers = try openBlockers(linked)
            return reading
        }
        reading.uuids = try uuids(of: linked)
        guard hasTimeEntries else { return reading }
        reading.timeEntries = try context.savedDestinations(
            of: \.timeEntries,
            in: Task.self,
            for: tasks
        )
        reading.times = try times(of: reading.timeEntries.flatMap { $0 })
        return reading
    }

    /// The numbers of those tasks that are neither done nor in the trash.
    private func openBlockers(_ ids: [ManagedObjectID]) throws -> [ManagedObjectID: Int64] {
        var result: [ManagedObjectID: Int64] = [:]
        try context.forEachRow(of: Array(Set(ids))) { id, row in
            guard row.lacks(form.task.completed), row.lacks(form.task.trashed) else { return }
            result[id] = row.number(form.task.shortID)
        }
        return result
    }

    private func uuids(of ids: [ManagedObjectID]) throws -> [ManagedObjectID: UUID] {
        var result: [ManagedObjectID: UUID] = [:]
        try context.forEachRow(of: ids) { id, row in
            let slots = id.entityNumber == form.task.entityNumber ? form.task : form.note
            result[id] = row.uuid(slots.uuid)
        }
        return result
    }

    private func times(of ids: [ManagedObjectID]) throws -> [ManagedObjectID: TimeEntryRecord] {
        var result: [ManagedObjectID: TimeEntryRecord] = [:]
        if ids.isEmpty { return result }
        let entity = context.coordinator.model.entity(of: TimeEntry.self)
        let start = entity?.slotByName[TimeEntry.Keys.start] ?? -1
        let end = entity?.slotByName[TimeEntry.Keys.end] ?? -1
        try context.forEachRow(of: ids) { id, row in
            result[id] = TimeEntryRecord(start: row.date(start) ?? Slots.epoch, end: row.date(end))
        }
        return result
    }
}

/// The conversion of rows to records: the slots of their values, and the names of related objects.
private struct RecordForm: Sendable {
    let extent: SavedRecords.Extent
    let passesFieldsOn: Bool
    let task: Slots
    let note: Slots
    var listPaths: [ManagedObjectID: [String]] = [:]
    var tagNames: [ManagedObjectID: String] = [:]
    var locationNames: [ManagedObjectID: String] = [:]

    func records(from reading: SavedRecords.Reading) -> [ItemRecord] {
        var records: [ItemRecord] = []
        records.reserveCapacity(reading.tags.count)
        var taskCount = 0
        reading.rows.visit { id, row in
            let isTask = id.entityNumber == task.entityNumber
            // Each record is filled in its place: a copy of it counts all of its texts.
            let place = records.count
            if extent == .line {
                records.append(line(row, isTask ? task : note))
                if isTask, !reading.openBlockers.isEmpty {
                    records[place].waits = reading.blockers[taskCount]
                        .compactMap { reading.openBlockers[$0] }.sorted()
                }
            } else {
                records.append(
                    ItemRecord(uuid: RecordForm.noUUID, title: "", created: Slots.epoch)
                )
                fillItem(&records[place], row, isTask ? task : note)
                if isTask {
                    fillTask(&records[place], row)
                    link(&records[place], row, reading, taskCount)
                }
            }
            if isTask { taskCount += 1 }
            let tags = reading.tags[place]
            if !tags.isEmpty { records[place].tags = tags.compactMap { tagNames[$0] }.sorted() }
        }
        return records
    }

    private func line(_ row: RowReader, _ slots: Slots) -> ItemRecord {
        var record = ItemRecord(
            uuid: RecordForm.noUUID,
            title: row.string(slots.title) ?? "",
            created: Slots.epoch
        )
        record.shortID = row.number(slots.shortID) ?? 0
        if slots.body >= 0 { record.kind = .note }
        if let list = row.reference(slots.list) { record.list = listPaths[list] ?? [] }
        record.trashed = !row.lacks(slots.trashed)
        record.priority = ItemRecord.priority(row.number(slots.priority) ?? 0)
        record.location = row.reference(slots.location).flatMap { locationNames[$0] }
        record.completed = row.date(slots.completed)
        record.due = row.date(slots.due).map {
            DueDate(date: $0, isDateOnly: row.number(slots.dueDateOnly) ?? 0 != 0)
        }
        record.start = row.date(slots.start).map {
            DueDate(date: $0, isDateOnly: row.number(slots.startDateOnly) ?? 0 != 0)
        }
        return record
    }

    private static let noUUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private func fillItem(_ record: inout ItemRecord, _ row: RowReader, _ slots: Slots) {
        record.uuid = row.uuid(slots.uuid) ?? RecordForm.noUUID
        record.title = row.string(slots.title) ?? ""
        record.created = row.date(slots.created) ?? Slots.epoch
        record.modified = row.date(slots.modified) ?? Slots.epoch
        record.shortID = row.number(slots.shortID) ?? 0
        record.notes = row.string(slots.notes)
        if let list = row.reference(slots.list) { record.list = listPaths[list] ?? [] }
        record.order = row.number(slots.displayOrder) ?? 0
        record.trashed = !row.lacks(slots.trashed)
        record.flagged = row.number(slots.flagged) ?? 0 != 0
        record.reviewed = row.date(slots.reviewed)
        if let extra = row.string(slots.extra) {
            record.extra =
                passesFieldsOn && ForeignFields.canPassOn(extra)
                ? ForeignFields(unread: extra) : ForeignFields(stored: extra)
        }
        if slots.body >= 0 {
            record.kind = .note
            record.body = row.string(slots.body)
            record.isEncrypted = !row.lacks(slots.sealedBody)
        }
    }

    private func fillTask(_ record: inout ItemRecord, _ row: RowReader) {
        record.due = row.date(task.due).map {
            DueDate(date: $0, isDateOnly: row.number(task.dueDateOnly) ?? 0 != 0)
        }
        record.start = row.date(task.start).map {
            DueDate(date: $0, isDateOnly: row.number(task.startDateOnly) ?? 0 != 0)
        }
        record.priority = ItemRecord.priority(row.number(task.priority) ?? 0)
        record.completed = row.date(task.completed)
        record.recurrence = row.string(task.recurrence)
        record.repeatsFromCompletion = row.number(task.anchor) == 1
        record.series = row.uuid(task.series)
        record.reminder = row.date(task.reminder)
        record.reminders = ReminderTimes.texts(row.string(task.remindTimes))
        record.location = row.reference(task.location).flatMap { locationNames[$0] }
        record.estimate = row.number(task.estimate).map { Int($0) }
    }

    private func link(
        _ record: inout ItemRecord,
        _ row: RowReader,
        _ reading: SavedRecords.Reading,
        _ place: Int
    ) {
        record.parent = row.reference(task.parent).flatMap { reading.uuids[$0] }
        if !reading.blockers[place].isEmpty {
            record.dependencies = reading.blockers[place].compactMap { reading.uuids[$0] }
                .sorted { $0.uuidString < $1.uuidString }
        }
        if place < reading.timeEntries.count, !reading.timeEntries[place].isEmpty {
            record.timeEntries = reading.timeEntries[place].compactMap { reading.times[$0] }
                .sorted { $0.start < $1.start }
        }
    }
}

/// The slots of an entity's properties; -1 for those that it does not have.
private struct Slots {
    static let epoch = Date(timeIntervalSinceReferenceDate: 0)

    let entityNumber: UInt16
    let uuid, title, created, modified, shortID, notes, list, displayOrder, trashed, flagged: Int
    let reviewed, extra, body, sealedBody, due, dueDateOnly, start, startDateOnly, priority,
        completed: Int
    let recurrence, anchor, series, reminder, remindTimes, location, estimate, parent: Int

    init(_ entity: EntityDescription?) {
        entityNumber = entity?.number ?? 0
        func slot(_ name: String) -> Int { entity?.slotByName[name] ?? -1 }
        uuid = slot(Item.Keys.uuid)
        title = slot(Item.Keys.title)
        created = slot(Item.Keys.created)
        modified = slot(Item.Keys.modified)
        shortID = slot(Item.Keys.shortID)
        notes = slot(Item.Keys.notes)
        list = slot(Item.Keys.list)
        displayOrder = slot(Item.Keys.displayOrder)
        trashed = slot(Item.Keys.trashed)
        flagged = slot(Item.Keys.flagged)
        reviewed = slot(Item.Keys.lastReviewed)
        extra = slot(Item.Keys.extra)
        body = slot(Note.Keys.body)
        sealedBody = slot(Note.Keys.sealedBody)
        due = slot(Task.Keys.due)
        dueDateOnly = slot(Task.Keys.dueDateOnly)
        start = slot(Task.Keys.start)
        startDateOnly = slot(Task.Keys.startDateOnly)
        priority = slot(Task.Keys.priority)
        completed = slot(Task.Keys.completed)
        recurrence = slot(Task.Keys.rule)
        anchor = slot(Task.Keys.anchor)
        series = slot(Task.Keys.series)
        reminder = slot(Task.Keys.nextReminder)
        remindTimes = slot(Task.Keys.remindTimes)
        location = slot(Task.Keys.location)
        estimate = slot(Task.Keys.estimate)
        parent = slot(Task.Keys.parent)
    }
}
