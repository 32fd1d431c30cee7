import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectSync
import SyncSimulation
import Testing

@Suite("Properties that are one value")
struct GroupTests {
    private let server = SimulatedServer()
    private let replica: RecordReplica

    init() throws {
        replica = try RecordReplica()
        try replica.add("x", ["start": .int(2)])
        try replica.context.save(as: "Add")
        try replica.engine.synchronize(with: server.remote())
    }

    private func start() throws -> [GraphValue] {
        _ = replica.freshContext()
        let item = try #require(try replica.item("x"))
        return [item["start"], item["isDay"]]
    }

    /// Here the start becomes a day, there another moment.
    private func disagree(theirsIsLater: Bool) throws {
        let item = try #require(try replica.item("x"))
        (item["start"], item["isDay"]) = (.int(7), .bool(true))
        try replica.context.save(as: "Edit")
        server.edit("x", at: theirsIsLater ? .distantFuture : .distantPast) {
            $0.values["start"] = .int(8)
        }
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.conflicts == 2)
    }

    @Test func areThoseOfTheLaterSideAlsoWhereOnlyOneSideHasChangedOne() throws {
        try disagree(theirsIsLater: true)
        #expect(try start() == [.int(8), .bool(false)])
        #expect(server.record("x")?.values["isDay"] == .bool(false))
    }

    @Test func thatAreGivenLaterHereAreSentTogether() throws {
        try disagree(theirsIsLater: false)
        #expect(try start() == [.int(7), .bool(true)])
        #expect(server.record("x")?.values["start"] == .int(7))
        #expect(server.record("x")?.values["isDay"] == .bool(true))
    }

    @Test(arguments: [0, 1]) func areSwappedAndForgottenTogether(number: Int) throws {
        try disagree(theirsIsLater: true)
        let conflict = try #require(try replica.conflicts().dropFirst(number).first)
        try replica.engine.swap(conflict, in: replica.context)
        try replica.context.save(as: "Swap")
        #expect(try start() == [.int(7), .bool(true)])
        #expect(Set(try replica.conflicts().map(\.value)) == [.int(8), .bool(false)])
        #expect(try replica.conflicts().allSatisfy { !$0.isOurs })
        let other = try #require(try replica.conflicts().dropFirst(number).first)
        try replica.engine.dismiss(other, in: replica.context)
        try replica.context.save(as: "Dismiss")
        #expect(try replica.conflicts().isEmpty)
    }

    @Test func ofWhichOneIsChangedByASlowClockAreLaterThanBothWere() throws {
        let future = Date(timeIntervalSinceNow: 86_400)
        server.edit("x", at: future) { $0.values["start"] = .int(8) }
        try replica.engine.synchronize(with: server.remote())
        _ = replica.freshContext()
        try replica.item("x")?.setValue(.bool(true), forKey: "isDay")
        try replica.context.save(as: "Edit")
        try replica.engine.synchronize(with: server.remote())
        #expect(try #require(server.record("x"))["isDay"].stamp > future)
    }

    @Test(arguments: [["title", "nothing"], ["title", "notes"], ["title", "title"]])
    func thatCannotBeOneValueAreRefused(group: [String]) throws {
        var entities = RecordReplica.entities
        entities[0].groups = [group]
        #expect(throws: ObjectGraphError.self) {
            try SyncEngine(replica.coordinator, entities)
        }
    }
}
