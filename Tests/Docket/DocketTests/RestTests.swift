import ChildProcess
import Foundation
import SeededRandom
import Testing
import VirtualTerminal

/// The store is one file between commands, and a copy of it is the whole store.
///
/// `DOCKET_COPIES` says how many copies are made.
@Suite("One file at rest", .serialized)
struct RestTests {
    private static let copies =
        ProcessInfo.processInfo.environment["DOCKET_COPIES"].flatMap { Int($0) } ?? 12

    /// The files beside the store's, those of the tests' own processes left out.
    private func companions(_ docket: Docket) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: docket.folder.path)
            .filter { $0.hasPrefix("docket.sqlite") && $0 != "docket.sqlite" }
            // Backups from before imports stay.
            .filter { $0 != "docket.sqlite-backups" }
    }

    /// One random command; what is expected afterwards is kept in `titles`.
    private func step(
        _ docket: Docket,
        _ random: inout SeededRandom,
        _ titles: inout [Int: String]
    )
        throws
    {
        let known = titles.keys.sorted()
        if known.isEmpty || random.below(3) > 0 {
            let title = "item \(random.below(1_000_000))"
            let outcome = try docket("add", title)
            let number = try #require(Int(outcome.output.prefix { $0.isNumber }))
            titles[number] = title
        } else {
            let number = random.pick(known)
            let title = "edited \(random.below(1_000_000))"
            #expect(try docket("edit", "\(number)", "title=\(title)").code == 0)
            titles[number] = title
        }
    }

    private func expectCopy(_ docket: Docket, _ titles: [Int: String], _ place: String) throws {
        let copy = docket.path("copy.sqlite")
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: docket.store, toPath: copy)
        let outcome = try docket("--store", copy, "list", "--all", "--json")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(place): \(outcome.errors)")
        let items = try docket.items(["--store", copy, "list", "--all", "--json"])
        var found: [Int: String] = [:]
        for item in items { found[item["id"] as? Int ?? 0] = item["title"] as? String }
        #expect(found == titles, "\(place)")
        #expect(try docket.integrity(copy) == "ok", "\(place)")
    }

    @Test func aCopyBetweenCommandsHoldsAllThatWasAcknowledged() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("copies: seed \(seed), \(Self.copies) copies")
        var random = SeededRandom(seed: seed)
        let docket = try Docket()
        var titles: [Int: String] = [:]
        for round in 0..<Self.copies {
            for _ in 0...random.below(4) { try step(docket, &random, &titles) }
            #expect(try companions(docket) == [], "seed \(seed), round \(round)")
            try expectCopy(docket, titles, "seed \(seed), round \(round)")
        }
    }

    /// Waits until the window has brought the log into the file.
    private func waitForQuiet(_ terminal: VirtualTerminal, _ docket: Docket) throws {
        try terminal.wait(for: "a quiet moment") {
            let log = try? FileManager.default.attributesOfItem(atPath: docket.store + "-wal")
            return (log?[.size] as? Int) == 0
        }
    }

    @Test func aCopyHoldsItAlsoWhileTheInterfaceIsOpen() throws {
        let docket = try Docket()
        try #require(try docket("add", "first").code == 0)
        let terminal = try VirtualTerminal(
            Docket.program,
            environment: docket.environment,
            rows: 24,
            columns: 100
        )
        try terminal.wait(forText: "first")
        var random = SeededRandom(seed: 4)
        var titles = [1: "first"]
        for round in 0..<max(3, Self.copies / 4) {
            try step(docket, &random, &titles)
            // The window may read at the command's end, and so keep what it wrote in the log.
            try waitForQuiet(terminal, docket)
            try expectCopy(docket, titles, "round \(round)")
        }
        try terminal.type("aby hand\r")
        try terminal.wait(forText: "Added \"by hand\"")
        titles[(titles.keys.max() ?? 0) + 1] = "by hand"
        try waitForQuiet(terminal, docket)
        try expectCopy(docket, titles, "after the interface's own")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(try companions(docket) == [])
    }

    @Test func everyCommandLeavesOneFile() throws {
        let docket = try Docket()
        try docket.write("Buy tea\nBuy milk\n", to: "todo.txt")
        for arguments in [
            ["add", "a"], ["list"], ["show", "1"], ["done", "1"], ["undone", "1"],
            ["edit", "1", "title=b"], ["search", "b"], ["trash", "1"], ["restore", "1"],
            ["undo"], ["redo"], ["undo", "--preview"], ["history"], ["export"],
            ["import", "--format", "todotxt", docket.path("todo.txt")], ["show", "99"],
            ["edit", "1", "due=nonsense"], ["history", "--trim", "--steps", "1"],
            ["--export", "json"],
        ] {
            let process = try docket.start(Docket.program, arguments, "run")
            _ = try docket.outcome(of: process, "run")
            #expect(try companions(docket) == [], "\(arguments)")
        }
    }

    @Test func aStoreThatWasReplacedWhileItIsOpenIsToldByTheInterface() throws {
        let docket = try Docket()
        try #require(try docket("add", "old one").code == 0)
        try FileManager.default.copyItem(atPath: docket.store, toPath: docket.path("backup"))
        try #require(try docket("add", "newer one").code == 0)
        let terminal = try VirtualTerminal(
            Docket.program,
            environment: docket.environment,
            rows: 24,
            columns: 100
        )
        try terminal.wait(forText: "newer one")
        #expect(try docket.shell("cp backup docket.sqlite").code == 0)
        try terminal.wait(forText: "Store lost")
        // Nobody writes until that window has let go of the file.
        try terminal.type("\r")
        try terminal.wait(forText: "Opened the store again")
        #expect(terminal.screen.contains { $0.contains("old one") })
        #expect(!terminal.screen.contains { $0.contains("newer one") })
        try terminal.type("aafter it\r")
        try terminal.wait(forText: "Added \"after it\"")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(try docket.titles() == ["old one", "after it"])
        #expect(try docket.integrity() == "ok")
    }

    @Test func aLogOfAnotherFileIsSetAsideWithASentence() throws {
        let docket = try Docket()
        try #require(try docket("add", "kept").code == 0)
        try FileManager.default.copyItem(atPath: docket.store, toPath: docket.path("backup"))
        let terminal = try VirtualTerminal(
            Docket.program,
            environment: docket.environment,
            rows: 24,
            columns: 100
        )
        try terminal.wait(forText: "kept")
        try terminal.type("agone\r")
        try terminal.wait(forText: "Added \"gone\"")
        terminal.signal(SIGKILL)
        #expect(try terminal.waitForEnd() == -Int(SIGKILL))
        // A file system may count its times in some milliseconds.
        #expect(
            try docket.shell(
                "until touch now && [ now -nt docket.sqlite-wal ]; do :; done;"
                    + " cp backup docket.sqlite"
            ).code == 0
        )
        let outcome = try docket("list")
        #expect(outcome.code == 0)
        #expect(outcome.lines.count == 1 && outcome.output.contains("kept"), "\(outcome.output)")
        #expect(outcome.errors.contains("was not written for this file"), "\(outcome.errors)")
        #expect(try docket("list").errors.isEmpty)
    }

    /// The threads of the concurrency pool would be woken every second for as long as the program runs.
    @Test func aWindowHasNoThreadThatIsWokenWhileNothingHappens() throws {
        let docket = try Docket()
        try #require(try docket("add", "kept").code == 0)
        let terminal = try VirtualTerminal(
            Docket.program,
            environment: docket.environment,
            rows: 24,
            columns: 100
        )
        try terminal.wait(forText: "kept")
        let threads = "/proc/\(terminal.process)/task"
        let names = try FileManager.default.contentsOfDirectory(atPath: threads).map {
            try String(contentsOfFile: "\(threads)/\($0)/comm", encoding: .utf8)
        }
        #expect(names.contains("document\n"))
        #expect(!names.contains { $0.contains("qos") }, "\(names)")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    /// A mark beside the store as that process would have made it.
    private func mark(_ docket: Docket, of process: Int32) throws {
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
        let folder = docket.store + "-work"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        try Data().write(to: URL(filePath: "\(folder)/\(process)-\(fields[19])-1.fold"))
    }

    @Test func whatAKilledProcessLeftIsRemovedAlthoughNobodyAskedHowItEnded() throws {
        let docket = try Docket()
        try docket("add", "one")
        let process = try docket.start("/bin/sh", ["-c", "exit 0"], "ended")
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(process.identifier), &information, WEXITED | WNOWAIT) == 0)
        try mark(docket, of: process.identifier)
        #expect(try docket("list").code == 0)
        #expect(!FileManager.default.fileExists(atPath: docket.store + "-work"))
        process.wait()
        // That of a process which is at work stays.
        try mark(docket, of: getpid())
        #expect(try docket("list").code == 0)
        #expect(FileManager.default.fileExists(atPath: docket.store + "-work"))
    }
}
