import CivilTime
import FoundationEssentials
import ObjectGraph

/// Reads iCalendar (RFC 5545, with RFC 6868, 7986, 9073 and 9253): the VTODO and VJOURNAL of
/// calendars.
///
/// | iCalendar | item | back again |
/// |---|---|---|
/// | VTODO, VJOURNAL | task, note | same |
/// | VEVENT | none; the report has their number | – |
/// | UID | UUID; a UID that is none gives one that is always the same | same, as it was written |
/// | SUMMARY | title, in one line (else the first line of DESCRIPTION) | same |
/// | DESCRIPTION | notes of a task, text of a note (whose COMMENT are its notes) | same |
/// | DUE, or DTSTART and DURATION | due: a day, or a moment | DUE, in the zone it had |
/// | DTSTART of a task | start | same |
/// | STATUS, COMPLETED, PERCENT-COMPLETE | done if COMPLETED or CANCELLED, or without STATUS if one of the others says it | `COMPLETED`, the moment, 100; `NEEDS-ACTION` |
/// | PRIORITY 1–4, 5, 6–9 | 3, 2, 1 | same number while the priority is the same; 1, 5, 9 |
/// | CATEGORIES | tags | same |
/// | LOCATION, ESTIMATED-DURATION, X-PINNED | location, estimate, flag | same |
/// | CREATED, LAST-MODIFIED (else DTSTAMP) | created, modified | same |
/// | RELATED-TO PARENT, DEPENDS-ON | parent, dependencies | same |
/// | RELATED-TO CHILD | parent of a task further down that names none | RELATED-TO of that task |
/// | RRULE, RDATE, EXDATE | recurrence | same; words as a rule |
/// | X-DOCKET-REPEATS-FROM | COMPLETION: counted from completion | same |
/// | RECURRENCE-ID | an item of the series of the UID | same |
/// | VALARM, by time, DISPLAY or AUDIO | reminders | same |
/// | X-APPLE-SORT-ORDER | order, if the library is empty | same; in Docket's calendars the order here |
/// | X-DOCKET-LIST, else X-WR-CALNAME or NAME of the calendar | list | X-DOCKET-LIST |
/// | all others | kept | same |
///
/// A component is kept whole: as long as an item has the content of its component, an export writes
/// it back byte for byte, and a field that was changed replaces its own properties. The first item
/// keeps the calendar's head, the others what stands before them; the first of a further calendar
/// in the file keeps the end of the one before too.
public struct ICalendarReader: RecordReader {
    private var window: ByteWindow
    private let settings: ExchangeSettings
    private var at = 0
    private var zones: ICalendarZones
    private var calendar = ICalendarHead()
    /// What stands between the last item and the next, without events.
    private var between: [UInt8] = []
    /// The last item, until it is known what follows it.
    private var held: ImportedRecord?
    /// Whether it stands in a calendar.
    private var isInside = false
    private var parents: [UUID: UUID] = [:]
    /// How often each component without identity has occurred.
    private var met: [UUID: Int] = [:]
    private var events = 0
    /// The line of the first one, until they are told.
    private var firstEvent: Int?
    private var hasContent = false
    /// Whether anything was read of what an import may contain, or a problem of it was told.
    private var hasComponents = false
    private var problem: ImportProblem?
    private var isAtEnd = false
    /// Whether something was longer than one item may be.
    private var isTooLong = false

    /// What is longer between two items is not kept.
    private static let longestBetween = 1 << 20

    public init(_ source: ByteSource, settings: ExchangeSettings) {
        window = ByteWindow(source)
        self.settings = settings
        zones = ICalendarZones(settings.dates.zone)
        if window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        _ = window.has(8191)
        let beginning = window.bytes.prefix(8192)
        problem = ImportProblem(ifNotText: beginning)
        if problem == nil, beginning.contains(13), !beginning.contains(10) {
            let why = "The file has CR alone as line ends; convert them first: tr '\\r' '\\n'."
            problem = ImportProblem(line: 1, message: why)
        }
    }

    public mutating func next() -> ImportEvent? {
        if let problem { return refuse(problem) }
        while window.has(at) {
            at -= window.discard(before: at)
            isTooLong = false
            let start = at
            guard let line = line() else {
                let size = window.itemLimit >> 20
                return .failure(fail(start, "The line is longer than \(size) MB"))
            }
            let isBlank = line.allSatisfy { $0 <= 32 }
            hasContent = hasContent || !isBlank
            let content = ICalendarLine(line)
            let event = content.name == "BEGIN" ? begin(content, start) : readOther(content, start)
            if let event { return event }
        }
        return finish()
    }

    /// Tells what is wrong with the whole document, once.
    private mutating func refuse(_ problem: ImportProblem) -> ImportEvent? {
        if isAtEnd { return nil }
        (isAtEnd, held) = (true, nil)
        self.problem = problem
        return .failure(problem)
    }

