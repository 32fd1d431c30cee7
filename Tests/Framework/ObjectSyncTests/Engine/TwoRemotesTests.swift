import Foundation
import ObjectContext
import ObjectModel
import SyncSimulation
import Testing

@testable import ObjectSync

@Suite("Deletions and times over two remotes that stores share")
struct TwoRemotesTests {
    private let first = SimulatedServer()
    private let second = SimulatedServer()
    private let href = SimulatedServer.href(SyncKey(entity: "Item", name: "x"))

    private func replica() throws -> RecordReplica {
        let replica = try RecordReplica()
        try replica.add("x", ["title": "Title"])
        try replica.context.save(as: "Add")
        try settle(replica)
        return replica
    }

    @discardableResult
    private func settle(_ replica: RecordReplica) throws -> [SyncReport] {
        try [("first", first), ("second", second)].map { name, server in
            try replica.engine.synchronize(with: server.remote(name))
        }
    }

    @Test func aDeletionGoesToTheOtherRemoteAfterTheFirstWasAskedAgain() throws {
        let replica = try replica()
        first.store(nil, href)
        try settle(replica)
        #expect(try replica.dump().isEmpty && second.records.count == 1)
        try settle(replica)
        #expect(second.records.isEmpty)
        #expect(try settle(replica).allSatisfy(\.isEmpty))
    }

    /// A remote that is not asked any more does not hold it back for ever.
    @Test(arguments: [6.9, 7.1])
    func aDeletionGoesToTheOtherRemoteAfterSevenDays(days: Double) throws {
        let replica = try replica()
        first.store(nil, href)
        try replica.engine.synchronize(with: first.remote("first"))
        let context = replica.freshContext()
        var followed = 0
        for row in try context.fetch(FetchRequest<ManagedObject>(entityName: SyncModel.base)) {
            let base = try SyncBase(row)
            guard let (remote, date) = base.followed else { continue }
            base.followed = (remote, date.addingTimeInterval(-days * 86_400))
            try base.store()
            followed += 1
        }
        #expect(followed == 1)
        try context.save()
        try replica.engine.synchronize(with: second.remote("second"))
        #expect(second.records.isEmpty == (days > 7))
    }

    @Test func aDeletionMadeHereGoesToBothAtOnce() throws {
        let replica = try replica()
        _ = replica.freshContext()
        replica.context.delete(try #require(try replica.item("x")))
        try replica.context.save(as: "Delete")
        try settle(replica)
        #expect(first.records.isEmpty && second.records.isEmpty)
    }

    @Test func anObjectThatSomebodyBringsAlongMeanwhileStaysAndDoesNotGoRound() throws {
        let (one, two) = (try replica(), try RecordReplica())
        second.store(nil, href)
        try settle(one)
        #expect(try one.dump().isEmpty)
        // This one does not know that the second remote has had it.
        try settle(two)
        for _ in 0..<2 { for replica in [one, two] { try settle(replica) } }
        for replica in [one, two] {
            #expect(try settle(replica).allSatisfy(\.isEmpty))
            #expect(try replica.dump() == RecordReplica.dump(first.records))
        }
        #expect(first.records.count == 1 && second.records.count == 1)
    }

    /// Whichever side of the pair the history reports.
    @Test(arguments: [("x", "y"), ("y", "x")])
    func aSetKeepsItsTimeOnItsWayToTheOther(source: String, target: String) throws {
        let replica = try replica()
        try replica.add("y")
        try replica.context.save(as: "Add")
        try settle(replica)
        let date = Date(timeIntervalSinceReferenceDate: 900_000_000)
        first.edit(source, at: date) { $0.values["waits"] = .set([.reference(target)]) }
        try settle(replica)
        let record = try #require(second.record(source))
        #expect(record["waits"] == StampedValue(.set([.reference(target)]), date))
    }

    /// One remote has a reference to what does not exist, which the other one lacks.
    @Test(arguments: [true, false])
    func aSetKeepsItsTimeBesideAReferenceThatWaits(isEditedThere: Bool) throws {
        let replica = try replica()
        try replica.add("y")
        try replica.context.save(as: "Add")
        try settle(replica)
        let both: Set<SyncValue> = [.reference("y"), .reference("absent")]
        second.edit("x", at: Date()) { $0.values["waits"] = .set([.reference("absent")]) }
        try settle(replica)
        #expect(first.record("x")?.values["waits"] == .set([]))
        let date = Date(timeIntervalSinceReferenceDate: 900_000_000)
        let source = isEditedThere ? second : first
        source.edit("x", at: date) { record in
            record.values["waits"] = .set(isEditedThere ? both : [.reference("y")])
        }
        for _ in 0..<2 { try settle(replica) }
        #expect(first.record("x")?["waits"] == StampedValue(.set([.reference("y")]), date))
        #expect(second.record("x")?["waits"] == StampedValue(.set(both), date))
    }

    @Test func anEditHasTheSameTimeOnBothBesideAReferenceThatWaits() throws {
        let replica = try replica()
        try replica.add("y")
        try replica.context.save(as: "Add")
        try settle(replica)
        second.edit("x", at: Date()) { $0.values["waits"] = .set([.reference("absent")]) }
        try settle(replica)
        _ = replica.freshContext()
        let target = try #require(try replica.item("y"))
        try replica.item("x")?.setValue(.array([.object(target)]), forKey: "waits")
        try replica.context.save(as: "Wait")
        try settle(replica)
        let (one, other) = (try #require(first.record("x")), try #require(second.record("x")))
        #expect(one.values["waits"] == .set([.reference("y")]))
        #expect(other.values["waits"] == .set([.reference("y"), .reference("absent")]))
        #expect(one["waits"].stamp == other["waits"].stamp)
    }

    @Test func anEditThatIsNotSentKeepsItsTimeWhenSomethingElseIsPulled() throws {
        let replica = try replica()
        _ = replica.freshContext()
        let item = try #require(try replica.item("x"))
        item["title"] = .string("Mine")
        try replica.context.save(as: "Edit")
        let edited = Date()
        first.edit("x", at: edited) { $0.values["notes"] = .string("Theirs") }
        try settle(replica)
        for server in [first, second] {
            let title = try #require(server.record("x"))["title"]
            #expect(title.value == .string("Mine") && title.stamp <= edited, "\(title)")
        }
    }

    @Test func anEditBeatsADeletionThatWaits() throws {
        let replica = try replica()
        first.store(nil, href)
        try replica.engine.synchronize(with: first.remote("first"))
        second.edit("x", at: Date()) { $0.values["title"] = .string("New") }
        for _ in 0..<3 { try settle(replica) }
        #expect(first.record("x")?.values["title"] == .string("New"))
        #expect(second.record("x")?.values["title"] == .string("New"))
    }
}
