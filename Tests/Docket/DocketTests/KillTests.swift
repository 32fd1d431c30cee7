import ChildProcess
import Foundation
import SeededRandom
import Testing

/// `kill -9` at the nth change of the store's folder, for a random n: what a command had
/// acknowledged (by its line of output) is there afterwards, and the store is whole.
///
/// A change is a file that is made, written to or removed: the store, its log, a mark, a line of
/// output. `DOCKET_KILLS` says how many times.
@Suite("Killed at any moment", .serialized)
struct KillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["DOCKET_KILLS"].flatMap { Int($0) } ?? 3

    /// The last change after which a script is killed: some twenty commands make so many.
    private static let changes = 200

    /// Adds, completes and renames items, one command after the other; each line of output is
    /// written by the command itself.
    private static let script = """
        i=$1
        while :; do
            "$docket" add "item $i" >> log || exit 1
            "$docket" done "$i" >> log || exit 1
            "$docket" edit "$i" "title=edited $i" >> log || exit 1
            i=$((i + 1))
        done
        """

    @Test func noAcknowledgedCommandIsLost() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("kill loop: seed \(seed), \(Self.kills) kills")
        var random = SeededRandom(seed: seed)
        let docket = try Docket()
        try docket.write("", to: "log")
        var (acknowledged, lost) = (0, 0)
        for round in 0..<Self.kills {
            let next = (try docket.items().compactMap { $0["id"] as? Int }.max() ?? 0) + 1
            let change = 1 + random.below(Self.changes)
            let place = "seed \(seed), round \(round), change \(change)"
            let changes = try FolderChanges(docket.folder.path)
            let process = try docket.start(
                "/bin/sh",
                ["-c", Self.script, "sh", "\(next)"],
                "loop"
            )
            try changes.wait(for: change, orEndOf: process)
            #expect(process.killGroup() == .signal(SIGKILL), "\(place)")
            let found = try check(docket, place)
            acknowledged = found.count
            lost += found.lost
            try #require(try docket.integrity() == "ok", "\(place)")
            // What a killed process left behind was used, and is gone.
            #expect(try companions(docket) == [], "\(place)")
        }
        print("kill loop: \(acknowledged) acknowledged commands, \(lost) lost")
        print("faults: \(Self.kills) tried, lost: \(lost) (kill loop, seed \(seed))")
        #expect(acknowledged > Self.kills / 4)
    }

    /// Compares the log with the store; returns how many commands the log acknowledges, and of how many
    /// nothing is there.
    private func check(
        _ docket: Docket,
        _ place: String
    ) throws -> (count: Int, lost: Int) {
        let text = String(decoding: try docket.read("log"), as: UTF8.self)
        // A last line without its end was cut off by the kill.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let items = try docket.items()
        var byID: [Int: [String: Any]] = [:]
        for item in items { byID[item["id"] as? Int ?? 0] = item }
        var lost = 0
        for line in lines {
            let number = Int(line.split { !$0.isNumber }.last ?? "") ?? 0
            guard let item = byID[number] else {
                Issue.record("\(place): \(line), but there is no item \(number)")
                lost += 1
                continue
            }
            if line.hasPrefix("Completed") {
                #expect(item["completed"] is String, "\(place): \(line)")
            } else if line.hasPrefix("Edited") {
                #expect(item["title"] as? String == "edited \(number)", "\(place): \(line)")
            } else {
                #expect(line.hasPrefix("\(number) item"), "\(place): \(line)")
            }
        }
        return (lines.count, lost)
    }

    @Test func aKilledImportIsThereAsAWholeOrNotAtAll() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("killed import: seed \(seed)")
        var random = SeededRandom(seed: seed)
        let docket = try Docket()
        let count = SeededRandom.rounds(1000, long: 3000)
        let lines = (0..<count).map { "(A) item \($0) of the import +List\($0 % 7) @tag\($0 % 5)" }
        try docket.write(lines.joined(separator: "\n"), to: "todo.txt")
        func start(_ store: String) throws -> (ChildProcess, FolderChanges) {
            docket.environment["DOCKET_STORE"] = docket.path(store)
            let changes = try FolderChanges(docket.folder.path)
            let process = try docket.start(
                Docket.program,
                ["import", "--format", "todotxt", docket.path("todo.txt")],
                "import"
            )
            return (process, changes)
        }
        // How many changes an import makes that nobody disturbs.
        let (undisturbed, all) = try start("import-all.sqlite")
        let most = try all.wait(for: .max, orEndOf: undisturbed)
        #expect(try docket.outcome(of: undisturbed, "import").code == 0)
        var (whole, lost) = (0, 0)
        for round in 0..<max(4, Self.kills / 5) {
            let name = "import-\(round).sqlite"
            let change = 1 + random.below(most)
            let place = "seed \(seed), change \(change) of \(most)"
            let (process, changes) = try start(name)
            try changes.wait(for: change, orEndOf: process)
            process.signal(SIGKILL)
            let outcome = try docket.outcome(of: process, "import")
            let items = try docket.items()
            #expect(items.isEmpty || items.count == count, "\(place): \(items.count)")
            if outcome.output.hasPrefix("Imported") { #expect(items.count == count, "\(place)") }
            if items.count == count { whole += 1 } else if !items.isEmpty { lost += 1 }
            #expect(try docket.integrity(docket.path(name)) == "ok", "\(place)")
            #expect(try docket("import", "--format", "todotxt", docket.path("todo.txt")).code == 0)
            #expect(try docket.items().count == count)
            _ = try docket.shell("rm -f import-*.sqlite*")
        }
        let rounds = max(4, Self.kills / 5)
        print("killed import: \(whole) of \(rounds) were complete before the kill")
        print("faults: \(rounds) tried, lost: \(lost) (killed import, seed \(seed))")
    }

    // MARK: Several at once

    private func companions(_ docket: Docket) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: docket.folder.path)
            .filter { $0.hasPrefix("docket.sqlite") && $0 != "docket.sqlite" }
            // Backups from before imports stay.
            .filter { $0 != "docket.sqlite-backups" }
    }

    private static let importing = """
        i=$1
        while :; do
            n=0
            while [ $n -lt 1500 ]; do echo "import-$i part $n"; n=$((n + 1)); done > import.txt
            "$docket" import --format todotxt import.txt > part-import || exit 1
            echo "import-$i" >> log-import || exit 1
            i=$((i + 1))
        done
        """

    /// Four processes of commands and one of imports.
    ///
    /// One of them is killed and started again when all together have made some changes; twice
    /// `DOCKET_KILLS` times.
    @Test func nothingOfSeveralProcessesIsLost() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("several processes: seed \(seed), \(2 * Self.kills) kills")
        var random = SeededRandom(seed: seed)
        let docket = try Docket()
        let names = ["a", "b", "c", "d", "import"]
        for name in names { try docket.write("", to: "log-\(name)") }
        var serial = 0
        func start(_ name: String) throws -> ChildProcess {
            serial += 1
            let first = "\(serial * 1000)"
            return name == "import"
                ? try docket.start("/bin/sh", ["-c", Self.importing, "sh", first], name)
                : try docket.start("/bin/sh", ["-c", ShellScripts.edits, "sh", name, first], name)
        }
        var running = try names.map { try start($0) }
        for kill in 0..<2 * Self.kills {
            let change = 1 + random.below(Self.changes)
            let index = random.below(names.count)
            let place = "seed \(seed), kill \(kill), change \(change)"
            try FolderChanges(docket.folder.path).wait(for: change, orEndOf: running[index])
            let end = running[index].killGroup()
            let errors = String(decoding: try docket.read("\(names[index]).err"), as: UTF8.self)
            #expect(end == .signal(SIGKILL), "\(place): \(names[index]): \(errors)")
            running[index] = try start(names[index])
        }
        for process in running { process.killGroup() }
        let left = try companions(docket)
        let first = try docket("list")
        let told = first.errors.replacing(Self.cutOff, with: "")
        #expect(first.code == 0 && told.isEmpty, "seed \(seed): \(first.errors)")
        #expect(try companions(docket) == [], "seed \(seed): before the last command \(left)")
        #expect(try docket.integrity() == "ok", "seed \(seed)")
        let (acknowledged, lost) = try expectAllAcknowledged(docket, "seed \(seed)")
        print("several processes: \(acknowledged) acknowledged commands, \(lost) lost")
        print("faults: \(2 * Self.kills) tried, lost: \(lost) (several processes, seed \(seed))")
        #expect(acknowledged > 0)
    }

    /// An import in parts may have been interrupted; that is reported, and completed by another import.
    private static let cutOff =
        "docket: An import was interrupted. Import the same file again to complete it, or undo it "
        + "with `docket undo`.\n"

    private func expectAllAcknowledged(_ docket: Docket, _ place: String) throws -> (Int, lost: Int)
    {
        var titles: [Int: String] = [:]
        var done: Set<Int> = []
        var imported: [Substring: Int] = [:]
        for item in try docket.items() {
            let (id, title) = (item["id"] as? Int ?? 0, item["title"] as? String ?? "")
            titles[id] = title
            if item["completed"] is String { done.insert(id) }
            if title.hasPrefix("import-") { imported[title.prefix { $0 != " " }, default: 0] += 1 }
        }
        var (count, lost) = (0, 0)
        func expect(_ isThere: Bool, _ problem: String) {
            if isThere { return }
            lost += 1
            Issue.record("\(place): \(problem)")
        }
        for name in ["a", "b", "c", "d"] {
            let text = String(decoding: try docket.read("log-\(name)"), as: UTF8.self)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                let words = line.split(separator: " ")
                count += 1
                switch words.first {
                case "done": expect(done.contains(Int(words[1]) ?? 0), "\(line)")
                case "edited":
                    let title = titles[Int(words[1]) ?? 0] ?? ""
                    expect(title.hasSuffix(" edited"), "\(line), but \(title)")
                default:
                    let title = titles[Int(words.first ?? "") ?? 0] ?? ""
                    expect(title.hasPrefix(words.last ?? "?"), "\(line), but \(title)")
                }
            }
        }
        for name in String(decoding: try docket.read("log-import"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        {
            count += 1
            expect(imported[name] == 1500, "\(name)")
        }
        #expect(imported.values.allSatisfy { $0 == 1500 }, "\(place): \(imported)")
        return (count, lost)
    }
}
