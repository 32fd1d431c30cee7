import ChildProcess
import Foundation
import Glibc
import PostgreSQLAtHand
import SeededRandom
import Testing
import VirtualTerminal

/// Windows and scripts work on one library in a database, while they are killed, their connections are
/// cut, and the server crashes.
///
/// `DOCKET_TEAM_SECONDS` says how long, `DOCKET_TEAM_SEED` repeats the choices of a run.
@Suite(
    "A team whose programs and server crash",
    .serialized,
    .enabled(if: PostgreSQLAtHand.isThere)
)
struct TeamKillTests {
    private static let variables = ProcessInfo.processInfo.environment
    private static let seconds = variables["DOCKET_TEAM_SECONDS"].flatMap { Int($0) } ?? 8
    private static let isLong = seconds > 60
    private static let seed =
        variables["DOCKET_TEAM_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)

    /// Adds, completes and edits items of its own until a file says that it is enough; a command that
    /// is refused because the server is away is tried with the next item.
    private static let script = """
        i=$2
        while [ ! -e stop ]; do
            title="$1-$i"
            i=$((i + 1))
            echo "try $title" >> "log-$1"
            line=$("$docket" add "$title" 2> "why-$1") || continue
            echo "added $title" >> "log-$1"
            id=${line%% *}
            "$docket" done "$id" > "part-$1" 2> "why-$1" && echo "done $title" >> "log-$1"
            "$docket" edit "$id" "title=${title}x" > "part-$1" 2> "why-$1" \\
                && echo "edited $title" >> "log-$1"
        done
        """

    private let server: PostgreSQLAtHand
    private let docket: Docket

    init() throws {
        server = try PostgreSQLAtHand()
        docket = try Docket()
        docket.environment["DOCKET_STORE"] = server.url("team").absoluteString
    }

    @Test func whatWasAcknowledgedIsThereAndEveryWindowShowsTheSame() throws {
        defer { server.remove() }
        let (windowCount, scriptCount) = Self.isLong ? (10, 4) : (3, 2)
        print("a team: seed \(Self.seed), \(Self.seconds) s")
        var random = SeededRandom(seed: Self.seed)
        var tally = FaultTally("crashes of a team, seed \(Self.seed)")
        #expect(try docket("add", "first").code == 0)
        let windows = try (0..<windowCount).map { number in
            try server.execute("CREATE ROLE w\(number) LOGIN SUPERUSER")
            return try TeamWindow(number, docket)
        }
        var scripts = try (0..<scriptCount).map { try start($0, 0) }
        var serial = 0
        let end = ContinuousClock.now + .seconds(Self.seconds)
        while ContinuousClock.now < end {
            for window in windows { try window.begin(&random) }
            serial += 1
            switch serial == 3 ? 0 : random.below(20) {
            case 0:
                try server.stop(crashing: true)
                tally.tried("server")
                usleep(UInt32(random.below(300_000)))
                try server.start()
            case 2...4:
                let number = random.below(windowCount)
                tally.tried("window")
                try windows[number].kill()
            case 5...7:
                let number = random.below(scriptCount)
                scripts[number].killGroup()
                tally.tried("script")
                scripts[number] = try start(number, serial)
            case 8...10:
                tally.tried("connection")
                try server.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity"
                        + " WHERE usename LIKE 'w%' OR usename = 'tests' AND pid <> pg_backend_pid()"
                        + " ORDER BY random() LIMIT 3) cut"
                )
            default: break
            }
            for window in windows { window.finish() }
        }
        try docket.write("", to: "stop")
        for script in scripts { _ = script.wait() }
        for window in windows { try window.settle() }
        let items = try checkItems(windows, scriptCount, &tally)
        try checkScreens(windows, items)
        let copy = docket.path("copy.sqlite")
        let copied = try docket("store", "copy", server.url("team").absoluteString, copy)
        #expect(copied.code == 0, "seed \(Self.seed): \(copied)")
        let doctor = try docket("--store", copy, "doctor")
        #expect(doctor.code == 0, "seed \(Self.seed): \(doctor.output) \(doctor.errors)")
        let acknowledged = windows.reduce(0) { $0 + $1.acknowledged }
        print("\(items.count) items, \(acknowledged) acknowledged on screens")
        #expect(acknowledged > 0)
        tally.report()
    }

