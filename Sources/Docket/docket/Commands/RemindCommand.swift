import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import FileEvents
import FoundationEssentials
import Glibc
import NcursesTerminal
import ObjectGraph

struct RemindCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "remind",
        abstract: "Remind of open tasks whose reminder has come, each once.",
        discussion: """
            Prints what has come since the last time, and what was missed while nothing ran. The \
            interface and this command know of each other: each reminder is announced by one of them.

            docket remind --install starts a timer of systemd that shows reminders as \
            notifications of the desktop, also while Docket is not running. Without systemd, \
            docket remind --watch --notify does the same as long as it runs.

            Exit codes: 0 reminded; 1 there was nothing to remind of, or it could not be shown.
            """
    )

    @OptionGroup var store: StoreLocation
    @Flag(help: "Show notifications of the desktop (notify-send); what it cannot show stays.")
    var notify = false
    @Flag(help: "Keep running, and remind at each moment.") var watch = false
    @Flag(help: "Print an array of objects: id, title, reminder and due.") var json = false
    @Flag(help: "Install a user timer of systemd that runs docket remind --notify each minute.")
    var install = false
    @Flag(help: "Remove that timer.") var uninstall = false

    func validate() throws {
        let ways = [install, uninstall].filter { $0 }.count + (watch || notify || json ? 1 : 0)
        if ways > 1 {
            throw ValidationError(
                "--install and --uninstall go without --watch, --notify and --json."
            )
        }
        if json, notify || watch {
            throw ValidationError("--json goes without --notify and --watch.")
        }
    }

    func perform() throws {
        if install { return try ReminderTimer.install(store) }
        if uninstall { return try ReminderTimer.uninstall() }
        let library = try store.open(.reading)
        let mark = ReminderMark(
            of: library,
            in: Interface.stateFolder(ProcessInfo.environment)
        )
        if watch { try keepReminding(library, mark) }
        var hasReminded = false
        try mark.announce(of: library) { due in
            hasReminded = try show(due, library)
            return hasReminded
        }
        if hasReminded { return }
        if json { try Console.print(.array([])) }
        throw ExitCode(Exit.notDone)
    }

    /// Reminds whenever something comes, or somebody changes the store, until a signal ends it.
    private func keepReminding(_ library: Library, _ mark: ReminderMark) throws -> Never {
        let bell = WakePipe()
        library.follower.wake = { bell.ring() }
        let watcher = ClockWatcher { bell.ring() }
        defer { withExtendedLifetime(watcher) {} }
        while true {
            try library.mergeOthers()
            try mark.announce(of: library) { try show($0, library) }
            let now = library.clock().now
            let next = try library.nextReminder(after: now).map { $0.timeIntervalSince(now) }
            // A reminder that could not be shown is tried again.
            bell.wait(seconds: min(next ?? 60, 60))
        }
    }

    private func show(_ due: [DueReminder], _ library: Library) throws -> Bool {
        let context = library.clock()
        if notify {
            let notices = due.map { ($0.title, $0.words(context)) }
            if DesktopNotification.send(notices, waits: true) { return true }
            Console.warn("notify-send cannot show \(due.count) reminders; they stay for later.")
            return false
        }
        let format = DateFormat(context: context)
        if json {
            try Console.print(.array(due.map { value($0, format) }))
        } else {
            for reminder in due {
                let moment = format.words(DueDate(moment: reminder.moment))
                let words = reminder.due.map { "   due \(format.words($0))" } ?? ""
                try Console.print("\(moment)   \(reminder.shortID) \(reminder.title)\(words)")
            }
            if watch, Console.isTerminal { try Console.write([7]) }
        }
        try Console.flush()
        return true
    }

    private func value(_ reminder: DueReminder, _ format: DateFormat) -> JSONValue {
        .object([
            JSONMember("id", .number("\(reminder.shortID)")),
            JSONMember("title", .string(reminder.title)),
            JSONMember("reminder", .string(format.plain(DueDate(moment: reminder.moment)))),
            JSONMember("due", reminder.due.map { .string(format.plain($0)) } ?? .null),
        ])
    }
}
