import ObjectGraph

/// The common rules of reader and writer of iCalendar.
enum ICalendarRules {
    /// The section of an item's extra fields.
    static let section = ExchangeFormat.icalendar.name

    /// What Docket calls itself in the calendars that it writes.
    static let product = "-//Docket//Docket//EN"

    /// A sort order as a rank: programs count from 1, or in seconds, and Docket writes ranks.
    static func rank(_ sortOrder: Int64, isOurs: Bool) -> Int64 {
        let (rank, isTooLarge) = sortOrder.multipliedReportingOverflow(by: Ranks.spacing)
        return min(max(isOurs || isTooLarge ? sortOrder : rank, -Ranks.limit), Ranks.limit)
    }

    /// A component without the list, which Docket writes for each calendar anew.
    static func withoutList(_ component: ICalendarComponent) -> String {
        let isList = { (part: ICalendarComponent.Part) in part.line.name == "X-DOCKET-LIST" }
        guard component.parts.contains(where: isList) else {
            return String(decoding: component.bytes, as: UTF8.self)
        }
        let kept = component.parts.filter { !isList($0) }.flatMap { component.bytes[$0.raw] }
        return String(decoding: kept, as: UTF8.self)
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
    private var name: String?

    init() {}

    /// Reads a text that an item has kept.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        var (at, depth) = (0, 0)
        while let found = ICalendarComponent.line(of: bytes, at: &at) {
            let line = ICalendarLine(found.text)
            switch line.name {
            case "BEGIN": depth += 1
            case "END": depth -= 1
            case "TZID" where depth == 2: zones.insert(line.text)
            default: if depth == 1 { read(line) }
            }
        }
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
