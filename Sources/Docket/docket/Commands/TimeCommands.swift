import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph

struct StartCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start the timer of a task.",
        discussion:
            "One timer runs at a time; that of another task stops. It runs until docket stop."
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "A short ID or a UUID.") var id: String

    func perform() throws {
        let library = try store.open(.writing)
        let item = try library.item(ItemReference(id))
        guard let task = item as? Task else {
            throw InputError(
                .badReference,
                "\(ShortID.string(item.shortID)) is a note; only a task has a timer."
            )
        }
        let step = try library.startTimer(of: task)
        let number = ShortID.string(task.shortID)
        try Console.print(
            Console.shown(
                step?.name ?? "Nothing changed: the timer of \(number) runs already."
            )
        )
    }
}

struct StopCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop the timer.",
        discussion: "Exit code 1 if none runs. --at says when the work ended, if that was earlier."
    )

    @OptionGroup var store: StoreLocation
    @Option(help: "When the work ended, such as \"17:30\" or \"yesterday 17:30\".") var at: String?

    func perform() throws {
        let library = try store.open(.writing)
        guard let running = try library.runningTimer() else {
            Console.note("No timer runs.")
            throw ExitCode(Exit.notDone)
        }
        var end: Date?
        if let at {
            let clock = library.clock()
            let date = try DateParser(context: clock).parse(at)
            guard !date.isDateOnly, date.date > running.start, date.date <= clock.now else {
                let format = DateFormat(context: clock)
                let start = format.relative(DueDate(moment: running.start))
                throw InputError(
                    .impossibleDate,
                    "--at takes a moment after the start of the timer, \(start), and before now."
                )
            }
            end = date.date
        }
        let step = try library.stopTimer(at: end)
        try Console.print(Console.shown(step?.name ?? "No timer runs."))
    }
}

struct TimeCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "time",
        abstract: "Print the time that was spent on tasks, day by day.",
        discussion: """
            An entry over midnight counts on both days. JSON has the running timer, and an object \
            for each task of a day: date, id, title, list, seconds.
            """
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "Only this task: a short ID or a UUID.") var id: String?
    @Option(help: "How many days, today included.") var days = 7
    @Flag(help: "As JSON.") var json = false

    func validate() throws {
        if !(1...3660).contains(days) {
            throw ValidationError("--days takes a number from 1 to 3660.")
        }
    }

    func perform() throws {
        let library = try store.open(.reading)
        let item = try id.map { try library.item(ItemReference($0)) }
        if let item, !(item is Task) {
            throw InputError(
                .badReference,
                "\(ShortID.string(item.shortID)) is a note; only a task has time."
            )
        }
        let report = try library.timeReport(days: days, of: item as? Task)
        let tasks = try library.items(withIDs: Array(Set(report.lines.map(\.task))))
        let running = try library.runningTimer()
        try json
            ? printJSON(report, tasks, running)
            : printLines(report, tasks, running, library)
    }

    private func printLines(
        _ report: TimeReport,
        _ tasks: [ManagedObjectID: Item],
        _ running: RunningTimer?,
        _ library: Library
    ) throws {
        let clock = library.clock()
        let format = DateFormat(context: clock)
        if let running, id == nil || tasks[running.task] != nil {
            let since = format.relative(DueDate(moment: running.start))
            try Console.print(Console.shown("Running since \(since): \(running.title)"))
        }
        let width = try library.widestNumber()
        for day in Set(report.lines.map(\.day)).sorted() {
            let lines = report.lines.filter { $0.day == day }
            let sum = Int(lines.reduce(0) { $0 + $1.seconds })
            try Console.print(
                "\(format.absolute(DueDate(day: day)))  \(Estimate.text(spent: sum))"
            )
            for line in lines {
                guard let task = tasks[line.task] else { continue }
                let length = Estimate.text(spent: Int(line.seconds))
                let gap = String(repeating: " ", count: max(0, 14 - length.count))
                let number = ShortID.string(task.shortID)
                let lead = String(repeating: " ", count: max(0, width - number.count))
                let list = task.list.map { "  +\(ListPath.string($0.path))" } ?? ""
                try Console.print(
                    Console.shown("\(gap)\(length)  \(lead)\(number) \(task.title)\(list)")
                )
            }
        }
        if report.lines.isEmpty, running == nil, Console.isTerminal {
            Console.note("No time was noted; docket start ID starts the timer of a task.")
        }
    }

    private func printJSON(
        _ report: TimeReport,
        _ tasks: [ManagedObjectID: Item],
        _ running: RunningTimer?
    ) throws {
        func object(_ members: [(String, JSONValue)]) -> JSONValue {
            .object(members.map { JSONMember($0, $1) })
        }
        func named(_ id: ManagedObjectID) -> [(String, JSONValue)] {
            guard let task = tasks[id] else { return [] }
            return [
                ("id", .number("\(task.shortID)")), ("title", .string(task.title)),
                ("list", task.list.map { .string(ListPath.string($0.path)) } ?? .null),
            ]
        }
        let lines = report.lines.map { line in
            object(
                [("date", .string(ISODate.string(line.day)))] + named(line.task)
                    + [("seconds", .number("\(Int(line.seconds))"))]
            )
        }
        let timer = running.map { running in
            object([
                ("title", .string(running.title)),
                ("start", .string(ISODate.string(running.start))),
            ])
        }
        try Console.print(object([("running", timer ?? .null), ("days", .array(lines))]))
    }
}
