import ObjectModel
import ObjectStore

/// Compares the history with itself and with the rows.
///
/// The changes are read from the newest to the oldest. The first one that names an attribute of an
/// object has its value, the first insertion or deletion whether the object exists; whatever is
/// older does not count any more.
///
/// Cost: one pass through the history and the keys of all tables; the rows of changed objects are
/// read in batches. Memory: 8 bytes for each row with up to 62 properties.
final class HistoryCheck {
    /// What the history says of an object, and its row does not.
    enum Contradiction {
        /// The bytes of the recorded value and of the present one.
        case value(slot: Int, recorded: [UInt8], present: [UInt8])
        /// The object was not deleted, but has no row.
        case lost
        /// The object was deleted, but has a row.
        case alive
    }

    private struct Change {
        let schema: EntitySchema
        let key: Int64
        let count: Int64
        let kind: HistoryChange.Kind
        let data: [UInt8]
    }

    private let inspector: InspectionRun
    private var store: SQLiteStore { inspector.store }
    private var connection: Connection { inspector.connection }
    private var tables: [UInt16: RowMarks] = [:]
    /// The names of the history by number, and the other way.
    private var names: [Int64: String] = [:]
    private var numbers: [String: Int64] = [:]
    private let rows = RowCache()

    private static let batch = 1024

    init(_ inspector: InspectionRun) { self.inspector = inspector }

    var isNeeded: Bool {
        get throws { try store.isOurs && HistoryTables.exist(in: connection) }
    }

    func run() throws {
        guard try isNeeded else { return }
        try HistoryGaps(inspector).run()
        var values: [String: (schema: EntitySchema, slot: Int, keys: [Int64], count: Int)] = [:]
        var lost: [UInt16: (keys: [Int64], count: Int)] = [:]
        var alive: [UInt16: (keys: [Int64], count: Int)] = [:]
        func note(_ key: Int64, _ list: inout (keys: [Int64], count: Int)) {
            list.count += 1
            if list.keys.count < StoreFinding.mostExamples { list.keys.append(key) }
        }
        try forEachContradiction { schema, key, contradiction in
            let number = schema.entity.number
            switch contradiction {
            case .lost: note(key, &lost[number, default: ([], 0)])
            case .alive: note(key, &alive[number, default: ([], 0)])
            case .value(let slot, _, _):
                let name = "\(number) \(slot)"
                var entry = values[name] ?? (schema, slot, [], 0)
                entry.count += 1
                if entry.keys.count < StoreFinding.mostExamples { entry.keys.append(key) }
                values[name] = entry
            }
        }
        for (_, entry) in values.sorted(by: { $0.key < $1.key }) {
            let (entity, name) = (entry.schema.entity, entry.schema.entity.slots[entry.slot].name)
            inspector.add(
                StoreFinding(
                    .historyContradiction,
                    entity: entity.name,
                    property: name,
                    count: entry.count,
                    examples: entry.keys,
                    "\(objects(entry.count, entity, ("has", "have"))) a \"\(name)\" other than the"
                        + " history recorded last.",
                    repair:
                        "The history takes the present values over, as a step that undo reverts."
                )
            )
        }
        add(lost, .lostRow, ("is", "are"), "in the history, but not in the store", "lost")
        add(alive, .historyContradiction, ("was", "were"), "deleted, and still exists", "present")
    }

    private func add(
        _ list: [UInt16: (keys: [Int64], count: Int)],
        _ kind: StoreFinding.Kind,
        _ verb: (String, String),
        _ what: String,
        _ note: String
    ) {
        for (number, entry) in list.sorted(by: { $0.key < $1.key }) {
            let entity = inspector.schema.byModelNumber[Int(number)]?.entity
            inspector.add(
                StoreFinding(
                    kind,
                    entity: entity?.name,
                    count: entry.count,
                    examples: entry.keys,
                    "\(objects(entry.count, entity, verb)) \(what).",
                    repair:
                        "The history notes that \(entry.count == 1 ? "it is" : "they are") \(note)."
                )
            )
        }
    }

    /// The first objects that are lost, with the values that the history recorded last.
    func lost() throws -> [SalvageReport.LostObject] {
        guard try isNeeded else { return [] }
        var places: [ManagedObjectID: Int] = [:]
        var result: [SalvageReport.LostObject] = []
        try forEachContradiction { schema, key, contradiction in
            guard case .lost = contradiction, result.count < SalvageReport.mostLost else { return }
            let id = ManagedObjectID(
                space: store.space.number,
                entity: schema.entity.number,
                key: key
            )
            places[id] = result.count
            result.append(
                SalvageReport.LostObject(entity: schema.entity.name, key: key, values: [:])
            )
        }
        if result.isEmpty { return [] }
        var last = (try connection.integer("SELECT MIN(number) FROM OG_TRANSACTION") ?? 1) - 1
        while true {
            let part = try store.history(after: last, limit: 64)
            guard let end = part.last else { break }
            last = end.number
            for change in part.flatMap(\.changes) {
                guard let place = places[change.objectID] else { continue }
                result[place].values.merge(change.newValues) { $1 }
            }
        }
        return result
    }

