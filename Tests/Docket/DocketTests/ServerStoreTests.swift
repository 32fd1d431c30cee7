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

        deinit { server.drop(schema) }
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
