import ArgumentParser
import CivilTime
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph

struct AgendaCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "agenda",
        abstract: "Print what is due, starts or comes again, day by day.",
        discussion: """
            What was due before the first day comes first; on a terminal the last \
            \(AgendaOutput.mostOverdue) of it, unless --all is given. JSON has an object for each line: date, \
            kind (overdue, due, start, or later for a task that comes again), time and item. A day of \
            more hours than the setting day-hours has a ! behind them.
            """
    )

    @OptionGroup var store: StoreLocation
    @Option(help: "How many days, at most \(AgendaSpan.most).") var days = 7
    @Option(help: "The first day, such as monday; without it today.") var from: String?
    @Flag(help: "As JSON.") var json = false
    @Flag(help: "Every overdue task, also on a terminal.") var all = false

    func validate() throws {
        if !(1...AgendaSpan.most).contains(days) {
            throw ValidationError("--days takes a number from 1 to \(AgendaSpan.most).")
        }
    }

    func perform() throws {
        let library = try store.open(.reading)
        let clock = library.clock()
        let first = try from.map { try DateParser(context: clock).parse($0).day(in: clock.zone) }
        var span = AgendaSpan(from: first, count: days)
        span.showsOverdue = span.days(clock).contains(clock.today)
        let agenda = try library.agenda(span)
        let ids = Set(agenda.sections.flatMap(\.entries).map(\.id))
        let output = AgendaOutput(agenda, try library.items(withIDs: Array(ids)), library)
        try json ? output.printJSON() : output.printLines(isLimited: Console.isTerminal && !all)
    }
}

/// Prints an agenda: a line for each entry below its day, or an object.
private struct AgendaOutput {
    private let agenda: Agenda
    private let items: [ManagedObjectID: Item]
    private let library: Library
    private let format: DateFormat
    /// The hours that a day has for tasks, if the user has said it.
    private let dayHours = Settings(environment: ProcessInfo.environment).dayHours

    init(_ agenda: Agenda, _ items: [ManagedObjectID: Item], _ library: Library) {
        (self.agenda, self.items, self.library) = (agenda, items, library)
        format = DateFormat(context: library.clock())
    }

    private func time(_ entry: Agenda.Entry) -> String? {
        if entry.date.isDateOnly { return nil }
        return String(format.plain(entry.date).dropFirst("2026-11-26T".count))
    }

    // MARK: Lines

    /// How many overdue tasks are printed on a terminal.
    static let mostOverdue = 10

    func printLines(isLimited: Bool) throws {
        let lines = ItemLines(format.context)
        let width = try library.widestNumber()
        for (index, section) in agenda.sections.enumerated() {
            if index > 0 { try Console.print("") }
            let heading = heading(section)
            try Console.print(Console.isStyled ? "\u{1b}[1m\(heading)\u{1b}[0m" : heading)
            let isCut = isLimited && section.isOverdue
            let entries = section.entries.suffix(isCut ? Self.mostOverdue : section.entries.count)
            for entry in entries {
                guard let item = items[entry.id] else { continue }
                var record = library.record(of: item)
                // The line ends with the date that it is about.
                if entry.kind == .later { (record.start, record.due) = (nil, entry.date) }
                let word =
                    entry.kind == .start ? "starts " : entry.kind == .later ? "again  " : "       "
                try Console.print(word + lines.line(record, numberWidth: width))
            }
            let rest = section.entries.count - entries.count
            if rest > 0 { try Console.print("and \(rest) more, due before; --all prints them") }
        }
    }

    private func heading(_ section: Agenda.Section) -> String {
        if section.isOverdue { return "Overdue" }
        let ends = [section.days.lowerBound, section.days.upperBound]
        let names = ends.map { format.absolute(DueDate(day: $0)) }
        if section.entries.isEmpty {
            return (ends[0] == ends[1] ? names[0] : names.joined(separator: " to "))
                + ": nothing due"
        }
        let distance = ends[0].number - format.context.today.number
        let lead = distance == 0 ? "Today, " : distance == 1 ? "Tomorrow, " : ""
        let estimate = section.estimate
        let sign = section.exceeds(hours: dayHours) ? " !" : ""
        return lead + names[0]
            + (estimate > 0 ? "  \(Estimate.text(seconds: estimate))\(sign)" : "")
    }

    // MARK: JSON

    func printJSON() throws {
        var bytes = Array("[".utf8)
        for section in agenda.sections {
            for entry in section.entries {
                guard let item = items[entry.id] else { continue }
                let kind = section.isOverdue ? "overdue" : "\(entry.kind)"
                let day = ISODate.string(entry.date.day(in: format.context.zone))
                let time = time(entry).map { "\"\($0)\"" } ?? "null"
                let lead = bytes.count > 1 ? ",\n" : "\n"
                let fields = "\"date\":\"\(day)\",\"kind\":\"\(kind)\",\"time\":\(time)"
                bytes += Array("\(lead){\(fields),\"item\":".utf8)
                DocketJSONWriter.append(library.shownRecord(of: item), to: &bytes)
                bytes.append(UInt8(ascii: "}"))
            }
        }
        try Console.write(bytes + Array((bytes.count > 1 ? "\n]\n" : "]\n").utf8))
    }
}
