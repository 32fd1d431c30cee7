import ChildProcess
import Foundation
import SeededRandom
import Testing

/// `kill -9` at random moments of a running script: what a command had acknowledged (by its line of
/// output) is there afterwards, and the store is whole.
///
/// `DOCKET_KILLS` says how many times.
@Suite("Killed at any moment", .serialized)
struct KillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["DOCKET_KILLS"].flatMap { Int($0) } ?? 10

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
        var acknowledged = 0
        for round in 0..<Self.kills {
            let next = (try docket.items().compactMap { $0["id"] as? Int }.max() ?? 0) + 1
            let process = try docket.start(
                "/bin/sh",
                ["-c", Self.script, "sh", "\(next)"],
                "loop"
            )
            // A pause of random length is the point of this test.
            usleep(UInt32(random.below(600_000)))
            process.signalGroup(SIGKILL)
            #expect(process.wait() == .signal(SIGKILL), "seed \(seed), round \(round)")
            acknowledged = try check(docket, "seed \(seed), round \(round)")
            try #require(try docket.integrity() == "ok", "seed \(seed), round \(round)")
        }
        print("kill loop: \(acknowledged) acknowledged commands, none lost")
        #expect(acknowledged > Self.kills / 4)
    }

    /// Compares the log with the store; returns how many commands the log acknowledges.
    private func check(_ docket: Docket, _ place: String) throws -> Int {
        let text = String(decoding: try docket.read("log"), as: UTF8.self)
        // A last line without its end was cut off by the kill.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let items = try docket.items()
        var byID: [Int: [String: Any]] = [:]
        for item in items { byID[item["id"] as? Int ?? 0] = item }
        for line in lines {
            let number = Int(line.split(separator: " ").last ?? "") ?? 0
            guard let item = byID[number] else {
                Issue.record("\(place): \(line), but there is no item \(number)")
                continue
            }
            if line.hasPrefix("Completed") {
                #expect(item["completed"] is String, "\(place): \(line)")
            } else if line.hasPrefix("Changed") {
                #expect(item["title"] as? String == "edited \(number)", "\(place): \(line)")
            } else {
                #expect(line.hasPrefix("\(number) item"), "\(place): \(line)")
            }
        }
        return lines.count
    }

    @Test func aKilledImportIsThereAsAWholeOrNotAtAll() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("killed import: seed \(seed)")
        var random = SeededRandom(seed: seed)
        let docket = try Docket()
        let count = 3000
        let lines = (0..<count).map { "(A) item \($0) of the import +List\($0 % 7) @tag\($0 % 5)" }
        try docket.write(lines.joined(separator: "\n"), to: "todo.txt")
        var whole = 0
        for round in 0..<max(4, Self.kills / 5) {
            let name = "import-\(round).sqlite"
            docket.environment["DOCKET_STORE"] = docket.path(name)
            let process = try docket.start(
                Docket.program,
                ["import", "--format", "todotxt", docket.path("todo.txt")],
                "import"
            )
            usleep(UInt32(random.below(3_000_000)))
            process.signal(SIGKILL)
            let outcome = try docket.outcome(of: process, "import")
            let items = try docket.items()
            #expect(items.isEmpty || items.count == count, "seed \(seed): \(items.count)")
            if outcome.output.hasPrefix("Imported") { #expect(items.count == count) }
            if items.count == count { whole += 1 }
            #expect(try docket.integrity(docket.path(name)) == "ok", "seed \(seed)")
            #expect(try docket("import", "--format", "todotxt", docket.path("todo.txt")).code == 0)
            #expect(try docket.items().count == count)
            _ = try docket.shell("rm -f import-*.sqlite*")
        }
        print("killed import: \(whole) of \(max(4, Self.kills / 5)) were complete before the kill")
    }
}
