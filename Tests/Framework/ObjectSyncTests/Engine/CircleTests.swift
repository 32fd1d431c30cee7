import Foundation
import ObjectContext
import ObjectModel
import ObjectSync
import SyncSimulation
import Testing

@Suite("Circles that several replicas make together")
struct CircleTests {
    private let server = SimulatedServer()
    private let replicas: [RecordReplica]

    init() throws {
        replicas = try (0..<3).map { try RecordReplica(clockOffset: Double($0) * 3_600) }
        for name in ["a", "b", "c", "d"] { try replicas[0].add(name) }
        try replicas[0].context.save(as: "Add")
        try settle()
    }

    private func settle() throws {
        for _ in 0..<3 {
            for replica in replicas { try replica.engine.synchronize(with: server.remote()) }
        }
        for replica in replicas {
            _ = replica.freshContext()
            #expect(try replica.dump() == RecordReplica.dump(server.records))
        }
    }

    private func wait(_ replica: RecordReplica, _ name: String, for others: String...) throws {
        _ = replica.freshContext()
        let values = try others.map { GraphValue.object(try #require(try replica.item($0))) }
        try replica.item(name)?.setValue(.array(values), forKey: "waits")
        try replica.context.save(as: "Wait")
    }

    private func waits(_ name: String) -> SyncValue? { server.record(name)?.values["waits"] }

    @Test func ofAToManyRelationshipLoseTheLastReferenceWhichIsKept() throws {
        try wait(replicas[0], "a", for: "b", "d")
        try wait(replicas[1], "b", for: "c", "d")
        try wait(replicas[2], "c", for: "a", "d")
        for replica in replicas { try replica.engine.push(to: server.remote()) }
        try settle()
        #expect(waits("a") == .set([.reference("b"), .reference("d")]))
        #expect(waits("b") == .set([.reference("c"), .reference("d")]))
        // The third machine's clock is ahead.
        #expect(waits("c") == .set([.reference("d")]))
        let kept = try replicas.flatMap { try $0.conflicts() }
        #expect(Set(kept.map(\.key.name)) == ["c"])
        #expect(Set(kept.map(\.value)) == [.set([.reference("a"), .reference("d")])])
    }

    @Test func thatHaveAReferenceInCommonLoseThatAloneIfItIsTheLast() throws {
        try wait(replicas[0], "a", for: "b")
        try wait(replicas[0], "d", for: "b")
        try wait(replicas[2], "b", for: "c")
        try wait(replicas[1], "c", for: "a", "d")
        for replica in replicas { try replica.engine.push(to: server.remote()) }
        try settle()
        #expect(waits("b") == .set([]))
        #expect(waits("c") == .set([.reference("a"), .reference("d")]))
    }

    @Test func ofALongChainAreFound() throws {
        let names = (0..<400).map { "chain-\($0)" }
        _ = replicas[0].freshContext()
        let items = try names.map { try replicas[0].add($0) }
        for (item, next) in zip(items, items.dropFirst()) {
            item["waits"] = .array([.object(next)])
        }
        try replicas[0].context.save(as: "Chain")
        try settle()
        try wait(replicas[1], names[399], for: "a")
        try wait(replicas[2], "a", for: names[0])
        for replica in replicas { try replica.engine.push(to: server.remote()) }
        try settle()
        #expect(waits(names[399]) == .set([.reference("a")]) && waits("a") == .set([]))
    }
}
