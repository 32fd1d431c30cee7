import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import ObjectSync
import SQLiteStore
import SyncSimulation
import Testing

@Suite("Statements of an exchange")
struct StatementCountTests {
    private let folder: ScratchFolder
    private let replica: RecordReplica
    private let server = SimulatedServer()
    /// How many objects there are; `SYNC_OBJECTS` for a long test.
    private let count =
        ProcessInfo.processInfo.environment["SYNC_OBJECTS"].flatMap(Int.init) ?? 1_200

    init() throws {
        folder = try ScratchFolder()
        replica = try RecordReplica(folder.url.appending(path: "store.sqlite"))
        for index in 0..<count {
            var record = SyncRecord(SyncKey(entity: "Item", name: "item-\(index)"))
            record.values["title"] = .string("Title \(index)")
            record.values["notes"] = .string("one\ntwo\nthree")
            record.values["parent"] = index % 3 == 0 ? .null : .reference("item-\(index / 3)")
            record.values["tags"] = .set([.reference("tag\(index % 7)")])
            server.store(record, SimulatedServer.href(record.key))
        }
    }

    /// The statements that some work runs, apart from those that write one row.
    private func reads(_ what: String, _ work: () throws -> Void) throws -> Int {
        let store = try #require(replica.coordinator.openStores.first as? SQLiteStore)
        var statements = 0
        store.trace { sql, _ in
            let isWrite = ["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
            if !isWrite { statements += 1 }
        }
        let start = Date()
        try work()
        store.trace(nil)
        print("\(what) of \(count): \(statements) statements, \(Date().timeIntervalSince(start)) s")
        return statements
    }

    @Test func noPartOfAnExchangeReadsObjectByObject() throws {
        let batches = count / 400 + 1
        let first = try reads("pull") { try replica.engine.pull(from: server.remote()) }
        #expect(first <= 30 + 20 * batches)
        let nothing = try reads("exchange of nothing") {
            try replica.engine.synchronize(with: server.remote())
        }
        #expect(nothing <= 30 + 10 * batches)
        for index in 0..<count {
            server.edit("item-\(index)", at: Date()) { $0.values["rank"] = .int(Int64(index)) }
        }
        let context = replica.freshContext()
        for item in try replica.items() { item["title"] = .string("Mine") }
        try context.save(as: "Edit")
        let both = try reads("exchange of changes of both sides") {
            try replica.engine.synchronize(with: server.remote())
        }
        #expect(both <= 60 + 60 * batches)
        #expect(try replica.dump() == RecordReplica.dump(server.records))
        #expect(server.records.allSatisfy { $0.values["title"] == .string("Mine") })
        let few = try reads("exchange of one change") {
            try replica.freshContext().fetch(FetchRequest<ManagedObject>(entityName: "Item"))
                .first?.setValue("Other", forKey: "title")
            try replica.context.save(as: "Edit")
            try replica.engine.synchronize(with: server.remote())
        }
        #expect(few <= 60 + 4 * batches)
    }
}
