import ChildProcess
import Foundation
import SeededRandom
import Testing
import VirtualTerminal

/// The program on a terminal while other processes change its store.
///
/// `DOCKET_BESIDE_SECONDS` and `DOCKET_BESIDE_ITEMS` set how long and among how many items.
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
        var pauses = 0
        repeat {
            for _ in 0..<(1 + random.below(6)) {
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
                try terminal.type(random.below(2) == 0 ? "j" : "k")
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
        } while .now < end
        print("counts were right at \(pauses) pauses among \(items) items, seed \(seed)")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }
}
