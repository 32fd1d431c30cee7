import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import ObjectSync
import SyncSimulation
import Testing

@Suite("Exchange with a remote")
struct ExchangeTests {
    private let server = SimulatedServer()

    private func record(_ name: String, _ values: [String: SyncValue] = [:]) -> SyncRecord {
        SyncRecord(SyncKey(entity: "Item", name: name), values: values, modified: Date())
    }

    private func store(_ name: String, _ values: [String: SyncValue] = [:]) {
        let record = record(name, values)
        server.store(record, SimulatedServer.href(record.key))
    }

    // MARK: Both directions

    @Test func objectsOfBothSidesAreOnBothSides() throws {
        let replica = try RecordReplica()
        store("theirs", ["title": .string("Theirs"), "rank": .int(7)])
        try replica.add("mine", ["title": .string("Mine")])
        try replica.context.save(as: "Add")
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.inserted == 1 && report.sent == 1 && report.conflicts == 0)
        #expect(try replica.dump() == RecordReplica.dump(server.records))
        #expect(try replica.item("theirs")?["rank"] == .int(7))
        #expect(server.record("mine")?.values["title"] == .string("Mine"))
        #expect(try replica.engine.synchronize(with: server.remote()).isEmpty)
    }

    @Test func changesOfDifferentPropertiesAreBothKept() throws {
        let replica = try agreed(["title": .string("Old"), "rank": .int(1)])
        server.edit("x", at: Date()) { $0.values["title"] = .string("New") }
        try replica.item("x")?.setValue(.int(2), forKey: "rank")
        try replica.context.save(as: "Move")
        try replica.engine.synchronize(with: server.remote())
        #expect(try replica.item("x")?["title"] == "New")
        #expect(server.record("x")?.values["rank"] == .int(2))
        #expect(try replica.conflicts().isEmpty)
    }

    /// A replica and the server, equal, with an item x.
    private func agreed(_ values: [String: GraphValue] = ["title": "Old"]) throws -> RecordReplica {
        let replica = try RecordReplica()
        try replica.add("x", values)
        try replica.context.save(as: "Add")
        try replica.engine.synchronize(with: server.remote())
        _ = replica.freshContext()
        return replica
    }

    private func set(_ replica: RecordReplica, _ key: String, _ value: GraphValue) throws {
        let item = try #require(try replica.item("x"))
        item[key] = value
        try replica.context.save(as: "Edit")
    }

    @Test func propertyThatTheRemoteDoesNotKnowStays() throws {
        server.unknownProperties = ["rank"]
        let replica = try agreed(["title": "Old", "rank": .int(5)])
        server.edit("x", at: Date()) { $0.values["title"] = .string("New") }
        try replica.engine.synchronize(with: server.remote())
        #expect(try replica.item("x")?["title"] == "New")
        #expect(try replica.item("x")?["rank"] == .int(5))
        #expect(try replica.engine.synchronize(with: server.remote()).isEmpty)
    }

    @Test func whatTheRemoteHasBesidesComesBackToIt() throws {
        let replica = try agreed()
        server.edit("x", at: Date()) { $0.extra = Data("X-FOREIGN:1".utf8) }
        try replica.engine.synchronize(with: server.remote())
        try set(replica, "title", "New")
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("x")?.extra == Data("X-FOREIGN:1".utf8))
        #expect(server.record("x")?.values["title"] == .string("New"))
    }

    @Test func forgottenRemoteIsExchangedFromTheBeginning() throws {
        let replica = try agreed()
        try replica.engine.forget(remoteNamed: "server")
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.inserted == 0 && report.conflicts == 0)
        #expect(try replica.dump() == RecordReplica.dump(server.records))
    }

    @Test func remoteThatForgetsItsLogIsReadCompletely() throws {
        let replica = try agreed()
        store("y")
        server.store(nil, SimulatedServer.href(SyncKey(entity: "Item", name: "x")))
        server.forgotten = 100
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.inserted == 1 && report.deleted == 1)
        #expect(try replica.dump() == RecordReplica.dump(server.records))
    }

    // MARK: Deletion

    @Test func deletionOfTheRemoteDeletesWhatIsUnchanged() throws {
        let replica = try agreed()
        server.store(nil, SimulatedServer.href(SyncKey(entity: "Item", name: "x")))
        #expect(try replica.engine.synchronize(with: server.remote()).deleted == 1)
        #expect(try replica.items().isEmpty)
    }

    @Test func editHereBeatsDeletionThere() throws {
        let replica = try agreed(["title": "Old", "notes": "Notes"])
        server.store(nil, SimulatedServer.href(SyncKey(entity: "Item", name: "x")))
        try set(replica, "title", "New")
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("x")?.values["title"] == .string("New"))
        #expect(server.record("x")?.values["notes"] == .string("Notes"))
        #expect(try replica.dump() == RecordReplica.dump(server.records))
    }

    @Test func editThereBeatsDeletionHere() throws {
        let replica = try agreed(["title": "Old", "notes": "Notes"])
        server.edit("x", at: .distantPast) { $0.values["title"] = .string("New") }
        replica.context.delete(try #require(try replica.item("x")))
        try replica.context.save(as: "Delete")
        try replica.engine.synchronize(with: server.remote())
        let item = try #require(try replica.item("x"))
        #expect(item["title"] == "New" && item["notes"] == "Notes")
        #expect(try replica.engine.synchronize(with: server.remote()).isEmpty)
    }

    @Test func deletionOfBothSidesIsOver() throws {
        let replica = try agreed()
        server.store(nil, SimulatedServer.href(SyncKey(entity: "Item", name: "x")))
        replica.context.delete(try #require(try replica.item("x")))
        try replica.context.save(as: "Delete")
        #expect(try replica.engine.synchronize(with: server.remote()).isEmpty)
        #expect(server.records.isEmpty)
    }

    @Test func childrenOfADeletedParentStayAndFollowItBack() throws {
        let replica = try agreed()
        let parent = try #require(try replica.item("x"))
        try replica.add("child", ["parent": .object(parent)])
        try replica.context.save(as: "Add")
        try replica.engine.synchronize(with: server.remote())
        let href = SimulatedServer.href(SyncKey(entity: "Item", name: "x"))
        let record = server.record("x")
        server.store(nil, href)
        try replica.engine.synchronize(with: server.remote())
        _ = replica.freshContext()
        #expect(try replica.item("x") == nil && replica.item("child")?["parent"] == .null)
        #expect(server.record("child")?.values["parent"] == .reference("x"))
        server.store(record, href)
        try replica.engine.synchronize(with: server.remote())
        _ = replica.freshContext()
        #expect(try replica.item("child")?["parent"] == .object(#require(try replica.item("x"))))
    }

    // MARK: A bad network

    @Test func editWhoseAnswerIsLostIsNotMadeTwice() throws {
        let replica = try agreed()
        try set(replica, "title", "First")
        let remote = server.remote()
        remote.network.faults = [nil, .lostReply]
        #expect(throws: Network.Unreachable.self) {
            try replica.engine.synchronize(with: remote)
        }
        // What was sent is known to be ours, so the second edit is no conflict.
        try set(replica, "title", "Second")
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.conflicts == 0 && report.sent == 1)
        #expect(server.record("x")?.values["title"] == .string("Second"))
    }

    @Test func deletionAfterALostCreationDeletes() throws {
        let replica = try RecordReplica()
        try replica.add("x")
        try replica.context.save(as: "Add")
        let remote = server.remote()
        remote.network.faults = [nil, .lostReply]
        #expect(throws: Network.Unreachable.self) {
            try replica.engine.synchronize(with: remote)
        }
        #expect(server.records.count == 1)
        replica.context.delete(try #require(try replica.item("x")))
        try replica.context.save(as: "Delete")
        try replica.engine.synchronize(with: server.remote())
        #expect(server.records.isEmpty)
        #expect(try replica.items().isEmpty)
    }

    @Test func pullThatIsRepeatedChangesNothing() throws {
        let replica = try agreed()
        server.edit("x", at: Date()) { $0.values["title"] = .string("New") }
        let remote = server.remote()
        try replica.engine.pull(from: remote)
        let steps = try replica.context.undoSteps().count
        #expect(try replica.engine.pull(from: remote).isEmpty)
        #expect(try replica.context.undoSteps().count == steps)
    }

    @Test func editDuringAPushIsSentByTheNext() throws {
        let replica = try agreed()
        try set(replica, "title", "First")
        let remote = server.remote()
        remote.network.meanwhile = {
            remote.network.meanwhile = {}
            do {
                let context = ManagedObjectContext(coordinator: replica.coordinator)
                let request = FetchRequest<ManagedObject>(entityName: "Item")
                try context.fetch(request).first?.setValue("Second", forKey: "title")
                try context.save(as: "Edit")
            } catch { Issue.record(error) }
        }
        try replica.engine.push(to: remote)
        #expect(server.record("x")?.values["title"] == .string("First"))
        #expect(try replica.engine.push(to: remote).sent == 1)
        #expect(server.record("x")?.values["title"] == .string("Second"))
    }

    @Test func editThatMeetsAnotherVersionIsMergedAndSentAgain() throws {
        let replica = try agreed(["title": "Old", "notes": "a"])
        try set(replica, "title", "Mine")
        let remote = server.remote()
        // Between the pull and the push somebody else writes.
        remote.network.meanwhile = { [server] in
            remote.network.meanwhile = {}
            server.edit("x", at: Date()) { $0.values["notes"] = .string("b") }
        }
        let report = try replica.engine.synchronize(with: remote)
        #expect(report.updated == 1 && report.sent == 1 && !report.isUnfinished)
        #expect(server.record("x")?.values["title"] == .string("Mine"))
        #expect(server.record("x")?.values["notes"] == .string("b"))
        #expect(try replica.dump() == RecordReplica.dump(server.records))
    }

    @Test func objectThatBothSidesHaveMadeIsOne() throws {
        let replica = try RecordReplica()
        store("next", ["title": .string("Pay"), "due": .int(7)])
        try replica.add("next", ["title": "Pay", "due": .int(7)])
        try replica.context.save(as: "Complete")
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.inserted == 0 && report.conflicts == 0)
        #expect(try replica.items().count == 1)
    }

    // MARK: References

    @Test func referenceToWhatComesLaterIsSetThen() throws {
        let replica = try RecordReplica()
        store("child", ["parent": .reference("parent"), "after": .list([.reference("parent")])])
        try replica.engine.synchronize(with: server.remote())
        #expect(try replica.item("child")?["parent"] == .null)
        #expect(server.record("child")?.values["parent"] == .reference("parent"))
        store("parent")
        try replica.engine.synchronize(with: server.remote())
        _ = replica.freshContext()
        let parent = try #require(try replica.item("parent"))
        #expect(try replica.item("child")?["parent"] == .object(parent))
        #expect(try replica.item("child")?["after"] == .array([.object(parent)]))
        #expect(try replica.engine.synchronize(with: server.remote()).isEmpty)
    }

    @Test func tagsAreMadeByThoseWhoReferToThem() throws {
        let replica = try RecordReplica()
        store("x", ["tags": .set([.reference("home"), .reference("work")])])
        try replica.engine.synchronize(with: server.remote())
        let tags = try replica.item("x")?["tags"].elements
        #expect(tags?.count == 2)
        replica.context.delete(try replica.tag("home"))
        try replica.context.save(as: "Delete a tag")
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("x")?.values["tags"] == .set([.reference("work")]))
    }

    @Test func circleOfTwoMovesIsBrokenAlikeEverywhere() throws {
        let replicas = [
            try RecordReplica(), try RecordReplica(clockOffset: 3_600), try RecordReplica(),
        ]
        for name in ["a", "b"] { try replicas[0].add(name) }
        try replicas[0].context.save(as: "Add")
        for replica in replicas { try replica.engine.synchronize(with: server.remote()) }
        for (index, (child, parent)) in [("a", "b"), ("b", "a")].enumerated() {
            let replica = replicas[index]
            _ = replica.freshContext()
            let item = try #require(try replica.item(child))
            item["parent"] = .object(try #require(try replica.item(parent)))
            try replica.context.save(as: "Move")
        }
        try replicas[0].engine.push(to: server.remote())
        try replicas[1].engine.push(to: server.remote())
        for _ in 0..<3 {
            for replica in replicas { try replica.engine.synchronize(with: server.remote()) }
        }
        // The second machine's clock is ahead, so its move is the later one.
        #expect(server.record("a")?.values["parent"] == .reference("b"))
        #expect(server.record("b")?.values["parent"] == .null)
        for replica in replicas {
            #expect(try replica.dump() == RecordReplica.dump(server.records))
        }
        let kept = try replicas.flatMap { try $0.conflicts() }
        #expect(kept.contains { $0.key.name == "b" && $0.value == .reference("a") })
    }

    @Test func whatIsChangedOfAnotherObjectBeforeAPullIsSavedIsSent() throws {
        let replica = try agreed(["title": .string("Old")])
        try replica.add("y", ["title": .string("Y")])
        try replica.context.save(as: "Add")
        try replica.engine.synchronize(with: server.remote())
        server.edit("x", at: Date()) { $0.values["title"] = .string("New") }
        replica.engine.beforeSavingPull = { context in
            let items = try context.fetch(FetchRequest<ManagedObject>(entityName: "Item"))
            items.first { $0["name"] == "y" }?["title"] = "Passed on"
        }
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("y")?.values["title"] == .string("Passed on"))
    }

    @Test func valueThatComesBackInTheFormOfTheRemoteIsNoChange() throws {
        var entities = RecordReplica.entities
        entities[0].canonical = { values in
            if case .string(let title)? = values["title"] {
                values["title"] = .string(title.uppercased())
            }
        }
        let replica = try RecordReplica()
        let engine = try SyncEngine(replica.coordinator, entities)
        try replica.add("x", ["title": .string("As typed"), "rank": .int(1)])
        try replica.context.save(as: "Add")
        try engine.synchronize(with: server.remote())
        server.edit("x", at: Date()) { $0.values["rank"] = .int(2) }
        let report = try engine.synchronize(with: server.remote())
        #expect(report.updated == 1 && report.sent == 0 && report.conflicts == 0)
        _ = replica.freshContext()
        #expect(try replica.item("x")?["title"] == "As typed")
        #expect(server.record("x")?.values["title"] == .string("AS TYPED"))
    }

    @Test func whatTheModelRefusesIsLeftOutUntilItFits() throws {
        let (server, replica) = (SimulatedServer(), try RecordReplica())
        let long = String(repeating: "x", count: 101)
        for (name, title) in [("a", "Fits"), ("b", long), ("c", "Too")] {
            let key = SyncKey(entity: "Item", name: name)
            let record = SyncRecord(key, values: ["title": .string(title)], modified: Date())
            server.store(record, SimulatedServer.href(key))
        }
        func titles() throws -> [String] {
            _ = replica.freshContext()
            return try replica.items().map { "\(try $0.value(forKey: "title"))" }.sorted()
        }
        for _ in 0..<2 {
            let report = try replica.engine.synchronize(with: server.remote())
            #expect(report.refused.keys.map(\.name) == ["b"])
            #expect(report.refused.values.allSatisfy { !$0.isEmpty })
            #expect(try titles().count == 2)
        }
        server.edit("c", at: Date()) { $0.values["title"] = .int(7) }
        server.edit("b", at: Date()) { $0.values["title"] = .string("Short") }
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.refused.keys.map(\.name) == ["c"])
        #expect(try titles().count == 3)
        server.edit("c", at: Date()) { $0.values["title"] = .string("Three") }
        #expect(try replica.engine.synchronize(with: server.remote()).refused.isEmpty)
        #expect(try titles().joined().contains("Three"))
    }
}
