import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// A store behind PgBouncer in session mode, where a client keeps its connection while it is there.
@Suite(.enabled(if: PostgreSQLAtHand.isThere && PoolerAtHand.isThere))
struct PoolerTests {
    @Test func clientsOfAPoolSaveSearchAndHearOfEachOther() async throws {
        let server = try #require(PostgreSQLAtHand.shared)
        let pooler = try PoolerAtHand(server)
        let bench = try ServerBench(server, through: pooler.folder.path)
        let (one, first) = try bench.context(searched: true)
        let (two, second) = try bench.context(searched: true)
        var changes = two.coordinator.remoteChanges().makeAsyncIterator()
        for number in 0..<150 { try one.add("Item", ["title": .string("Äpfel \(number)")]) }
        try one.save(as: "Many")
        #expect(try #require(await changes.next()).transaction == 1)
        #expect(try two.search("apfel 14", entityName: "Item").count == 12)
        try two.found("Item").first?.setValue("other", forKey: "title")
        try two.save(as: "Rename")
        #expect(try one.undoSteps().count == 2)
        second.close()
        // The next client gets the connection that this one has left, with nothing of it.
        let (three, _) = try bench.context(searched: true)
        #expect(try three.found("Item").count == 150)
        first.close()
    }
}