    private func start(_ number: Int, _ serial: Int) throws -> ChildProcess {
        try docket.start(
            "/bin/sh",
            ["-c", Self.script, "sh", "s\(number)", "\(serial * 10_000)"],
            "script-\(number)"
        )
    }

    /// Every acknowledged change is there, and no item twice.
    private func checkItems(
        _ windows: [TeamWindow],
        _ scriptCount: Int,
        _ tally: inout FaultTally
    ) throws -> [[String: Any]] {
        var found: [String: (title: String, isDone: Bool)] = [:]
        let items = try docket.items()
        var ids: Set<Int> = []
        for item in items {
            let title = item["title"] as? String ?? ""
            let name = title.hasSuffix("x") ? String(title.dropLast()) : title
            if found[name] != nil || !ids.insert(item["id"] as? Int ?? 0).inserted {
                tally.loses()
                Issue.record("seed \(Self.seed): \(name) is there twice")
            }
            found[name] = (title, item["completed"] is String)
        }
        var expected = windows.reduce(into: [String: TeamItem]()) { $0.merge($1.items) { $1 } }
        for number in 0..<scriptCount {
            let text = String(decoding: try docket.read("log-s\(number)"), as: UTF8.self)
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 2 else { continue }
                switch words[0] {
                case "added": expected[words[1], default: TeamItem()].exists = true
                case "done": expected[words[1], default: TeamItem()].isDone = true
                case "edited": expected[words[1], default: TeamItem()].isEdited = true
                default: break
                }
            }
        }
        for (name, item) in expected {
            let present = found[name]
            let isRight =
                item.exists.map { $0 == (present != nil) } ?? true
                && (present == nil
                    || (item.isDone.map { $0 == present?.isDone } ?? true)
                        && (item.isEdited.map { $0 == present?.title.hasSuffix("x") } ?? true))
            if isRight { continue }
            tally.loses()
            Issue.record(
                "seed \(Self.seed): \(name) is \(String(describing: present)), not \(item)"
            )
        }
        return items
    }

    /// At rest every window has the same list of all items.
    private func checkScreens(_ windows: [TeamWindow], _ items: [[String: Any]]) throws {
        for window in windows { try window.terminal.type("gAgg") }
        let first = try #require(windows.first)
        for window in windows {
            do {
                try window.terminal.wait(for: "the screen of the first window") {
                    try? first.terminal.wait(for: "its output", within: .milliseconds(1)) { false }
                    return window.list == first.list
                }
            } catch {
                Issue.record(
                    "seed \(Self.seed): \(error)\nthe first: \(first.list.joined(separator: "\n"))"
                )
            }
        }
    }
}

/// What was acknowledged of an item; `nil` where nobody knows.
private struct TeamItem {
    var exists: Bool?
    var isDone: Bool?
    var isEdited: Bool?
}

/// A window of one member of the team.
private final class TeamWindow {
    private enum Action { case add, complete, edit, undo, move }

    private(set) var terminal: VirtualTerminal
    private(set) var items: [String: TeamItem] = [:]
    private(set) var acknowledged = 0
    private let number: Int
    private let docket: Docket
    private var serial = 0
    private var title = ""
    private var action: Action?

    init(_ number: Int, _ docket: Docket) throws {
        (self.number, self.docket) = (number, docket)
        terminal = try Self.open(number, docket)
        try terminal.wait(forText: "first")
    }