    private mutating func fail(_ offset: Int, _ why: String) -> ImportProblem {
        hasComponents = true
        return ImportProblem(line: window.line(at: offset), message: "\(why).")
    }

    // MARK: Lines

    /// The next line without its folds; `nil` for one that is too long, which is passed.
    private mutating func line() -> ArraySlice<UInt8>? {
        let start = at
        var isFolded = false
        while true {
            var end = window.lineEnd(from: at)
            while window.isOverfull {
                at = end
                giveUp()
                end = window.lineEnd(from: at)
            }
            let isLast = end == window.bytes.count
            at = isLast ? end : end + 1
            if !isLast, hasMore(), window.bytes[at] == 32 || window.bytes[at] == 9 {
                isFolded = true
                continue
            }
            if isTooLong { return nil }
            while end > start, window.bytes[end - 1] == 13 { end -= 1 }
            let line = window.bytes[start..<end]
            return isFolded ? ICalendarText.unfolded(line)[...] : line
        }
    }

    private mutating func hasMore() -> Bool {
        if window.has(at) { return true }
        guard window.isOverfull else { return false }
        giveUp()
        return window.has(at)
    }

    /// Gives back what was read of something that is too long to be kept.
    private mutating func giveUp() {
        isTooLong = true
        at -= window.discard(before: at)
    }

    /// Keeps what is between items; `isNeeded` is what cannot be missing, however long the rest is.
    private mutating func keep(_ range: Range<Int>, isNeeded: Bool = false) {
        if isNeeded || between.count + range.count <= ICalendarReader.longestBetween {
            between += window.bytes[range]
        }
    }

    // MARK: Components

    /// Reads what begins at a line; `nil` if nothing comes of it yet.
    private mutating func begin(_ line: ICalendarLine, _ start: Int) -> ImportEvent? {
        let name = line.word.uppercased()
        if name == "VCALENDAR" {
            calendar = ICalendarHead()
            calendar.isOpen = true
            keep(start..<at, isNeeded: true)
            return nil
        }
        if let problem = component(name, start) { return .failure(problem) }
        switch name {
        case "VTODO", "VJOURNAL":
            return read(Array(window.bytes[start..<at]), start)
        case "VEVENT":
            events += 1
            firstEvent = firstEvent ?? window.line(at: start)
            return nil
        case "VTIMEZONE":
            zones.define(ICalendarComponent(Array(window.bytes[start..<at])))
        default: break
        }
        keep(start..<at)
        return nil
    }

    /// Goes to the end of a component; returns what is wrong with it.
    private mutating func component(_ name: String, _ start: Int) -> ImportProblem? {
        let number = window.line(at: start)
        func problem(_ why: String) -> ImportProblem {
            hasComponents = true
            return ImportProblem(line: number, message: "\(why).")
        }
        var (open, complaint) = ([name], String?.none)
        while hasMore() {
            let place = at
            let line = line()
            if isTooLong {
                complaint = "The \(ShortID.shown(name)) is longer than \(window.itemLimit >> 20) MB"
                isTooLong = false
            }
            guard let line else { continue }
            guard place < window.bytes.count, [98, 101].contains(window.bytes[place] | 0x20) else {
                continue
            }
            let content = ICalendarLine(line)
            let inner = content.word.uppercased()
            if content.name == "BEGIN" {
                if ["VCALENDAR", "VTODO", "VJOURNAL", "VEVENT"].contains(inner) {
                    at = place
                    return problem("The \(name) has no END:\(name) before the next \(inner)")
                }
                open.append(inner)
            } else if content.name == "END", inner == open.last {
                open.removeLast()
                if open.isEmpty { return complaint.map(problem) }
            } else if content.name == "END" {
                if inner == "VCALENDAR" {
                    at = place
                    return problem("The \(ShortID.shown(name)) has no END:\(ShortID.shown(name))")
                }
                let wanted = ShortID.shown(open[open.count - 1])
                let here = window.line(at: place)
                complaint =
                    complaint
                    ?? "Line \(here) has END:\(ShortID.shown(inner)) where END:\(wanted) is expected"
                if let outer = open.lastIndex(of: inner) { open.removeSubrange(outer...) }
                if open.isEmpty { return complaint.map(problem) }
            }
        }
        // One sentence is enough for a file that was cut off.
        calendar.isOpen = false
        return problem(
            "The \(ShortID.shown(name)) has no END:\(ShortID.shown(name)); the file may be incomplete"
        )
    }

