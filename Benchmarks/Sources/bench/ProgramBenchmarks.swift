import CReference
import Foundation

/// The program as a whole: shell commands and the interface, on a store of a given size.
struct ProgramBenchmarks {
    let program: String
    let folder: URL
    let count: Int
    let table: Table

    private var store: URL { folder.appending(path: "docket-\(count).sqlite") }
    private var environment: [String] {
        [
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(folder.path)", "TERM=xterm-256color",
            "LC_ALL=C.UTF-8", "TZ=UTC", "DOCKET_STORE=\(store.path)",
        ]
    }

    private func run(_ arguments: [String], input: String? = nil) -> Double {
        withCStrings([program] + arguments) { argv in
            withCStrings(environment) { envp in
                seconds {
                    let code = reference_run(program, argv, envp, input)
                    guard code == 0 else { fatalError("\(arguments) ended with \(code)") }
                }
            }
        }
    }

    func run() throws {
        let export = folder.appending(path: "taskwarrior-\(count).json")
        try Generator.taskwarrior(count, to: export)
        for suffix in ["", "-wal", "-shm"] { unlink(store.path + suffix) }
        table.time(
            "import Taskwarrior JSON", count,
            run(["import", "--format", "taskwarrior", export.path]),
            limit: count == 100_000 ? 7 : nil)
        let sync = reference_sync(folder.appending(path: "sync").path, 50)
        table.time("one sync of the disk", 1, sync)
        let limit = 0.04
        table.time(
            "docket add", count, median(15) { run(["add", "Pay rent tomorrow #bank"]) },
            limit: limit)
        table.time("docket undo", count, median(9) { run(["undo"]) }, limit: limit)
        var number = 0
        table.time(
            "docket done", count,
            median(15) {
                number += 1
                return run(["done", "\(number)"])
            }, limit: limit)
        table.time("docket list --limit 40", count, median(9) { run(["list", "--limit", "40"]) })
        table.time(
            "docket search, two words", count, median(5) { run(["search", "beatles", "yesterday"]) })
        let sqlite = sqliteExport()
        table.time(
            "docket export json", count, median(3) { run(["export"]) },
            against: sqlite.map { ("sqlite3", $0) }, limit: count == 100_000 ? 0.7 : nil)
        try interface()
    }

    /// The same rows as JSON by the `sqlite3` shell, where it is installed.
    private func sqliteExport() -> Double? {
        let arguments = ["sqlite3", "-json", store.path, "SELECT * FROM ZITEM ORDER BY ZDISPLAYORDER"]
        return withCStrings(arguments) { argv in
            withCStrings(environment) { envp in
                var failed = false
                let time = median(3) {
                    seconds { failed = reference_run("sqlite3", argv, envp, nil) != 0 || failed }
                }
                return failed ? nil : time
            }
        }
    }

    // MARK: Interface

    private func interface() throws {
        var memory = 0.0
        var frames: [Double] = []
        var keys: [Double] = []
        var searches: [Double] = []
        var wakeups = 0
        for round in 0..<5 {
            let pty = withCStrings([program]) { argv in
                withCStrings(environment) { envp in
                    let start = reference_now()
                    guard let pty = reference_pty_open(program, argv, envp, 60, 200) else {
                        fatalError("no pseudo terminal")
                    }
                    var last = 0.0
                    _ = reference_pty_settle(pty, 10_000, 40, &last)
                    frames.append(last - start)
                    return pty
                }
            }
            defer { reference_pty_close(pty) }
            // What is loaded behind the first frame is to be there before keys are measured.
            _ = reference_pty_settle(pty, 1500, 300, nil)
            for _ in 0..<40 { keys.append(key(pty, "j")) }
            reference_pty_send(pty, "/", 1)
            _ = reference_pty_settle(pty, 1000, 30, nil)
            for letter in "beatl" { searches.append(key(pty, String(letter))) }
            memory = max(memory, residentMegabytes(reference_pty_pid(pty)))
            if round == 0 {
                _ = reference_pty_settle(pty, 1000, 500, nil)
                let before = switches(reference_pty_pid(pty))
                usleep(3_000_000)
                wakeups = switches(reference_pty_pid(pty)) - before
            }
        }
        func percentile(_ values: [Double], _ part: Double) -> Double {
            let sorted = values.sorted()
            return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
        }
        table.time("launch → first full frame", count, percentile(frames, 0.5), limit: 0.05)
        table.time("key → last byte, p95", count, percentile(keys, 0.95), limit: 0.005)
        table.time(
            "search key → frame, worst", count, percentile(searches, 1),
            limit: count > 100_000 ? 0.05 : 0.016)
        var result = Result(work: "memory, interface open", size: count, value: memory, unit: "MB")
        result.budget = "≤ 60 MB"
        result.isMet = memory <= 60 || count > 100_000
        table.add(result)
        var idle = Result(
            work: "wake-ups in 3 s idle", size: count, value: Double(wakeups), unit: "")
        idle.budget = "0"
        idle.isMet = wakeups == 0
        table.add(idle)
    }

    private func key(_ pty: OpaquePointer, _ key: String) -> Double {
        var last = 0.0
        let start = reference_now()
        reference_pty_send(pty, key, Int32(key.utf8.count))
        guard reference_pty_settle(pty, 2000, 25, &last) > 0 else { return 2 }
        return last - start
    }

    private func status(_ pid: Int32, _ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            return Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "0") ?? 0
        }
        return 0
    }

    private func residentMegabytes(_ pid: Int32) -> Double { Double(status(pid, "VmHWM")) / 1024 }

    private func switches(_ pid: Int32) -> Int { status(pid, "voluntary_ctxt_switches") }
}

/// Calls with a null-terminated array of C strings.
func withCStrings<R>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { fatalError("an array with a null is not empty") }
        return body(base)
    }
}
