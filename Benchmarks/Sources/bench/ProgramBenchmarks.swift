import CReference
import Foundation

/// The program as a whole: shell commands and the interface, on a store of a given size.
struct ProgramBenchmarks {
    let count: Int
    let table: Table
    let folder: URL
    let store: URL
    let docket: Program
    private let taskwarrior: Program?

    init(program: String, folder: URL, count: Int, table: Table) {
        self.count = count
        self.table = table
        self.folder = folder
        store = folder.appending(path: "docket-\(count).sqlite")
        let environment = [
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(folder.path)", "TERM=xterm-256color",
            "LC_ALL=C.UTF-8", "TZ=UTC",
        ]
        docket = Program(path: program, environment: environment + ["DOCKET_STORE=\(store.path)"])
        let data = folder.appending(path: "task-\(count)").path
        taskwarrior = Program.installed(
            "task",
            environment: environment + ["TASKRC=/dev/null", "TASKDATA=\(data)"],
            options: [
                "rc.data.location=\(data)", "rc.confirmation=no", "rc.verbose=nothing", "rc.gc=on",
                "rc.recurrence=off", "rc.hooks=off",
            ]
        )
    }

    var isHuge: Bool { count > 100_000 }

    /// The names of what ``run(_:)`` measures. Each part but the first needs the store of an import.
    static let parts: Set = [
        "import", "commands", "vault", "export", "interface", "starts", "capture",
    ]

    func run(_ parts: Set<String>) throws {
        try importing(isMeasured: parts.contains("import"))
        if parts.contains("commands") {
            if count == 100_000 {
                let sync = reference_sync(folder.appending(path: "sync").path, 50)
                table.time("one sync of the disk", 1, sync)
            }
            commands()
        }
        if parts.contains("vault") { try vault() }
        if parts.contains("export") { exporting() }
        if parts.contains("interface") { interface() }
        if parts.contains("capture"), count == 1000 { try capture() }
        if parts.contains("starts"), count >= 10_000 { starts() }
        clean()
    }

    private func clean() {
        for suffix in ["", "-wal", "-shm"] { unlink(store.path + suffix) }
        try? FileManager.default.removeItem(at: folder.appending(path: "task-\(count)"))
    }

    /// A program's time beside Taskwarrior's, which is too slow to be asked at the greatest size.
    private func reference(
        _ runs: Int,
        _ body: (Program) -> Double
    ) -> (name: String, value: Double)? {
        guard let taskwarrior, !isHuge else { return nil }
        return (name: "taskwarrior", value: median(runs, warm: runs > 1) { body(taskwarrior) })
    }

    // MARK: Commands