    private static func open(_ number: Int, _ docket: Docket) throws -> VirtualTerminal {
        let address = (docket.environment["DOCKET_STORE"] ?? "")
            .replacing("//tests@", with: "//w\(number)@")
        return try VirtualTerminal(
            Docket.program,
            arguments: ["--store", address],
            environment: docket.environment.merging(["COLORFGBG": "15;0"]) { $1 },
            rows: 24,
            columns: 100
        )
    }

    /// The rows of the list, without titles, messages and keys.
    var list: [String] { Array(terminal.screen[1..<20]) }

    /// Types the keys of a change.
    func begin(_ random: inout SeededRandom) throws {
        let next = random.below(10)
        let isKnown = items[title]?.exists == true
        if !isKnown || next < 4 {
            action = .add
            serial += 1
            title = "w\(number)-\(serial)"
            items[title] = TeamItem()
            try type("a\(title)\r")
        } else if next < 6 {
            action = .complete
            items[title]?.isDone = nil
            try type(" ")
        } else if next < 7 {
            action = .edit
            try type("e")
        } else if next < 9 {
            action = .undo
            items[title] = TeamItem()
            try type("u")
        } else {
            action = .move
            try type(random.below(2) == 0 ? "J" : "K")
        }
    }

    /// A program that has just ended takes no keys.
    private func type(_ keys: String) throws { try? terminal.type(keys) }

    private func sees(_ text: String, _ limit: Duration = .seconds(2)) -> Bool {
        (try? terminal.wait(forText: text, within: limit)) != nil
    }

    /// Notes what the screen acknowledges.
    func finish() {
        guard let action else { return }
        self.action = nil
        var isDone = true
        switch action {
        case .add:
            isDone = sees("✓ Added \"\(title)\"")
            if isDone { items[title] = TeamItem(exists: true, isDone: false, isEdited: false) }
        case .complete:
            isDone = sees("✓ Completed \"\(title)")
            // Another item is selected now.
            if isDone { items[title]?.isDone = true }
            title = ""
        case .edit:
            isDone = edit()
            items[title]?.isEdited = isDone ? true : nil
        case .undo:
            // Which step it was is not known behind one without an answer.
            isDone = sees("✓ Undid: added \"\(title)\"", .milliseconds(500))
            if isDone { items[title] = TeamItem(exists: false) }
        case .move: break
        }
        if isDone { acknowledged += 1 } else { escape() }
    }

    /// Types Esc alone: with a key that follows at once it would be one with Alt.
    private func escape() {
        try? type("\u{1B}")
        _ = sees("\u{1B}", .milliseconds(200))
    }

    private func edit() -> Bool {
        guard sees("Edit Task") else { return false }
        // Only an item of its own.
        guard terminal.screen.contains(where: { $0.contains("Title") && $0.contains(title) }) else {
            return false
        }
        try? type("\(title)x\u{13}")
        return sees("✓ Edited \"\(title)x\"")
    }

    /// Kills the program and starts it again.
    func kill() throws {
        terminal.signal(SIGKILL)
        _ = try? terminal.waitForEnd()
        terminal = try Self.open(number, docket)
        action = nil
        items[title] = TeamItem()
        title = ""
    }

    /// Ends what is open; the window still takes a change and shows it.
    func settle() throws {
        if (try? terminal.waitForEnd(within: .milliseconds(100))) != nil {
            // It began while the server was away.
            terminal = try Self.open(number, docket)
        }
        for _ in 0..<3 { escape() }
        // A connection that was cut may refuse one more save, with a sentence.
        var isAdded = false
        for _ in 0..<3 where !isAdded {
            serial += 1
            title = "w\(number)-\(serial)"
            items[title] = TeamItem()
            try type("a\(title)\r")
            isAdded = sees("✓ Added \"\(title)\"", .seconds(20))
            if !isAdded { for _ in 0..<3 { escape() } }
        }
        #expect(isAdded, "window \(number): \(terminal.screen)")
        items[title] = TeamItem(exists: true, isDone: false, isEdited: false)
    }
}
