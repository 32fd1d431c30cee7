import CSQLite
import ChildProcess
import Foundation
import Testing

@Suite("docket inspect")
struct InspectCommandTests {
    private func object(_ outcome: Docket.Outcome) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: outcome.bytes) as? [String: Any],
            "\(outcome.errors)"
        )
    }

    private func entity(_ name: String, _ object: [String: Any]) throws -> [String: Any] {
        let entities = try #require(object["entities"] as? [[String: Any]])
        return try #require(entities.first { $0["name"] as? String == name })
    }

    private func lines(_ outcome: Docket.Outcome) throws -> [[String: Any]] {
        try outcome.lines.map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
        }
    }

    /// The names and the times of all files in the folder of the store.
    private func state(_ docket: Docket) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: docket.folder.path)
            .filter { !$0.hasPrefix("run-") }.sorted().map { name in
                let facts = try FileManager.default.attributesOfItem(atPath: docket.path(name))
                let time = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
                return "\(name) \(facts[.size] ?? 0) \(time ?? 0)"
            }
    }

    @Test func docketsOwnStoreIsDescribedAndLeftAsItIs() throws {
        let docket = try Docket()
        try docket("add", "Pay the rent +Home #bank")
        try docket("add", "--note", "Idea")
        let before = try state(docket)
        let outcome = try docket("inspect", docket.store, "--json")
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        let found = try object(outcome)
        #expect(found["type"] as? String == "SQLite")
        #expect(UUID(uuidString: found["uuid"] as? String ?? "") != nil)
        #expect(found["versionIdentifiers"] is [String])
        #expect(found["model"] as? String == "archive")
        let hashes = try #require(found["hashes"] as? [String: String])
        #expect(hashes["Task"]?.count == 64)
        let task = try entity("Task", found)
        #expect(task["super"] as? String == "Item" && task["rows"] as? Int == 1)
        #expect(task["id"] is Int)
        #expect(try entity("Item", found)["rows"] as? Int == 0)
        #expect(try entity("Item", found)["super"] is NSNull)
        let attributes = try #require(task["attributes"] as? [[String: Any]])
        let title = try #require(attributes.first { $0["name"] as? String == "title" })
        #expect(title["type"] as? String == "String" && title["inherited"] as? Bool == true)
        let relationships = try #require(task["relationships"] as? [[String: Any]])
        let tags = try #require(relationships.first { $0["name"] as? String == "tags" })
        #expect(tags["destination"] as? String == "Tag" && tags["toMany"] as? Bool == true)
        #expect(tags["inverse"] is String)
        let text = try docket("inspect", docket.store)
        #expect(text.output.contains("Task") && text.output.contains("UUID"))
        #expect(try state(docket) == before)
    }

    @Test func rowsAreJSONLines() throws {
        let docket = try Docket()
        try docket("add", "Pay the rent tomorrow +Home #bank #out")
        try docket("add", "Second \u{1b}[31m task")
        let outcome = try docket("inspect", docket.store, "--rows", "Task")
        let rows = try lines(outcome)
        #expect(rows.map { $0["title"] as? String ?? "" } == (try docket.titles()))
        let uuid = try #require(
            try object(docket("inspect", docket.store, "--json"))["uuid"] as? String
        )
        #expect(rows[0]["objectID"] as? String == "x-coredata://\(uuid)/Task/p1")
        #expect(rows[0]["entity"] as? String == "Task")
        #expect((rows[0]["created"] as? String)?.hasSuffix("Z") == true)
        #expect(UUID(uuidString: rows[0]["uuid"] as? String ?? "") != nil)
        #expect((rows[0]["list"] as? String)?.hasPrefix("x-coredata://\(uuid)/List/p") == true)
        let tags = try #require(rows[0]["tags"] as? [String: Any])
        #expect(tags["count"] as? Int == 2)
        #expect((tags["ids"] as? [String])?.count == 2)
        #expect(rows[1]["list"] is NSNull)
        #expect(
            try lines(docket("inspect", docket.store, "--rows", "Task", "--limit", "1")).count == 1
        )
        #expect(try docket("inspect", docket.store, "--rows", "Task", "--limit", "0").bytes.isEmpty)
        #expect(try docket("inspect", docket.store, "--rows", "Item").bytes.isEmpty)
        let all = try docket("inspect", docket.store, "--rows", "Item", "--subentities")
        #expect(all.lines.count == 2)
    }

    @Test func anUnknownEntityNamesTheKnownOnes() throws {
        let docket = try Docket()
        try docket("add", "x")
        let outcome = try docket("inspect", docket.store, "--rows", "Tusk")
        #expect(outcome.code == 1 && outcome.bytes.isEmpty)
        #expect(outcome.errors.contains("no entity \"Tusk\"") && outcome.errors.contains("Task"))
    }

    @Test func whatIsNoStoreIsRefusedInOneSentence() throws {
        let docket = try Docket()
        try docket.write("hello", to: "letter.txt")
        try docket.write(String(repeating: "hello ", count: 500), to: "long.txt")
        try docket.write("", to: "empty")
        let name = "bad\u{1b}[31m\nname"
        try docket.write(String(repeating: "x", count: 4000), to: name)
        for path in [
            docket.path("letter.txt"), docket.path("long.txt"), docket.path("empty"),
            docket.path("absent"), docket.folder.path, docket.path("no/such"), docket.path(name),
            "/dev/null",
        ] {
            let outcome = try docket("inspect", path)
            #expect(outcome.code == 2, "\(path): \(outcome.errors)")
            #expect(outcome.bytes.isEmpty)
            #expect(outcome.errors.hasPrefix("docket: "))
            #expect(!outcome.errors.contains("\u{1b}"))
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: docket.folder.path)
        #expect(!files.contains("absent"))
    }

    @Test func wrongArgumentsAreRefused() throws {
        let docket = try Docket()
        try docket("add", "x")
        for arguments in [
            ["--limit", "3"], ["--limit", "-1", "--rows", "Task"], ["--rows", ""], ["--model", ""],
            ["--subentities"], ["--browse", "--json"], ["--browse", "--rows", "Task"],
        ] {
            let words = ["inspect", docket.store] + arguments
            let outcome = try docket.run(words)
            #expect(outcome.code == 64, "\(arguments)")
        }
        #expect(try docket("inspect").code == 64)
        let missing = try docket("inspect", docket.store, "--model", docket.path("no.xcdatamodeld"))
        #expect(missing.code != 0 && missing.errors.contains("does not exist"))
        let wrong = try docket("inspect", docket.store, "--model", docket.store)
        #expect(wrong.code != 0 && !wrong.errors.isEmpty)
    }

    @Test func aModelIsTakenFromAPackage() throws {
        let docket = try Docket()
        try docket("add", "x")
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let package = root.appending(path: "Resources/Docket.xcdatamodeld").path
        let found = try object(
            docket("inspect", docket.store, "--json", "--model", package)
        )
        #expect(found["model"] as? String == "given")
        #expect(try entity("Task", found)["rows"] as? Int == 1)
    }

    @Test func aHundredThousandRowsAreStreamedInLittleMemory() throws {
        let docket = try Docket()
        try docket("add", "x")
        let database = try RawStore(docket.store)
        try database.run(
            "WITH RECURSIVE n(k) AS (SELECT 1000 UNION ALL SELECT k + 1 FROM n WHERE k < 100999)"
                + " INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME)"
                + " SELECT k, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'), 1,"
                + " 'tag ' || k FROM n"
        )
        database.close()
        // The address space is bounded, so that growth with the rows fails.
        let script = "ulimit -v 400000; \"$docket\" inspect \"$1\" --rows Tag | wc -l"
        let outcome = try docket.shell(
            script.replacing("\"$1\"", with: "\"\(docket.store)\"")
        )
        #expect(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines) == "100000")
        // A reader that stops early is no error.
        let head = try docket.shell(
            "\"$docket\" inspect \"\(docket.store)\" --rows Tag | head -1 | wc -l"
        )
        #expect(head.output.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
        #expect(head.errors.isEmpty)
    }

    @Test func aStoreIsReadWhileAnotherProcessWrites() throws {
        let docket = try Docket()
        for number in 0..<5 { try docket("add", "task \(number)") }
        let writer = try docket.start(
            "/bin/sh",
            ["-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do \"$docket\" add more $i; done"],
            "writer"
        )
        var counts: [Int] = []
        for _ in 0..<12 {
            let outcome = try docket("inspect", docket.store, "--rows", "Task")
            #expect(outcome.code == 0, "\(outcome.errors)")
            counts.append(try lines(outcome).count)
        }
        let end = try docket.outcome(of: writer, "writer")
        #expect(end.code == 0, "\(end.errors)")
        #expect(counts == counts.sorted())
        #expect(try lines(docket("inspect", docket.store, "--rows", "Task")).count == 17)
    }
}

/// A plain connection to a store's file.
private final class RawStore {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
        try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    }

    func run(_ sql: String) throws {
        try #require(
            sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK,
            "\(String(cString: sqlite3_errmsg(handle)))"
        )
    }

    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    deinit { close() }
}