    // MARK: Reading

    /// Calls the body for each contradiction, those of the newest changes first.
    func forEachContradiction(
        _ body: (EntitySchema, _ key: Int64, Contradiction) throws -> Void
    ) throws {
        let all = try connection.statement("SELECT id, name FROM OG_NAME")
        while try all.step() {
            names[all.integer(0)] = all.text(1)
            numbers[all.text(1)] = all.integer(0)
        }
        all.reset()
        for table in inspector.schema.tables { tables[table.root.number] = try marks(of: table) }
        let total = max(1, try connection.integer("SELECT COUNT(*) FROM OG_CHANGE") ?? 1)
        let statement = try Statement(
            "SELECT ent, pk, n, kind, data FROM OG_CHANGE ORDER BY id DESC",
            on: connection
        )
        defer { statement.finish() }
        var batch: [Change] = []
        var done: Int64 = 0
        while try statement.step() {
            done += 1
            guard let name = names[statement.integer(0)],
                let schema = inspector.schema.model.entity(named: name).flatMap({
                    inspector.schema.schema(of: $0)
                }),
                let kind = HistoryChange.Kind(rawValue: statement.integer(3))
            else { continue }
            batch.append(
                Change(
                    schema: schema,
                    key: statement.integer(1),
                    count: statement.integer(2),
                    kind: kind,
                    data: kind == .update ? Array(statement.bytes(4)) : []
                )
            )
            if batch.count == HistoryCheck.batch {
                try inspector.note(Double(done) / Double(total))
                try judge(batch, body)
                batch.removeAll(keepingCapacity: true)
            }
        }
        try judge(batch, body)
    }

    private func marks(of table: TableSchema) throws -> RowMarks {
        let name = quoted(table.name)
        let slots =
            inspector.schema.entities.filter { $0.table === table }
            .map(\.entity.slots.count).max() ?? 0
        let given = try connection.integer(
            "SELECT MAX(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_NAME = ?",
            .text(table.root.name)
        )
        // Rows at the end can be lost: a key that was given has a place, if it is not absurd.
        let near = Int64(try connection.nearKeys(table))
        let keys = max(near, min(given ?? 0, near * 16 + 1 << 20))
        let marks = RowMarks(keys: keys, slots: slots)
        let rows = try Statement("SELECT Z_PK FROM \(name)", on: connection)
        defer { rows.finish() }
        while try rows.step() { marks.setPresent(rows.integer(0)) }
        return marks
    }

    private func judge(
        _ batch: [Change],
        _ body: (EntitySchema, Int64, Contradiction) throws -> Void
    ) throws {
        let space = store.space.number
        var wanted: [ManagedObjectID] = []
        for change in batch where change.kind == .update {
            let marks = tables[change.schema.entity.root.number]
            if marks?.isOpen(change.key) == true {
                wanted.append(
                    ManagedObjectID(
                        space: space,
                        entity: change.schema.entity.number,
                        key: change.key
                    )
                )
            }
        }
        rows.removeAll()
        if !wanted.isEmpty { try store.read(wanted, into: rows) }
        for change in batch {
            guard let marks = tables[change.schema.entity.root.number] else { continue }
            switch change.kind {
            case .insert:
                for key in marks.keys(from: change.key, count: change.count) {
                    guard marks.settle(key), !marks.isPresent(key) else { continue }
                    try body(change.schema, key, .lost)
                }
            case .delete:
                guard marks.settle(change.key), marks.isPresent(change.key) else { continue }
                try body(change.schema, change.key, .alive)
            case .update: try compare(change, marks, body)
            }
        }
    }

