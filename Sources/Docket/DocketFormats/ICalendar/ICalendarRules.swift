public import FoundationEssentials
import ObjectGraph

/// The common rules of reader and writer of iCalendar.
public enum ICalendarRules {
    /// The section of an item's extra fields.
    static let section = ExchangeFormat.icalendar.name

    /// What the stored fields of an item have in them if it has kept the head of its calendar.
    public static let mark = "\"head\""

    /// What Docket calls itself in the calendars that it writes.
    static let product = "-//Docket//Docket//EN"

    /// The rank of an item of another program by its sort order.
    public static func rank(sortOrder: Int64) -> Int64 { rank(sortOrder, isOurs: false) }

    /// The nearest number of another program for a rank.
    static func sortOrder(rank: Int64) -> Int64 {
        let (whole, rest) = rank.quotientAndRemainder(dividingBy: Ranks.spacing)
        return abs(rest) * 2 >= Ranks.spacing ? whole + rest.signum() : whole
    }

    /// What a calendar of its own has of an item's kept fields: nothing of the file it came from.
    public static func ofResource(_ extra: ForeignFields) -> ForeignFields {
        var fields = ForeignFields()
        fields[section] = extra[section].filter { ["component", "zones"].contains($0.name) }
        return fields
    }

    /// A sort order as a rank: programs count from 1, or in seconds, and Docket writes ranks.
    static func rank(_ sortOrder: Int64, isOurs: Bool) -> Int64 {
        let (rank, isTooLarge) = sortOrder.multipliedReportingOverflow(by: Ranks.spacing)
        return min(max(isOurs || isTooLarge ? sortOrder : rank, -Ranks.limit), Ranks.limit)
    }

    /// The text of a component without a property.
    static func text(_ component: ICalendarComponent, without name: String) -> String {
        guard component.parts.contains(where: { $0.line.name == name }) else {
            return String(decoding: component.bytes, as: UTF8.self)
        }
        let kept = component.parts.filter { $0.line.name != name }
        return String(decoding: kept.flatMap { component.bytes[$0.raw] }, as: UTF8.self)
    }

    /// The relations that an item's component names and that an import left out.
    static func leftOut(_ kept: [JSONMember]) -> Set<UUID> {
        guard case .array(let texts)? = kept["leftOut"] else { return [] }
        return Set(texts.compactMap { $0.string.flatMap(UUIDText.parse) })
    }

    /// Notes relations that an import leaves out, so that an export keeps their lines.
    public static func leaveOut(_ others: Set<UUID>, in extra: inout ForeignFields) {
        let all = leftOut(extra[section]).union(others).map(UUIDText.lowercase).sorted()
        if !all.isEmpty { extra[section]["leftOut"] = .array(all.map { .string($0) }) }
    }

    /// The fields of the next occurrence of a repeating item: what its component says of the series.
    public static func ofNext(_ extra: ForeignFields, as uuid: UUID) -> ForeignFields {
        let kept = extra[section]
        var next = ForeignFields()
        guard let text = kept["component"]?.string else { return next }
        let component = ICalendarComponent(Array(text.utf8))
        var bytes: [UInt8] = []
        for (place, part) in component.parts.enumerated() {
            let isChild = part.line.parameter("RELTYPE")?.uppercased() == "CHILD"
            if part.inside == nil, isChild || ofOccurrence.contains(part.line.name) { continue }
            bytes += component.bytes[part.raw]
            if place == 0 {
                bytes += "UID:\(UUIDText.lowercase(uuid))".utf8 + component.lineEnd
            }
        }
        let new = JSONMember("component", .string(String(decoding: bytes, as: UTF8.self)))
        next[section] = [new] + kept.filter { $0.name == "zones" }
        return next
    }

    /// Properties that say something of one occurrence alone.
    private static let ofOccurrence: Set<String> = [
        "UID", "RECURRENCE-ID", "STATUS", "COMPLETED", "PERCENT-COMPLETE",
    ]

    /// What counts of an item's kept fields when an import compares them: neither where it stood in
    /// the calendar nor its number there.
    public static func compared(_ kept: [JSONMember]) -> [JSONMember] {
        kept.compactMap { member in
            guard member.name == "component", let text = member.value.string else {
                return member.name == "leftOut" ? member : nil
            }
            let component = ICalendarComponent(Array(text.utf8))
            let same = ICalendarRules.text(component, without: "X-APPLE-SORT-ORDER")
            return JSONMember(member.name, .string(same))
        }
    }
}

/// What a VCALENDAR says of itself.
struct ICalendarHead {
    /// Whether its END has not come yet.
    var isOpen = false
    var wasClosed = false
    /// Whether an item of it was read.
    var isUsed = false
    private(set) var isOurs = false
    /// The zones that it defines.
    private(set) var zones: Set<String> = []
    /// Where calendars begin in a text that an item has kept, and whether one ends before.
    private(set) var start = 0
    private(set) var isFurther = false
    private var name: String?

    init() {}

    /// Reads a text that an item has kept.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - isInside: whether its calendar has begun before it.
    init(_ text: String, isInside: Bool = false) {
        let bytes = Array(text.utf8)
        var (at, depth) = (0, isInside ? 1 : 0)
        var (begin, isFurther) = (Int?.none, false)
        while let found = ICalendarComponent.line(of: bytes, at: &at) {
            let line = ICalendarLine(found.text)
            let isCalendar = line.word.uppercased() == "VCALENDAR"
            switch line.name {
            case "BEGIN" where isCalendar:
                self = ICalendarHead()
                (begin, depth) = (begin ?? found.raw.lowerBound, 1)
            case "END" where isCalendar: (isFurther, depth) = (isFurther || begin == nil, 0)
            case "BEGIN": depth += 1
            case "END": depth -= 1
            case "TZID" where depth == 2: zones.insert(line.text)
            default: if depth == 1 { read(line) }
            }
        }
        (start, self.isFurther) = (begin ?? 0, isFurther)
    }

    mutating func read(_ line: ICalendarLine) {
        switch line.name {
        case "PRODID": isOurs = line.word == ICalendarRules.product
        case "NAME": name = line.text
        case "X-WR-CALNAME": name = name ?? line.text
        default: break
        }
    }

    /// The list of its items; the names of ours are only for other programs.
    var list: [String] {
        let name = name.map { CaptureText.cleanLine($0).trimmingSpace } ?? ""
        return isOurs || name.isEmpty ? [] : [name]
    }
}
