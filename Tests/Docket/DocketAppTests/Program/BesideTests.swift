import ChildProcess
import CivilTime
import Foundation
import SeededRandom
import Testing
import VirtualTerminal

/// The program on a terminal while other processes change its store.
///
/// `DOCKET_BESIDE_SECONDS` and `DOCKET_BESIDE_ITEMS` set how long and among how many items;
/// `DOCKET_BESIDE_RATE` is the changes a second, 0 for as many as there can be. What the program
/// took is printed: the processor's time, how long keys waited, memory.
@Suite struct BesideTests {
    private static func setting(_ name: String, or value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
    }

    /// What the lists pane has to show.
    private struct Model {
        var open: Set<Int>
        var done: Set<Int> = []

        static func list(of number: Int) -> Int { number % 4 }

        func count(inList list: Int) -> Int {
            open.count { Model.list(of: $0) == list }
        }
    }

    /// What a process has used.
    private struct Usage {
        var milliseconds = 0
        var kilobytes = 0

        init(_ process: Int32) {
            let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
            if fields.count > 12 {
                milliseconds = 10 * ((Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0))
            }
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            for line in (status ?? "").split(separator: "\n") where line.hasPrefix("VmRSS:") {
                kilobytes = Int(line.split(whereSeparator: \.isWhitespace)[1]) ?? 0
            }
        }
    }

    /// Presses a key and waits for what it draws.
    ///
    /// - Returns: how long the first byte took; `nil` if nothing came, as where there is no line to
    ///   go to.
    private func latency(of key: String, in terminal: VirtualTerminal) throws -> Duration? {
        let drawn = terminal.output.count
        let start = ContinuousClock.now
        try terminal.type(key)
        try? terminal.wait(for: "a frame", within: .seconds(2)) { terminal.output.count > drawn }
        return terminal.output.count > drawn ? .now - start : nil
    }

    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("docket-beside-\(UUID().uuidString)")

    private var environment: [String: String] {
        [
            "HOME": folder.path, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLORFGBG": "15;0",
            "DOCKET_STORE": folder.appendingPathComponent("docket.sqlite").path,
        ]
    }

    private func run(_ arguments: String...) throws {
        let process = try ChildProcess(
            VirtualTerminal.product("docket"),
            arguments,
            environment: environment
        )
        #expect(process.wait() == .code(0), "docket \(arguments.joined(separator: " "))")
    }

    @Test func countsAreRightAtEveryPause() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let items = Self.setting("DOCKET_BESIDE_ITEMS", or: 300)
        let seed = SeededRandom.seeds(1).first ?? 1
        var random = SeededRandom(seed: seed)
        let file = folder.appendingPathComponent("todo.txt")
        try (1...items).map { "task number \($0) +list\(Model.list(of: $0))\n" }.joined()
            .write(to: file, atomically: true, encoding: .utf8)
        try run("import", "--format", "todotxt", file.path)
        var model = Model(open: Set(1...items))
        var next = items + 1

        let terminal = try VirtualTerminal(
            VirtualTerminal.product("docket"),
            environment: environment,
            rows: 30,
            columns: 110
        )
        let end =
            ContinuousClock.now
            + .seconds(Self.setting("DOCKET_BESIDE_SECONDS", or: 2))
        let rate = Self.setting("DOCKET_BESIDE_RATE", or: 0)
        var (pauses, changes) = (0, 0)
        var latencies: [Duration] = []
        var beginning: Usage?
        var due = ContinuousClock.now
        repeat {
            for _ in 0..<(1 + random.below(6)) {
                changes += 1
                if rate > 0 {
                    due = max(due + .seconds(1) / rate, .now - .seconds(1))
                    try? terminal.wait(for: "the next change", within: due - .now) { false }
                }
                switch random.below(4) {
                case 0:
                    try run("add", "task number \(next) +list\(Model.list(of: next))")
                    model.open.insert(next)
                    next += 1
                case 1 where !model.done.isEmpty:
                    let number = try #require(model.done.randomElement(using: &random))
                    try run("undone", "\(number)")
                    model.done.remove(number)
                    model.open.insert(number)
                default:
                    let number = try #require(model.open.randomElement(using: &random))
                    try run("done", "\(number)")
                    model.open.remove(number)
                    model.done.insert(number)
                }
                if let time = try latency(of: changes % 2 == 0 ? "j" : "k", in: terminal) {
                    latencies.append(time)
                }
            }
            pauses += 1
            let (all, lists) = (model.open.count, (0..<4).map(model.count(inList:)))
            try terminal.wait(for: "the counts \(all) and \(lists), seed \(seed)") {
                let rows = terminal.screen.map { $0.prefix(20).split(separator: " ") }
                func shows(_ name: String, _ count: Int) -> Bool {
                    rows.contains { $0.contains(Substring(name)) && $0.contains("\(count)") }
                }
                return shows("All", all) && lists.enumerated().allSatisfy { shows("list\($0)", $1) }
            }
            if beginning == nil {
                beginning = Usage(terminal.process)
                changes = 0
            }
        } while .now < end
        let (first, last) = (try #require(beginning), Usage(terminal.process))
        latencies.sort()
        print("counts were right at \(pauses) pauses among \(items) items, seed \(seed)")
        print(
            "beside \(changes) changes: \(last.milliseconds - first.milliseconds) ms of the processor,"
                + " key p95 \(latencies[latencies.count * 95 / 100]), worst \(latencies.last ?? .zero),"
                + " memory \(first.kilobytes) to \(last.kilobytes) kB"
        )
        #expect(last.kilobytes - first.kilobytes < 32_768, "seed \(seed)")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }
}