    private func compare(
        _ change: Change,
        _ marks: RowMarks,
        _ body: (EntitySchema, Int64, Contradiction) throws -> Void
    ) throws {
        guard marks.isOpen(change.key) else { return }
        let (entity, layout) = (change.schema.entity, change.schema.layout)
        let id = ManagedObjectID(space: store.space.number, entity: entity.number, key: change.key)
        guard let blob = rows.blob(id) else {
            if marks.settle(change.key) { try body(change.schema, change.key, .lost) }
            return
        }
        let row = RowReader(blob, layout)
        var found: [(Int, [UInt8], [UInt8])] = []
        change.data.withUnsafeBytes { data in
            var reader = HistoryBytesReader(data)
            while let (entry, number) = reader.entry() {
                switch entry {
                case .update:
                    _ = reader.rawValue()
                    let recorded = bytes(reader.rawValue())
                    guard let slot = names[number].flatMap({ entity.slotByName[$0] }),
                        slot < layout.columnBySlot.count, layout.columnBySlot[slot] >= 0,
                        marks.see(slot, of: change.key),
                        let present = bytes(row, layout.columnBySlot[slot], layout)
                    else { continue }
                    if isOther(recorded, present) { found.append((slot, recorded, present)) }
                case .deletedValue: _ = reader.rawValue()
                case .addedMembers, .removedMembers, .oldOrder, .newOrder: _ = reader.members()
                case .erased: marks.seeAll(of: change.key)
                }
            }
        }
        for (slot, recorded, present) in found {
            try body(
                change.schema,
                change.key,
                .value(slot: slot, recorded: recorded, present: present)
            )
        }
    }

    /// Whether two values differ.
    ///
    /// A value in the form of another type was recorded before a
    /// migration; nothing follows from it.
    private func isOther(_ recorded: [UInt8], _ present: [UInt8]) -> Bool {
        if recorded == present { return false }
        let null = HistoryValueForm.null.rawValue
        return recorded.first == present.first || recorded.first == null || present.first == null
    }

    private func bytes(_ value: HistoryRawValue) -> [UInt8] {
        switch value {
        case .bytes(let bytes): return bytes
        case .reference(let entity, let key):
            var writer = HistoryBytesWriter()
            writer.reference(entity: entity, key: key)
            return writer.bytes
        }
    }

    /// The value of a column as the history writes it; `nil` if it has no form there.
    private func bytes(_ row: RowReader, _ index: Int, _ layout: RowLayout) -> [UInt8]? {
        var writer = HistoryBytesWriter()
        let column = layout.columns[index]
        if column.externalFolder != nil {
            if row.isNull(index) {
                writer.raw(UnsafeRawBufferPointer(start: nil, count: 0))
            } else {
                writer.raw(row.bytes(index))
            }
            return writer.bytes
        }
        if row.isNull(index) { return [HistoryValueForm.null.rawValue] }
        switch column.kind {
        case .reference:
            guard case .objectID(let id) = row.value(index), let entity = numbers[id.entityName]
            else { return nil }
            writer.reference(entity: entity, key: id.key)
        case .text: writer.text(row.bytes(index))
        case .bytes: writer.raw(row.bytes(index))
        case .integer, .real:
            guard (try? writer.value(row.value(index), column)) != nil else { return nil }
        }
        return writer.bytes
    }
}

/// What a pass through the history knows of each row of a table.
private final class RowMarks {
    private var words: [UInt64]
    private let stride: Int
    private let count: Int64

    private static let present: UInt64 = 1
    private static let settled: UInt64 = 2
    private static let firstSlot = 2
    init(keys: Int64, slots: Int) {
        stride = (slots + RowMarks.firstSlot + 63) / 64
        count = max(0, keys) + 1
        words = [UInt64](repeating: 0, count: Int(count) * stride)
    }

    private func place(_ key: Int64) -> Int? {
        key > 0 && key < count ? Int(key) * stride : nil
    }

    /// The keys of a run that have a place here.
    func keys(from first: Int64, count: Int64) -> Range<Int64> {
        guard first > 0, first < self.count else { return 0..<0 }
        return first..<first + min(max(1, count), self.count - first)
    }

    func setPresent(_ key: Int64) { if let place = place(key) { words[place] |= RowMarks.present } }

    func isPresent(_ key: Int64) -> Bool {
        place(key).map { words[$0] & RowMarks.present != 0 } ?? false
    }

    /// Whether older changes of the row still count.
    func isOpen(_ key: Int64) -> Bool {
        place(key).map { words[$0] & RowMarks.settled == 0 } ?? false
    }

    /// Notes that older changes do not count; returns whether they did.
    func settle(_ key: Int64) -> Bool {
        guard let place = place(key), words[place] & RowMarks.settled == 0 else { return false }
        words[place] |= RowMarks.settled
        return true
    }

    /// Notes that an attribute was seen; returns whether it was the first time.
    func see(_ slot: Int, of key: Int64) -> Bool {
        guard let place = place(key) else { return false }
        let bit = slot + RowMarks.firstSlot
        let isFirst = words[place + bit / 64] & (1 << (bit % 64)) == 0
        words[place + bit / 64] |= 1 << (bit % 64)
        return isFirst
    }

    func seeAll(of key: Int64) {
        guard let place = place(key) else { return }
        for index in 0..<stride {
            words[place + index] |= index == 0 ? ~RowMarks.settled & ~RowMarks.present : .max
        }
    }
}
