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
            for role in roles { _ = try? server.execute("DROP ROLE \"\(role)\"") }
        }

        private var roles: [String] = []

        /// The library's address for somebody who may do everything.
        func address(of name: String) throws -> String {
            let role = "\(name)-\(schema)"
            try server.execute("CREATE ROLE \"\(role)\" LOGIN SUPERUSER")
            roles.append(role)
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
        // The history comes along, and undo goes on in a copy.
        let history = try docket("history").output
        #expect(history.contains("three"))
        #expect(try docket("--store", back, "history").output == history)
        #expect(try docket("--store", back, "undo").output.contains("three"))
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