    private mutating func read(_ bytes: [UInt8], _ start: Int) -> ImportEvent? {
        hasComponents = true
        let number = window.line(at: start)
        var bytes = bytes
        if String(validating: bytes, as: UTF8.self) == nil {
            // A program that counts octets may fold inside of a character.
            bytes = ICalendarText.folded(ICalendarText.unfolded(bytes[...]))
        }
        guard [bytes, between].allSatisfy({ String(validating: $0, as: UTF8.self) != nil }) else {
            return refuse(.notUTF8(line: number))
        }
        // The last line of a file may have no end.
        if bytes.last != 10 { bytes += bytes.contains(13) ? [13, 10] : [10] }
        let component = ICalendarComponent(bytes)
        var item = ICalendarItem(component, zones: &zones, settings: settings)
        let uuid = identity(of: item, component)
        let master = item.recurrenceID == nil ? nil : item.uid.map { ICalendarItem.uuid(ofUID: $0) }
        for child in item.children where child != uuid { parents[child] = uuid }
        item.fields.record.extra[ICalendarRules.section] = members(of: item, component)
        item.fields.record.uuid = uuid
        item.fields.record.list = item.list ?? calendar.list
        item.fields.record.series = master.map { TaskSeries.id(begunBy: $0) }
        // A component that comes twice has it both times.
        let parent = parents[uuid]
        if item.record.kind == .task, item.record.parent == nil {
            item.fields.record.parent = parent
        }
        item.fields.record.order = item.sortOrder.map {
            ICalendarRules.rank($0, isOurs: calendar.isOurs)
        }
        between = []
        let event = item.fields.finish(line: number)
        guard case .record(var imported) = event else { return event }
        imported.isNamed = true
        defer { held = imported }
        return held.map { .record($0) }
    }

    /// The same component is the same item at every import; a second equal one without a UID is
    /// another item.
    private mutating func identity(of item: ICalendarItem, _ component: ICalendarComponent) -> UUID
    {
        if let uid = item.uid {
            return ICalendarItem.uuid(ofUID: uid, recurrenceID: item.recurrenceID)
        }
        let text = String(decoding: component.bytes, as: UTF8.self)
        func made(_ count: Int) -> UUID { UUIDText.made(from: "icalendar\n\(count)\n\(text)") }
        let first = made(0)
        let count = met[first, default: 0]
        met[first] = count + 1
        return count == 0 ? first : made(count)
    }

    /// What an item keeps for an export.
    private mutating func members(
        of item: ICalendarItem,
        _ component: ICalendarComponent
    ) -> [JSONMember] {
        var members = [
            JSONMember(
                "component",
                // The list is another one in another calendar.
                .string(ICalendarRules.text(component, without: "X-DOCKET-LIST"))
            )
        ]
        isInside = calendar.isOpen
        if calendar.isOpen, !calendar.isUsed {
            if !calendar.isOurs {
                members.append(
                    JSONMember("head", .string(String(decoding: between, as: UTF8.self)))
                )
            }
            calendar.isUsed = true
        } else if calendar.isOpen, !between.isEmpty, !calendar.isOurs {
            members.append(JSONMember("before", .string(String(decoding: between, as: UTF8.self))))
        }
        let custom = item.zones.sorted().compactMap { name in
            zones.definition(name).map { JSONMember(name, .string($0)) }
        }
        if !custom.isEmpty { members.append(JSONMember("zones", .object(custom))) }
        return members
    }

    // MARK: The calendar

    /// A line of the calendar itself.
    private mutating func readOther(_ line: ICalendarLine, _ start: Int) -> ImportEvent? {
        guard line.name == "END" else {
            keep(start..<at)
            calendar.read(line)
            return nil
        }
        let name = line.word.uppercased()
        guard name == "VCALENDAR", calendar.isOpen else {
            let shown = ShortID.shown(name)
            return .failure(fail(start, "END:\(shown) has no BEGIN:\(shown) before it"))
        }
        keep(start..<at, isNeeded: true)
        (calendar.isOpen, calendar.wasClosed) = (false, true)
        return nil
    }

    private mutating func finish() -> ImportEvent? {
        if isAtEnd { return nil }
        if var record = held {
            held = nil
            if isInside, calendar.wasClosed, !calendar.isOurs {
                let tail = JSONValue.string(String(decoding: between, as: UTF8.self))
                record.record.extra[ICalendarRules.section].append(JSONMember("tail", tail))
            }
            return .record(record)
        }
        if let line = firstEvent, hasComponents {
            firstEvent = nil
            let what = events == 1 ? "1 event" : "\(events) events"
            let message = "\(what) of the calendar: not imported, Docket has no events."
            return .remark(ImportProblem(line: line, message: message))
        }
        isAtEnd = true
        if calendar.isOpen {
            return .failure(fail(at, "The file ends without END:VCALENDAR; it may be incomplete"))
        }
        if events > 0, !hasComponents {
            let why = "The calendar has events, but neither tasks nor notes."
            return .failure(ImportProblem(line: 1, message: why))
        }
        if hasContent, !hasComponents, !calendar.isUsed, !calendar.wasClosed {
            let why = "The file has no BEGIN:VCALENDAR; it is not iCalendar."
            return .failure(ImportProblem(line: 1, message: why))
        }
        return nil
    }
}
