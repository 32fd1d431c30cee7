import Foundation

/// Libraries of unusual shapes, beside one of as many items in fifty lists: what a shape costs.
struct ShapeBenchmarks {
    let program: String
    let folder: URL
    let table: Table

    /// A shape's items, as the fields of their JSON beside `uuid`, `kind` and `title`.
    private typealias Fields = @Sendable (Int) -> String

    private static let shapes: [(name: String, count: Int, fields: Fields)] = [
        ("10,000 lists", 20_000, { #""list":"list \#($0 / 2)""# }),
        ("10,000 tags", 20_000, { #""tags":["tag\#($0 / 2)"]"# }),
        ("one list of 100,000", 100_000, { _ in #""list":"all""# }),
        ("10,000 subtasks of one task", 10_001, { $0 == 0 ? "" : #""parent":"\#(uuid(0))""# }),
        (
            "10,000 blockers of one task", 10_001,
            {
                let all = (0..<10_000).map { "\"\(uuid($0))\"" }.joined(separator: ",")
                return $0 == 10_000 ? #""depends":[\#(all)]"# : ""
            }
        ),
        (
            "a note of 10 MB", 1_000,
            { $0 == 0 ? #""notes":"\#(String(repeating: "garden seeds ", count: 800_000))""# : "" }
        ),
    ]

    private static func uuid(_ number: Int) -> String {
        String(format: "%08x-0000-4000-8000-%012x", number + 1, number + 1)
    }

    func run() throws {
        var references: [Int: [String: Double]] = [:]
        for (name, count, fields) in Self.shapes {
            if references[count] == nil {
                references[count] = try measure("even-\(count)", count) {
                    #""list":"list \#($0 % 50)""#
                }
            }
            let measured = try measure("shape", count, fields)
            for work in measured.keys.sorted() {
                let reference = references[count]?[work].map { ("even", $0) }
                table.time("\(work); \(name)", count, measured[work] ?? .nan, against: reference)
            }
        }
        try longHistory()
    }

    /// Seconds that commands and keys take in a library of a shape.
    private func measure(_ name: String, _ count: Int, _ fields: Fields) throws -> [String: Double]
    {
        let store = folder.appending(path: "\(name).sqlite")
        let file = folder.appending(path: "\(name).json")
        defer { for end in ["", "-wal", "-shm"] { unlink(store.path + end) } }
        defer { unlink(file.path) }
        let lines = (0..<count).map { number in
            let more = fields(number)
            return
                #"{"uuid":"\#(Self.uuid(number))","kind":"task","title":"garden plan \#(number)""#
                + (more.isEmpty ? "}" : ",\(more)}")
        }
        try ("[" + lines.joined(separator: ",\n") + "]\n")
            .write(to: file, atomically: true, encoding: .utf8)
        let docket = docket(store)
        _ = docket.run(["import", file.path])
        return times(docket)
    }

    private func docket(_ store: URL) -> Program {
        Program(
            path: program,
            environment: [
                "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(folder.path)", "TERM=xterm-256color",
                "LC_ALL=C.UTF-8", "TZ=UTC", "DOCKET_STORE=\(store.path)",
            ]
        )
    }

    private func times(_ docket: Program) -> [String: Double] {
        var times = [
            "list --limit 40": median(5) { docket.time("list", "--limit", "40") },
            "add": median(5) { docket.time("add", "Pay rent tomorrow +Home #bank") },
            "undo": median(5) { docket.time("undo") },
            "show 1": median(5) { docket.time("show", "1") },
        ]
        var number = 100
        times["done"] = median(5) {
            number += 1
            return docket.time("done", "\(number)")
        }
        times["launch → first full frame"] = median(3) {
            let screen = Screen(docket)
            return (screen.frame(within: 20_000) ?? .nan) - screen.start
        }
        let screen = Screen(docket)
        screen.settle(quiet: 800, within: 20_000)
        let keys = (0..<30).map { screen.key($0 % 3 == 2 ? "k" : "j") }
        times["key → last byte of the frame, p95"] = percentile(keys, 0.95)
        let steps = [" ", "u", " ", "u"].map { screen.firstByte(of: $0) }
        times["done, undo → first byte"] = percentile(steps, 0.5)
        return times
    }

    /// Commands after a million steps of history, beside the same library after a thousand.
    private func longHistory() throws {
        let store = folder.appending(path: "history.sqlite")
        defer { for end in ["", "-wal", "-shm"] { unlink(store.path + end) } }
        for end in ["", "-wal", "-shm"] { unlink(store.path + end) }
        let docket = docket(store)
        for number in 0..<200 { _ = docket.run(["add", "task \(number)"]) }
        _ = docket.run(["edit", "1", "title=another title"])
        var reference: [String: Double] = [:]
        for steps in [1_000, 1_000_000] {
            addHistory(to: store, steps)
            // The pages that another program wrote have no checksums yet.
            _ = docket.run(["doctor", "--repair", "--accept-pages"])
            let measured = times(docket)
            for work in measured.keys.sorted() where steps > 1_000 {
                table.time(
                    "\(work); a history of 1,000,000 steps",
                    steps,
                    measured[work] ?? .nan,
                    against: reference[work].map { ("1,000 steps", $0) }
                )
            }
            reference = measured
        }
    }

    /// Adds so many steps to a store's history, each of which sets a property of the first item.
    private func addHistory(to store: URL, _ steps: Int) {
        guard let sqlite = Program.installed("sqlite3", environment: [], options: []) else {
            fatalError("sqlite3 is not installed")
        }
        _ = sqlite.run([
            store.path,
            """
            BEGIN;
            CREATE TEMP TABLE last AS SELECT max(number) AS step, max(first + count) AS change
                FROM OG_TRANSACTION;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(steps))
            INSERT INTO OG_TRANSACTION SELECT step + i, 817399512, 'shell', '', 1, 0, 'Renamed', step + i,
                NULL, 0, step + i, change + i - 1, 1 FROM n, last;
            INSERT INTO OG_CHANGE SELECT first, (SELECT ent FROM OG_CHANGE LIMIT 1), 1, 1, 1,
                (SELECT data FROM OG_CHANGE WHERE kind = 1 ORDER BY id DESC LIMIT 1)
                FROM OG_TRANSACTION, last WHERE number > step;
            COMMIT
            """,
        ])
    }
}
