import Foundation
import SeededRandom
import SyncSimulation
import Testing

@Suite("Replicas become equal")
struct ConvergenceTests {
    /// One seed with `SYNC_SEED`.
    private static let seeds =
        ProcessInfo.processInfo.environment["SYNC_SEED"].flatMap(UInt64.init).map { $0...$0 }
        ?? SeededRandom.seeds(3)
    private static let steps = ProcessInfo.processInfo.environment["SYNC_STEPS"].flatMap(Int.init)

    @Test(arguments: ConvergenceTests.seeds)
    func replicasWithFilesBecomeEqual(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let urls = (0..<5).map { folder.url.appending(path: "replica-\($0).sqlite") }
        try World(seed, urls).run(steps: ConvergenceTests.steps ?? 250)
    }

    @Test(arguments: ConvergenceTests.seeds)
    func replicasInMemoryBecomeEqual(seed: UInt64) throws {
        try World(seed, [URL?](repeating: nil, count: 6)).run(steps: ConvergenceTests.steps ?? 250)
    }

    /// Changes go from one server to the other through the replicas.
    @Test(arguments: ConvergenceTests.seeds)
    func replicasOfTwoServersBecomeEqual(seed: UInt64) throws {
        let urls = [URL?](repeating: nil, count: 5)
        try World(seed, urls, servers: 2).run(steps: ConvergenceTests.steps ?? 150)
    }
}
