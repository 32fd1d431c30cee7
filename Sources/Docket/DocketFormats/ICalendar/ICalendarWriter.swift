import CivilTime
import FoundationEssentials
import TimeLanguage

/// Writes one VCALENDAR; ``ICalendarReader`` has the table of fields.
///
/// An item that came from a component gets it back: byte for byte, or with other properties for the
/// fields that were changed. The calendar has the head and the end that its first and last item have
/// kept, wherever these are now, and in the trash too. A VTIMEZONE stands before the first component that needs it. Moments are in UTC, those of
/// repeating tasks by the clock of the zone here.
///
/// The numbers of items (X-APPLE-SORT-ORDER) are those of the calendar if it is another program's,
/// whose new items get none; in a calendar of Docket's own they are the order here.
///
/// A task that names another by a UUID made of its UID follows all others if it would come before it.
///
/// - Complexity: O(bytes).
public struct ICalendarWriter: RecordWriter {
    private let settings: ExchangeSettings
    /// What the calendar is called; `nil` for the list of its items.
    private let name: String?
    /// Whether the numbers of another program's items are changed too.
    private let renumbers: Bool
    private var bytes: [UInt8] = []
    private var count = 0
    public private(set) var report = ExchangeReport()
    private var zones: ICalendarZones
    /// The head that an item has kept, in an export the first of those that are expected.
    private var head: ICalendarHead? {
        didSet { headList = head?.list ?? [] }
    }
    /// The list that it names.
    private var headList: [String] = []
    private var isHeadWritten = false
    /// The item whose head is written before its place.
    private var expected: UUID?
    /// The end that the last item has kept.
    private var tail: String?
    private var lineEnd: [UInt8] = [13, 10]
    private var writtenZones: Set<String> = []
    /// The list of all items so far; empty if there are several.
    private var list: [String]?
    /// The UID of the items so far whose UUID was made of a text.
    private var uids: [UUID: String] = [:]
    /// What names items whose UID is not known yet.
    private var held: [(record: ItemRecord, place: Int)] = []

    public init(settings: ExchangeSettings, name: String? = nil, renumbers: Bool = false) {
        (self.settings, self.name, self.renumbers) = (settings, name, renumbers)
        zones = ICalendarZones(settings.dates.zone)
    }