    /// Leaves the store for the other parts.
    private func importing(isMeasured: Bool) throws {
        let file = folder.appending(path: "taskwarrior-\(count).json")
        try Generator.taskwarrior(count, to: file)
        defer { unlink(file.path) }
        let arguments = ["import", "--format", "taskwarrior", file.path]
        var peaks: [Double] = []
        let time = median(isHuge || !isMeasured ? 1 : 3, warm: false) {
            clean()
            // The file that was just made is not to be written meanwhile.
            sync()
            let (time, peak) = docket.run(arguments)
            peaks.append(peak)
            return time
        }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "task-\(count)"),
            withIntermediateDirectories: true
        )
        if !isMeasured { return }
        table.time(
            "import Taskwarrior JSON",
            count,
            time,
            against: reference(1) { $0.time("import", file.path) }
        )
        table.add("import, most memory", count, percentile(peaks, 0.5), "MB")
        if let bare = bareInserts() {
            table.time(
                "import, beside its rows alone",
                count,
                time,
                against: ("sqlite3 INSERT", bare)
            )
        }
        table.time(
            "docket undo, of the import",
            count,
            docket.time("undo"),
            against: ("the import", time)
        )
        _ = docket.time("redo")
    }

    /// Seconds in which `sqlite3` copies the rows of the store's entities into the same tables with
    /// the same indexes: no file to read, no history, no index for the search.
    private func bareInserts() -> Double? {
        let copy = folder.appending(path: "bare-\(count).sqlite")
        defer { for suffix in ["", "-wal", "-shm"] { unlink(copy.path + suffix) } }
        guard
            let sqlite = Program.installed("sqlite3", environment: docket.environment, options: [])
        else { return nil }
        let tables = rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z*'")
        let schema = rows("SELECT sql FROM sqlite_master WHERE tbl_name GLOB 'Z*' AND sql > ''")
        let inserts = tables.map { "INSERT INTO main.\($0) SELECT * FROM source.\($0);" }
        return median(isHuge ? 1 : 3, warm: false) {
            for suffix in ["", "-wal", "-shm"] { unlink(copy.path + suffix) }
            _ = sqlite.run([copy.path, "PRAGMA journal_mode=WAL; \(schema.joined(separator: ";"))"])
            return sqlite.time(
                copy.path,
                "PRAGMA synchronous=FULL; ATTACH '\(store.path)' AS source; BEGIN IMMEDIATE;"
                    + inserts.joined() + "COMMIT;"
            )
        }
    }

    /// The first column of a query of the store.
    private func rows(_ sql: String) -> [String] {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        guard sqlite3_open(store.path, &database) == SQLITE_OK,
            sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK
        else { fatalError(String(cString: sqlite3_errmsg(database))) }
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(database)
        }
        var result: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { result.append(String(cString: text)) }
        }
        return result
    }

    /// A rule of each frequency with most of its parts, and the plain ones.
    private static let rules = [
        "FREQ=YEARLY", "FREQ=YEARLY;BYDAY=-1MO;BYMONTH=2,11", "FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=SA",
        "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", "FREQ=DAILY;BYMONTH=1;BYDAY=FR",
        "FREQ=HOURLY;INTERVAL=5;BYDAY=SA", "FREQ=MINUTELY;INTERVAL=7;BYHOUR=9",
    ]

    /// The next 1,000 occurrences of the slowest rule: the time of 7,000 without that of 1,000;
    /// yearly ones are not many more until the year 9999.
    private func occurrences() {
        var worst: (rule: String, seconds: Double) = ("", 0)
        for rule in ProgramBenchmarks.rules {
            func time(_ number: Int) -> Double {
                median(5) {
                    docket.time(
                        "when",
                        "--rule",
                        rule,
                        "--start",
                        "2026-01-01T09:00",
                        "--count",
                        "\(number)",
                        "--json"
                    )
                }
            }
            let seconds = (time(7000) - time(1000)) / 6
            if seconds > worst.seconds { worst = (rule, seconds) }
        }
        table.time(
            "next 1,000 occurrences, \(worst.rule)",
            1000,
            worst.seconds
        )
    }

    private func commands() {
        table.time("start-up (docket --version)", count, median(15) { docket.time("--version") })
        if count == 1000 { occurrences() }
        table.time(
            "docket add",
            count,
            median(15) { docket.time("add", "Pay rent tomorrow #bank") },
            against: reference(count >= 100_000 ? 1 : 3) {
                $0.time("add", "Pay rent", "due:tomorrow", "+bank")
            }
        )
        table.time("docket undo", count, median(9) { docket.time("undo") })
        var number = 0
        let done = median(15) {
            number += 1
            return docket.time("done", "\(number)")
        }
        var task = 0
        table.time(
            "docket done",
            count,
            done,
            against: reference(count >= 100_000 ? 1 : 3) {
                task += 1
                return $0.time("\(task)", "done")
            }
        )
        table.time(
            "docket list --limit 40",
            count,
            median(9) { docket.time("list", "--limit", "40") },
            against: reference(1) { $0.time("limit:40", "list") }
        )
        table.time(
            "docket search, two words",
            count,
            median(5) { docket.time("search", "beatles", "yesterday") }
        )
        table.time("docket list, all lines", count, median(5) { docket.time("list") })
        table.time(
            "docket list --json",
            count,
            median(5) { docket.time("list", "--json") },
            against: rowsAsJSON("TRUE")
        )
        table.add("list --json, most memory", count, docket.run(["list", "--json"]).peak, "MB")
        // About every sixth item has the word.
        table.time(
            "docket search --json, a frequent word",
            count,
            median(5) { docket.time("search", "--json", "bank") },
            against: rowsAsJSON("ZTITLE LIKE '%bank%' OR ZNOTES LIKE '%bank%'")
        )
    }

    /// A command that has to derive the vault's key from the passphrase.
    private func vault() throws {
        let file = folder.appending(path: "passphrase").path
        try "correct horse battery staple\n".write(toFile: file, atomically: true, encoding: .utf8)
        defer { unlink(file) }
        _ = docket.run(["vault", "init", "--passphrase-file", file])
        table.time(
            "docket vault list, unlocking",
            count,
            median(5) { docket.time("vault", "list", "--passphrase-file", file) }
        )
    }

    private func exporting() {
        let time = median(isHuge ? 1 : 5) { docket.time("export") }
        let peak = docket.run(["export"]).peak
        table.time(
            "docket export (JSON)",
            count,
            time,
            against: rowsAsJSON("TRUE")
        )
        table.add("export, most memory", count, peak, "MB")
        if let reference = reference(1, { $0.time("export") }) {
            table.time("docket export, beside Taskwarrior", count, time, against: reference)
        }
    }

    /// What `sqlite3` needs to print the rows of the items that meet a condition.
    private func rowsAsJSON(_ condition: String) -> (name: String, value: Double)? {
        let sqlite = Program.installed(
            "sqlite3",
            environment: docket.environment,
            options: ["-json"]
        )
        let query = "SELECT * FROM ZITEM WHERE \(condition) ORDER BY ZDISPLAYORDER"
        return sqlite.map { sqlite in
            ("sqlite3 -json", median(isHuge ? 1 : 5) { sqlite.time(store.path, query) })
        }
    }

    // MARK: Interface

    private struct Measured {
        var frames: [Double] = []
        var keys: [Double] = []
        var searches: [Double] = []
        var conditions: [Double] = []
        var changes: [Double] = []
        var memory: [Double] = []
        var peak: [Double] = []
    }

    private func interface() {
        var measured = Measured()
        // What the commands before have left for the kernel to write is not what a launch costs.
        sync()
        let (launches, sessions) = (5, isHuge ? 2 : 5)
        for _ in sessions..<launches { measured.frames.append(launch(Screen(docket))) }
        for _ in 0..<sessions { session(&measured) }
        table.time(
            "launch → first full frame",
            count,
            percentile(measured.frames, 0.5)
        )
        table.time("key → last byte of the frame, median", count, percentile(measured.keys, 0.5))
        table.time(
            "key → last byte of the frame, p95",
            count,
            percentile(measured.keys, 0.95)
        )
        table.time(
            "done, undo, move → first byte, median",
            count,
            percentile(measured.changes, 0.5)
        )
        table.time("search key → frame, median", count, percentile(measured.searches, 0.5))
        table.time(
            "search key → frame, p95",
            count,
            percentile(measured.searches, 0.95)
        )
        table.time(
            "search key → frame, ten terms, median",
            count,
            percentile(measured.conditions, 0.5)
        )
        table.time(
            "search key → frame, ten terms, p95",
            count,
            percentile(measured.conditions, 0.95)
        )
        table.add(
            "memory, interface open, after a search",
            count,
            percentile(measured.memory, 0.5),
            "MB"
        )
        table.add("memory, interface open, peak", count, percentile(measured.peak, 0.5), "MB")
        idle()
        beside()
        latency()
        if isHuge { longCommand() }
    }

    /// What five changes a second by another process cost the interface.
    private func beside() {
        let screen = Screen(docket)
        screen.settle(quiet: quiet, within: 20_000)
        let before = screen.processor
        let changes = 50
        for change in 0..<changes {
            let start = reference_now()
            _ = change % 2 == 0 ? docket.time("done", "\(500 + change)") : docket.time("undo")
            screen.settle(quiet: 10, within: 100)
            usleep(UInt32(max(0, 200_000 - 1e6 * (reference_now() - start))))
        }
        screen.settle(quiet: 500)
        table.add(
            "processor for another's change",
            count,
            (screen.processor - before) / Double(changes),
            "ms"
        )
    }

    /// How soon another process's change is on the screen, after that process has ended.
    private func latency() {
        let screen = Screen(docket)
        screen.settle(quiet: quiet, within: 20_000)
        var times: [Double] = []
        // Every tenth item was done before.
        for change in 0..<24 {
            screen.settle(quiet: 200, within: 200)
            _ = change % 2 == 0 ? docket.time("done", "\(301 + 5 * change)") : docket.time("undo")
            let end = reference_now()
            times.append(max(0, (screen.frame(within: 2000) ?? end + 2) - end))
        }
        table.time(
            "another's change → frame, median",
            count,
            percentile(times, 0.5)
        )
        table.time(
            "another's change → frame, maximum",
            count,
            times.max() ?? .nan
        )
    }

    /// How often the interface ends by itself when it is started.
    private func starts() {
        let starts = 40
        let exits = (0..<starts).count { _ in
            !Screen(docket, rows: 50, columns: 150).lives(milliseconds: 500)
        }
        table.add(
            "exits in \(starts) starts of 0.5 s",
            count,
            Double(exits),
            ""
        )
    }

    /// All items done at once, and that undone, in the interface.
    private func longCommand() {
        let screen = Screen(docket)
        screen.settle(quiet: quiet, within: 20_000)
        for (name, keys) in [("all items done at once", "V "), ("all items done, undone", "u")] {
            let start = reference_now()
            screen.send(keys)
            let end = screen.settle(quiet: 3000, within: 100_000) ?? .nan
            table.time(
                name,
                count,
                end - start
            )
        }
        table.add(
            "all items done at once, most memory",
            count,
            screen.memory.peak,
            "MB"
        )
    }

    /// How long nothing is drawn once everything is loaded, in milliseconds.
    private var quiet: Int32 { isHuge ? 20_000 : count == 100_000 ? 2500 : 800 }

    /// Seconds until the first frame is complete.
    private func launch(_ screen: Screen) -> Double {
        (screen.frame(within: 20_000) ?? .nan) - screen.start
    }

    /// Searches of ten words and conditions.
    private static let tenTerms = [
        "due:<7d -is:done garden plan priority>=low (bank or rent) -is:flagged created:<30d is:task",
        "-is:done due:2026-10 priority:high or has:due -garden title:rent notes:milk is:task id:<900 a",
        "garden bank plan rent milk bread coffee call order parts",
        "title:~k.n or title:~^p.y or title:~(a|b)*c or title:~[0-9]+$ or title:~a+b or title:~\\w x",
        "has:notes -garden \"two words\" every:any -(tag:none or is:note) is:blocked -is:blocking has:subtasks a",
    ]

    private func session(_ measured: inout Measured) {
        let screen = Screen(docket)
        measured.frames.append(launch(screen))
        // What is loaded behind the first frame, without a sign on the screen, is to be there
        // before keys are measured.
        screen.settle(quiet: quiet)
        for key in ["j", "j", "k", "j", "G", "g", "g", "j"] + Array(repeating: "j", count: 32) {
            // The first of two keys shows what may follow.
            measured.keys.append(screen.key(key))
        }
        for key in [" ", "u", "J", "K", "j", " ", "u", "J", "K"] {
            measured.changes.append(screen.firstByte(of: key))
        }
        for word in ["beatles y", "the", "zürich", "qqq"] {
            screen.send("/")
            screen.settle(quiet: 30)
            for letter in word { measured.searches.append(screen.key(String(letter))) }
            screen.send("\u{1B}")
            screen.settle(quiet: 100)
        }
        for search in ProgramBenchmarks.tenTerms {
            screen.send("/")
            screen.settle(quiet: 30)
            screen.send("\u{15}")
            screen.settle(quiet: 100)
            for letter in search { measured.conditions.append(screen.key(String(letter))) }
            screen.send("\u{1B}")
            screen.settle(quiet: 100)
        }
        let memory = screen.memory
        measured.memory.append(memory.now)
        measured.peak.append(memory.peak)
    }

    private func idle() {
        let screen = Screen(docket)
        screen.settle(quiet: quiet, within: 20_000)
        // A thread that was given up a moment ago may still be about to end.
        sleep(5)
        table.add(
            "wake-ups in 5 s without input",
            count,
            Double(screen.wakeups(during: 5)),
            ""
        )
    }
}
