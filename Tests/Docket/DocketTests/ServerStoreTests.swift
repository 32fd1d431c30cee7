import ChildProcess
import Foundation
import PostgreSQLAtHand
import Testing
import VirtualTerminal

/// Docket on a library in a PostgreSQL database.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct ServerStoreTests {
    /// A program with a library in a schema of its own, which goes with it.
    private final class Team {
        let server: PostgreSQLAtHand
        let schema = "docket-\(UUID().uuidString.prefix(8).lowercased())"
        let docket: Docket

        init() throws {
            server = try #require(PostgreSQLAtHand.shared)
            docket = try Docket()
            docket.environment["DOCKET_STORE"] = server.url(schema).absoluteString
        }

        deinit {
            server.drop(schema)
            for role in roles {
                _ = try? server.execute("DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"")
            }
        }

        private var roles: [String] = []

        /// The library's address for somebody with rights on its tables, or with all.
        func address(of name: String, rights: String? = nil) throws -> String {
            let role = "\(name)-\(schema)"
            try server.execute("CREATE ROLE \"\(role)\" LOGIN")
            roles.append(role)
            if let rights {
                try server.execute(
                    "GRANT USAGE ON SCHEMA \"\(schema)\" TO \"\(role)\";"
                        + " GRANT \(rights) ON ALL TABLES IN SCHEMA \"\(schema)\" TO \"\(role)\""
                )
            } else {
                try server.execute("ALTER ROLE \"\(role)\" SUPERUSER")
            }
            return server.url(schema).absoluteString.replacing("//tests@", with: "//\(role)@")
        }
    }

    @Test func commandsWorkOnADatabase() throws {
        let team = try Team()
        let docket = team.docket
        #expect(try docket("add", "Pay the rent due:2030-01-01 #home").code == 0)
        #expect(try docket("add", "Grüße schreiben").code == 0)
        let list = try docket("list")
        #expect(list.output.contains("Pay the rent") && list.output.contains("Grüße schreiben"))
        #expect(try docket("search", "GRUSSE").output.contains("Grüße"))
        #expect(try docket("done", "1").code == 0)
        #expect(try !docket("list").output.contains("Pay the rent"))
        #expect(try docket("undo").code == 0)
        #expect(try docket("list").output.contains("Pay the rent"))
        #expect(try docket("history").lines.count >= 3)
        #expect(try docket("export", "--format", "json").output.contains("Pay the rent"))
        let doctor = try docket("doctor")
        #expect(doctor.code != 0 && doctor.errors.contains("file of a store only"))
        let sync = try docket("sync")
        #expect(sync.code != 0 && sync.errors.contains("in a database is not synchronized"))
    }

    @Test func aLibraryIsCopiedToADatabaseAndBack() throws {
        let team = try Team()
        let docket = team.docket
        let address = try #require(docket.environment["DOCKET_STORE"])
        docket.environment["DOCKET_STORE"] = docket.store
        for title in ["one", "two", "three"] { #expect(try docket("add", title).code == 0) }
        let before = try docket("list").output
        let copied = try docket("store", "copy", docket.store, address)
        #expect(copied.code == 0, "\(copied)")
        #expect(try docket("--store", address, "list").output == before)
        #expect(try docket("store", "copy", docket.store, address).code != 0)
        let back = docket.path("back.sqlite")
        #expect(try docket("store", "copy", address, back).code == 0)
        #expect(try docket("--store", back, "list").output == before)
        // The history comes along, and undo goes on in each copy; on the server the steps of a file
        // are those of who has copied it.
        let history = try docket("history").output
        #expect(history.contains("three"))
        for copy in [address, back] {
            let copied = try docket("--store", copy, "history").output
            #expect(copied == history.replacing("(shell)", with: "(tests)"))
            #expect(try docket("--store", copy, "undo").output.contains("three"))
        }
        #expect(try docket("undo").output.contains("three"))
        #expect(try docket("--store", back, "list").output == docket("list").output)
    }

    @Test func eachUndoesTheirOwnStepsAndSeesWhoseTheOthersAre() throws {
        let team = try Team()
        let docket = team.docket
        let (anna, ben) = (try team.address(of: "anna"), try team.address(of: "ben"))
        #expect(try docket("--store", anna, "add", "Apples").code == 0)
        #expect(try docket("--store", ben, "add", "Bread").code == 0)
        #expect(try docket("--store", anna, "undo").output.contains("Apples"))
        #expect(try docket("--store", anna, "undo").code == 3)
        let list = try docket("--store", ben, "list").output
        #expect(list.contains("Bread") && !list.contains("Apples"))
        let history = try docket("--store", anna, "history").lines
        #expect(history.contains { $0.hasPrefix("redo") && $0.contains("Apples") })
        let others = try #require(history.first { $0.contains("Bread") })
        #expect(!others.hasPrefix("undo") && others.contains("(ben-"), "\(others)")
        #expect(try docket("--store", ben, "add", "Butter").code == 0)
        #expect(try docket("--store", anna, "redo").output.contains("Apples"))
        let terminal = try VirtualTerminal(
            Docket.program,
            arguments: ["--store", anna],
            environment: docket.environment.merging(["COLORFGBG": "15;0"]) { $1 },
            rows: 24,
            columns: 100
        )
        try terminal.wait(forText: "Butter")
        try terminal.type("U")
        try terminal.wait(forText: "ben-")
        try terminal.type("q")
        try terminal.type("q")
    }

    /// A window with the form of the only task, in which a new title was typed.
    private func form(_ docket: Docket, title: String) throws -> VirtualTerminal {
        let terminal = try VirtualTerminal(
            Docket.program,
            arguments: [],
            environment: docket.environment.merging(["COLORFGBG": "15;0"]) { $1 },
            rows: 24,
            columns: 90
        )
        try terminal.wait(forText: "Mine")
        try terminal.type("e")
        try terminal.wait(forText: "Edit Task")
        try terminal.type(title)
        return terminal
    }

    /// The server crashes, and the schema goes, under an open form: a sentence says so, what was typed
    /// stays, and saving goes on when they are back.
    @Test func aFormOutlivesACrashOfTheServerAndALostSchema() throws {
        let server = try PostgreSQLAtHand()
        defer { server.remove() }
        let docket = try Docket()
        docket.environment["DOCKET_STORE"] = server.url("lost").absoluteString
        #expect(try docket("add", "Mine").code == 0)
        let terminal = try form(docket, title: "First")
        try server.stop(crashing: true)
        try terminal.type("\u{13}")
        try terminal.wait(forText: "cannot be reached")
        try server.start()
        try terminal.type("\u{13}")
        try terminal.wait(forText: "Edited \"First\"")
        try terminal.type("e")
        try terminal.wait(forText: "Edit Task")
        try terminal.type("Second")
        try server.execute("ALTER SCHEMA lost RENAME TO elsewhere")
        try terminal.type("\u{13}")
        try terminal.wait(forText: "not in its schema")
        try server.execute("ALTER SCHEMA elsewhere RENAME TO lost")
        try terminal.type("\u{13}")
        try terminal.wait(forText: "Edited \"Second\"")
        #expect(try docket("list").output.contains("Second"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    /// The server crashes under an open form, and the one that has followed it takes over.
    @Test func aFormIsSavedOnTheServerThatTakesOver() throws {
        let primary = try PostgreSQLAtHand()
        defer { primary.remove() }
        let standby = try PostgreSQLAtHand(standbyOf: primary)
        defer { standby.remove() }
        let docket = try Docket()
        docket.environment["DOCKET_STORE"] =
            "postgresql://tests@/postgres?host=\(primary.folder.path),\(standby.folder.path)"
            + "&target_session_attrs=read-write"
        #expect(try docket("add", "Mine").code == 0)
        let terminal = try form(docket, title: "First")
        try standby.promote(after: primary) {
            try primary.stop(crashing: true)
            try terminal.type("\u{13}")
            try terminal.wait(forText: "cannot be reached")
        }
        try terminal.type("\u{13}")
        try terminal.wait(forText: "Edited \"First\"")
        #expect(try docket("list").output.contains("First"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    /// A reader sees everything and is told what is missing for a change.
    @Test func aReaderListsAndSearchesAndIsRefusedEachChange() throws {
        let team = try Team()
        let docket = team.docket
        #expect(try docket("add", "Bread and butter").code == 0)
        let reader = try team.address(of: "rita", rights: "SELECT")
        #expect(try docket("--store", reader, "list").output.contains("Bread"))
        #expect(try docket("--store", reader, "search", "BUTTER").output.contains("Bread"))
        #expect(try docket("--store", reader, "history").output.contains("Bread"))
        for words in [["add", "Mine"], ["done", "1"], ["trash", "1"]] {
            let refused = try docket.run(["--store", reader] + words)
            #expect(refused.code == 2, "\(refused)")
            #expect(refused.errors.contains("UPDATE and DELETE"), "\(refused.errors)")
        }
        let terminal = try VirtualTerminal(
            Docket.program,
            arguments: ["--store", reader],
            environment: docket.environment.merging(["COLORFGBG": "15;0"]) { $1 },
            rows: 24,
            columns: 100
        )
        try terminal.wait(forText: "Bread")
        try terminal.type(" ")
        try terminal.wait(forText: "You may read this library")
        #expect(try docket("add", "Jam").code == 0)
        try terminal.wait(forText: "Jam")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    /// What somebody else adds is on the screen without a key.
    @Test func changesOfOthersAppearOnTheScreen() throws {
        let team = try Team()
        let docket = team.docket
        #expect(try docket("add", "Mine").code == 0)
        let terminal = try VirtualTerminal(
            Docket.program,
            arguments: [],
            environment: docket.environment.merging(["COLORFGBG": "15;0"]) { $1 },
            rows: 20,
            columns: 80
        )
        try terminal.wait(forText: "Mine")
        #expect(try docket("add", "Theirs").code == 0)
        try terminal.wait(forText: "Theirs")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }
}