    public mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        if head != nil || isHeadWritten { return bytes }
        isHeadWritten = true
        var lines = self.lines()
        for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(ICalendarRules.product)"] {
            lines.add(line)
        }
        let listName = list.flatMap { $0.isEmpty ? nil : ListPath.string($0) }
        if let name = name ?? listName { lines.add("X-WR-CALNAME", text: name) }
        return lines.bytes + bytes
    }

    public mutating func finish() {
        let (tail, rest) = (tail, held)
        held = []
        for (record, place) in rest { write(record, place: place, isLast: true) }
        if let tail {
            bytes += tail.utf8
        } else {
            var lines = self.lines()
            lines.add("END:VCALENDAR")
            bytes += lines.bytes
        }
    }

    public mutating func write(_ record: ItemRecord) {
        count += 1
        guard !record.trashed else {
            writeBefore(record)
            report.skip(line: count, title: record.title, reason: "iCalendar has no trash.")
            return
        }
        write(record, place: count, isLast: false)
    }

    private mutating func write(_ record: ItemRecord, place: Int, isLast: Bool) {
        let kept = record.extra[ICalendarRules.section]
        if !isLast { writeBefore(record) }
        list = list == nil || list == record.list ? record.list : []
        if case .object(let members)? = kept["zones"] {
            for zone in members where zones.definition(zone.name) != zone.value.string {
                zones.define(ICalendarComponent(Array((zone.value.string ?? "").utf8)))
            }
        }
        let known = known(kept, record)
        if !isLast, isAhead(record, of: known?.item) {
            held.append((record, place))
            return
        }
        var item: ICalendarItem?
        let component: [UInt8]
        var used: Set<String>
        var record = record
        if let number = known?.item.sortOrder {
            record.order =
                head == nil ? record.order ?? number : sortOrder(record.order, else: number)
        } else if head != nil || known != nil {
            record.order = nil
        }
        if let known {
            let updated = updated(known, record)
            (item, component, used) = (updated.0, updated.1, updated.0.zones)
            // A calendar that came without a zone of the database is not given one.
            if head != nil {
                used = used.filter { zones.definition($0) != nil || !known.item.zones.contains($0) }
            }
        } else {
            let lines = new(record)
            (component, used) = (lines.bytes, lines.zones)
        }
        for name in used.sorted() where !writtenZones.contains(name) { writeZone(name) }
        bytes += component
        let usual = UUIDText.lowercase(record.uuid)
        let uid = item?.recurrenceID == nil ? item?.uid ?? usual : usual
        if uid != usual || ICalendarWriter.isMade(record.uuid) { uids[record.uuid] = uid }
        report.keep(line: place, title: record.title, remarks: losses(record, item))
    }

    /// The number of another program for a rank.
    private func sortOrder(_ rank: Int64?, else number: Int64) -> Int64 {
        guard renumbers, let rank else { return number }
        return ICalendarRules.rank(sortOrder: number) == rank
            ? number : ICalendarRules.sortOrder(rank: rank)
    }

    /// Whether an item comes before another one whose UID it must name.
    private func isAhead(_ record: ItemRecord, of known: ICalendarItem?) -> Bool {
        let others = [record.parent].compactMap(\.self) + record.dependencies
        return others.contains {
            ICalendarWriter.isMade($0) && uids[$0] == nil && $0 != record.uuid
                && known?.record.parent != $0 && known?.record.dependencies.contains($0) != true
        }
    }

    /// Whether a UUID was made of a text (version 8).
    private static func isMade(_ uuid: UUID) -> Bool { uuid.uuid.6 >> 4 == 8 }

    // MARK: The calendar

    func lines(lineEnd: [UInt8]? = nil) -> ICalendarLines {
        ICalendarLines(lineEnd: lineEnd ?? self.lineEnd, dates: settings.dates)
    }

    public mutating func expect(_ records: [ItemRecord]) {
        let heads = records.compactMap { record in
            record.extra[ICalendarRules.section]["head"]?.string
                .map { (record: record, text: $0, head: ICalendarHead($0)) }
        }
        guard let first = heads.first(where: { !$0.head.isFurther }) ?? heads.first else { return }
        // The calendar of an item in the trash may have been read again.
        let again = heads.first { !$0.record.trashed && $0.head.list == first.head.list }
        let (record, text, head) = first.record.trashed ? again ?? first : first
        expected = record.uuid
        begin(head, text.utf8.dropFirst(head.start))
    }

    private mutating func begin(_ found: ICalendarHead, _ text: Substring.UTF8View) {
        (head, writtenZones) = (found, found.zones)
        lineEnd = text.contains(13) ? [13, 10] : [10]
        bytes += text
    }

    /// Writes what stood before the item: for the first, the head of its calendar.
    private mutating func writeBefore(_ record: ItemRecord) {
        let kept = record.extra[ICalendarRules.section]
        if let text = kept["tail"]?.string, tail == nil || !record.trashed { tail = text }
        if let text = kept["head"]?.string {
            let found = ICalendarHead(text)
            let isFirst = head == nil && !isHeadWritten && list == nil
            guard isFirst || (head != nil && found.isFurther), record.uuid != expected else {
                return
            }
            begin(found, text.utf8.dropFirst(isFirst ? found.start : 0))
        } else if let text = kept["before"]?.string {
            bytes += text.utf8
            writtenZones.formUnion(ICalendarHead(text, isInside: true).zones)
        }
    }

    private mutating func writeZone(_ name: String) {
        writtenZones.insert(name)
        if let text = zones.definition(name) {
            bytes += text.utf8
        } else if let zone = zones.inDatabase(name) {
            let year = settings.dates.today.year
            bytes += ICalendarZones.component(zone, around: year, lineEnd: lineEnd)
        }
    }

    /// Whether an item is in another list than the calendar says.
    private func hasOwnList(_ record: ItemRecord) -> Bool {
        record.list != headList && record.list.folded != headList.folded
    }

    private func addList(of record: ItemRecord, to lines: inout ICalendarLines) {
        if hasOwnList(record) { lines.add("X-DOCKET-LIST", text: ListPath.string(record.list)) }
    }

    // MARK: Components

    private func new(_ record: ItemRecord) -> ICalendarLines {
        var (lines, zones) = (lines(), zones)
        let name = record.kind == .note ? "VJOURNAL" : "VTODO"
        lines.add("BEGIN:\(name)")
        lines.add("UID:\(UUIDText.lowercase(record.uuid))")
        for field in ICalendarWriter.fields(of: record) where field != .reminders {
            lines.add(field, of: record, like: nil, &zones) { uid(of: $0) }
        }
        addList(of: record, to: &lines)
        if record.kind == .task {
            lines.add(.reminders, of: record, like: nil, &zones) { uid(of: $0) }
        }
        lines.add("END:\(name)")
        return lines
    }

    private func uid(of uuid: UUID) -> String { uids[uuid] ?? UUIDText.lowercase(uuid) }

    private static func fields(of record: ItemRecord) -> [ICalendarField] {
        record.kind == .note ? ofNotes : ofTasks
    }

    private static let ofTasks = ICalendarField.allCases.filter { $0 != .body }
    private static let ofNotes: [ICalendarField] = [
        .modified, .created, .title, .body, .notes, .tags, .flagged, .order,
    ]

    /// The component from which an item came, with the relations that the import left out.
    private struct Known {
        let component: ICalendarComponent
        let item: ICalendarItem
        let leftOut: Set<UUID>
    }

    /// The component from which an item came; `nil` if it has none, or that of another.
    private mutating func known(_ kept: [JSONMember], _ record: ItemRecord) -> Known? {
        guard let text = kept["component"]?.string else { return nil }
        let component = ICalendarComponent(Array(text.utf8))
        guard component.name == (record.kind == .note ? "VJOURNAL" : "VTODO"),
            component.parts.last?.line.name == "END", component.parts.count > 1
        else { return nil }
        let item = ICalendarItem(component, zones: &zones, settings: settings)
        if let uid = item.uid,
            ICalendarItem.uuid(ofUID: uid, recurrenceID: item.recurrenceID) != record.uuid
        {
            return nil
        }
        return Known(
            component: component,
            item: item,
            leftOut: ICalendarRules.leftOut(kept)
        )
    }

    /// The component with the content of the item, and what it says then.
    private mutating func updated(
        _ known: Known,
        _ record: ItemRecord
    ) -> (ICalendarItem, [UInt8]) {
        let fields = ICalendarWriter.fields(of: record)
        var item = known.item
        var changed: Set<ICalendarField> = []
        // A field may depend on another: an end that is a duration moves with its start.
        while true {
            let found = fields.filter {
                $0 != .reminders && !changed.contains($0)
                    && differs($0, item, record, known.leftOut)
            }
            if found.isEmpty { break }
            changed.formUnion(found == [.order] ? found : found + [.modified])
            if record.start == nil, !changed.isDisjoint(with: [.due, .recurrence]) {
                changed.insert(.start)
            }
            item = read(patched(known, record, changed, alarms: nil))
        }
        if record.kind == .task, differs(.reminders, item, record, []) {
            let alarms = item.alarms
            changed.formUnion([.reminders, .modified])
            let bytes = patched(known, record, changed, alarms: alarms)
            return (read(bytes), bytes)
        }
        if changed.isEmpty, !hasOwnList(record) { return (item, known.component.bytes) }
        return (item, patched(known, record, changed, alarms: nil))
    }

    private mutating func read(_ bytes: [UInt8]) -> ICalendarItem {
        ICalendarItem(ICalendarComponent(bytes), zones: &zones, settings: settings)
    }

    /// A component with the properties of changed fields replaced.
    ///
    /// - Parameters:
    ///   - known: the component.
    ///   - record: the item.
    ///   - changed: the fields.
    ///   - alarms: what each component inside reminds of, if the reminders have changed.
    /// - Returns: the bytes of the component.
    private func patched(
        _ known: Known,
        _ record: ItemRecord,
        _ changed: Set<ICalendarField>,
        alarms: [String?]?
    ) -> [UInt8] {
        let component = known.component
        var (lines, zones) = (lines(lineEnd: component.lineEnd), zones)
        var missing = ICalendarWriter.fields(of: record).filter {
            changed.contains($0) && $0 != .reminders
        }
        // The lines of dependencies that are still there stay.
        var new = record
        new.dependencies.removeAll(where: known.item.record.dependencies.contains)
        func isKept(_ line: ICalendarLine) -> Bool {
            guard let other = ICalendarItem.related(line) else { return true }
            return record.dependencies.contains(other) || known.leftOut.contains(other)
        }
        func add(_ field: ICalendarField) {
            lines.add(field, of: new, like: known.item, &zones) { uid(of: $0) }
        }
        var wanted = ICalendarLines.reminders(of: record)
        var (place, isAtEnd) = (0, false)
        for (index, part) in component.parts.enumerated() {
            let isLast = index == component.parts.count - 1
            if !isAtEnd, part.inside != nil || isLast {
                isAtEnd = true
                missing.forEach(add)
                addList(of: record, to: &lines)
            }
            if part.inside != nil {
                let text = alarms?[place]
                place += 1
                if let text = text ?? nil {
                    if !wanted.contains(text) { continue }
                    wanted.removeAll { $0 == text }
                }
            } else if isLast {
                if alarms != nil { for text in wanted { lines.addAlarm(text, record) } }
            } else if index > 0,
                let field = ICalendarField(part.line, isNote: record.kind == .note),
                changed.contains(field), field != .dependencies || !isKept(part.line)
            {
                if let first = missing.firstIndex(of: field) {
                    missing.remove(at: first)
                    add(field)
                }
                continue
            }
            lines.add(raw: component.bytes[part.raw])
        }
        return lines.bytes
    }

    // MARK: Losses

    /// The parts of an item that iCalendar cannot hold.
    private func losses(_ record: ItemRecord, _ item: ICalendarItem?) -> [String] {
        var lost: [String] = []
        if record.extra.isDamaged { lost.append(ForeignFields.damage) }
        if record.isEncrypted { lost.append("Its encrypted text is not exported.") }
        if !record.timeEntries.isEmpty { lost.append("Its time entries are not exported.") }
        if record.recurrence != nil, item?.record.recurrence != record.recurrence {
            let series = record.taskSeries(in: settings.dates)
            if series == nil { lost.append("Its repetition is not exported: it is no known rule.") }
        }
        if record.series != nil, item?.recurrenceID == nil {
            lost.append("Its series is not exported: each occurrence is a task of its own.")
        }
        return lost
    }
}
