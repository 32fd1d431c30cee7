import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SyncSimulation
import Testing

@testable import ObjectSync

@Suite("Conflicts, and undo of a pull")
struct ConflictAndUndoTests {
    private let server = SimulatedServer()
    private let replica: RecordReplica

    init() throws {
        replica = try RecordReplica()
        try replica.add("x", ["title": "Old", "notes": "a\nb\nc"])
        try replica.context.save(as: "Add")
        try replica.engine.synchronize(with: server.remote())
        _ = replica.freshContext()
    }

    private func item() throws -> ManagedObject {
        _ = replica.freshContext()
        return try #require(try replica.item("x"))
    }

    private func edit(_ key: String, _ value: GraphValue) throws {
        try item().setValue(value, forKey: key)
        try replica.context.save(as: "Edit")
    }

    /// Both sides change the title; the server's change is much later or earlier.
    private func conflict(theirsIsLater: Bool) throws -> SyncConflict {
        try edit("title", "Mine")
        server.edit("x", at: theirsIsLater ? .distantFuture : .distantPast) {
            $0.values["title"] = .string("Theirs")
        }
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.conflicts == 1)
        _ = replica.freshContext()
        return try #require(try replica.conflicts().first)
    }

    @Test func laterChangeWinsAndTheOtherIsListed() throws {
        let conflict = try conflict(theirsIsLater: true)
        #expect(conflict.key == SyncKey(entity: "Item", name: "x") && conflict.property == "title")
        #expect(conflict.value == .string("Mine") && conflict.isOurs && conflict.remote == "server")
        #expect(try item()["title"] == "Theirs")
    }

    @Test func ourLaterChangeWinsAndIsSent() throws {
        let conflict = try conflict(theirsIsLater: false)
        #expect(conflict.value == .string("Theirs") && !conflict.isOurs)
        #expect(server.record("x")?.values["title"] == .string("Mine"))
    }

    @Test func timeOfTheChangedPropertyDecidesNotThatOfTheObject() throws {
        try edit("title", "Mine")
        server.edit("x", at: Date()) { $0.values["title"] = .string("Theirs") }
        try edit("notes", "later than both")
        try replica.engine.synchronize(with: server.remote())
        #expect(try item()["title"] == "Theirs")
    }

    @Test func editByASlowClockIsLaterThanWhatItHasReplaced() throws {
        let future = Date(timeIntervalSinceNow: 86_400)
        server.edit("x", at: future) { $0.values["title"] = .string("Theirs") }
        try replica.engine.synchronize(with: server.remote())
        try edit("title", "Mine")
        try replica.engine.synchronize(with: server.remote())
        let record = try #require(server.record("x"))
        #expect(record.values["title"] == .string("Mine") && record["title"].stamp > future)
    }

    @Test func valueThatComesBackOverAnotherRemoteDoesNotReplaceALaterOne() throws {
        let other = SimulatedServer()
        try replica.engine.synchronize(with: other.remote("other"))
        try edit("title", "New")
        for _ in 0..<2 {
            try replica.engine.synchronize(with: server.remote())
            try replica.engine.synchronize(with: other.remote("other"))
        }
        // Somebody who has not seen the new value brings the old one along from elsewhere.
        other.edit("x", at: .distantPast) { $0.values["title"] = .string("Old") }
        try replica.engine.synchronize(with: other.remote("other"))
        #expect(try item()["title"] == "New")
        #expect(other.record("x")?.values["title"] == .string("New"))
        #expect(try replica.conflicts().map(\.value) == [.string("Old")])
    }

    @Test func swapTakesTheOtherValueAndIsUndone() throws {
        let conflict = try conflict(theirsIsLater: true)
        try replica.engine.swap(conflict, in: replica.context)
        try replica.context.save(as: "Take mine")
        #expect(try item()["title"] == "Mine")
        #expect(try replica.conflicts().first?.value == .string("Theirs"))
        #expect(try replica.conflicts().first?.isOurs == false)
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("x")?.values["title"] == .string("Mine"))
        _ = replica.freshContext()
        #expect(try replica.context.undoLastCommand()?.step.name == "Take mine")
        #expect(try item()["title"] == "Theirs")
        #expect(try replica.conflicts().first?.value == .string("Mine"))
    }

    @Test func dismissedConflictIsOver() throws {
        let conflict = try conflict(theirsIsLater: true)
        try replica.engine.dismiss(conflict, in: replica.context)
        try replica.context.save(as: "Dismiss")
        #expect(try replica.conflicts().isEmpty)
        #expect { try replica.engine.swap(conflict, in: replica.context) } throws: {
            ($0 as? ObjectGraphError)?.code == .undoState
        }
        _ = try replica.context.undoLastCommand()
        #expect(try replica.conflicts().count == 1)
    }

    @Test func textsAreMergedByLine() throws {
        try edit("notes", "A\nb\nc")
        server.edit("x", at: Date()) { $0.values["notes"] = .string("a\nb\nC") }
        let report = try replica.engine.synchronize(with: server.remote())
        #expect(report.conflicts == 0)
        #expect(try item()["notes"] == "A\nb\nC")
        #expect(server.record("x")?.values["notes"] == .string("A\nb\nC"))
    }

    @Test func ofATextThatHasLostALineOnOneOfTwoRemotesTheLaterOneCountsAsAWhole() throws {
        let other = SimulatedServer()
        try replica.engine.synchronize(with: other.remote("other"))
        server.edit("x", at: Date() + 3_600) { $0.values["notes"] = .string("a\nc") }
        try edit("notes", "a\nb\nc\nd")
        for _ in 0..<2 {
            try replica.engine.synchronize(with: server.remote())
            try replica.engine.synchronize(with: other.remote("other"))
        }
        #expect(try item()["notes"] == "a\nc")
        #expect(other.record("x")?.values["notes"] == .string("a\nc"))
        #expect(try replica.conflicts().map(\.value) == [.string("a\nb\nc\nd")])
        // Lines that were added are merged.
        server.edit("x", at: Date() + 7_200) { $0.values["notes"] = .string("a\nc\ne") }
        try edit("notes", "0\na\nc")
        try replica.engine.synchronize(with: server.remote())
        #expect(try item()["notes"] == "0\na\nc\ne")
    }

    // MARK: Undo

    @Test func pullIsOneNamedStepWhoseUndoIsSent() throws {
        server.edit("x", at: Date()) { $0.values["title"] = .string("Theirs") }
        for index in 0..<20 {
            let record = SyncRecord(SyncKey(entity: "Item", name: "new-\(index)"))
            server.store(record, SimulatedServer.href(record.key))
        }
        server.partSize = 5
        let report = try replica.engine.pull(from: server.remote(), as: "From the server")
        #expect(report.inserted == 20 && report.updated == 1)
        let context = replica.freshContext()
        #expect(try context.undoSteps().first?.name == "From the server")
        #expect(try context.undoSteps().first?.command == report.step)
        #expect(try context.undoLastCommand()?.isDone == true)
        #expect(try replica.dump().count == 1)
        #expect(try item()["title"] == "Old")
        try replica.engine.synchronize(with: server.remote())
        #expect(server.records.count == 1)
        #expect(server.record("x")?.values["title"] == .string("Old"))
        #expect(try replica.engine.synchronize(with: server.remote()).isEmpty)
    }

    @Test func whatRefersToARestoredObjectIsSentAgain() throws {
        let item = try item()
        item["waits"] = .array([.object(try replica.add("y", ["title": "Other"]))])
        try replica.context.save(as: "Add")
        try replica.engine.synchronize(with: server.remote())
        for name in ["x", "y"] {
            server.store(nil, SimulatedServer.href(SyncKey(entity: "Item", name: name)))
        }
        // What was edited comes back there, and no longer refers to what was not.
        try edit("title", "New")
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("x")?.values["waits"] == .set([]))
        _ = try replica.freshContext().undoLastCommand()
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("y") != nil)
        #expect(server.record("x")?.values["waits"] == .set([.reference("y")]))
    }

    @Test func undoLeavesWhatWasAgreedAndTheHistoryHasNoValuesOfIt() throws {
        let folder = try ScratchFolder()
        let replica = try RecordReplica(folder.url.appending(path: "store.sqlite"))
        try replica.engine.pull(from: server.remote())
        server.edit("x", at: Date()) { $0.values["title"] = .string("Theirs") }
        try replica.engine.pull(from: server.remote())
        _ = try replica.freshContext().undoLastCommand()
        #expect(try replica.item("x")?["title"] == "Old")
        let rows = FetchRequest<ManagedObject>(entityName: "SyncBase")
        let base = try SyncBase(#require(try replica.context.fetch(rows).first))
        #expect(base.record.values["title"] == .string("Theirs"))
        let changes = try replica.coordinator.history(HistoryRequest()).transactions
            .flatMap(\.changes).filter { $0.objectID.entityName == "SyncBase" }
        #expect(changes.map(\.kind) == [.insert, .update])
        #expect(changes.allSatisfy { $0.oldValues.isEmpty && $0.newValues.isEmpty })
    }

    @Test func undoOfAPulledDeletionMakesTheObjectAgain() throws {
        server.store(nil, SimulatedServer.href(SyncKey(entity: "Item", name: "x")))
        try replica.engine.pull(from: server.remote())
        #expect(try replica.dump().isEmpty)
        _ = try replica.freshContext().undoLastCommand()
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("x")?.values["notes"] == .string("a\nb\nc"))
    }

    @Test func undoAndRedoOfAnEditAreSent() throws {
        try edit("title", "Mine")
        try replica.engine.synchronize(with: server.remote())
        _ = try replica.freshContext().undoLastCommand()
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("x")?.values["title"] == .string("Old"))
        _ = try replica.freshContext().redoLastCommand()
        try replica.engine.synchronize(with: server.remote())
        #expect(server.record("x")?.values["title"] == .string("Mine"))
    }

    @Test func exchangeOfNothingIsNoStep() throws {
        let steps = try replica.context.undoSteps().count
        try edit("title", "Mine")
        try replica.engine.synchronize(with: server.remote())
        #expect(try replica.freshContext().undoSteps().count == steps + 1)
        // This one learns that the server has what was sent.
        try replica.engine.synchronize(with: server.remote())
        let place = try replica.coordinator.currentHistoryToken()
        try replica.engine.synchronize(with: server.remote())
        #expect(try replica.coordinator.currentHistoryToken() == place)
    }
}
