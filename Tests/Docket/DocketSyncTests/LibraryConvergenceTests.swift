import CSimulation
import Foundation
import SeededRandom
import SyncSimulation
import Testing

@Suite("Libraries of a calendar server become equal")
struct LibraryConvergenceTests {
    private static let seeds =
        ProcessInfo.processInfo.environment["SYNC_SEED"].flatMap(UInt64.init).map { $0...$0 }
        ?? SeededRandom.seeds(3)
    private static let steps = ProcessInfo.processInfo.environment["SYNC_STEPS"].flatMap(Int.init)

    @Test(arguments: LibraryConvergenceTests.seeds)
    func librariesBecomeEqual(seed: UInt64) throws {
        var surroundings = Surroundings()
        if LibraryConvergenceTests.seeds.count == 1 {
            // A seed alone repeats itself with SWIFT_DETERMINISTIC_HASHING=1 and `setarch -R`.
            simulation_begin(seed)
            surroundings.setClock = { simulation_set_clock($0) }
        }
        let server = SimulatedCalDAV()
        let machines = try (0..<3).map { _ in try LibraryMachine(server) }
        // What the server has is what a new machine gets.
        let fresh: () throws -> [String] = {
            let machine = try LibraryMachine(server)
            _ = try machine.settle()
            return try machine.contents()
        }
        try World(seed, machines, [fresh], surroundings).run(
            steps: LibraryConvergenceTests.steps ?? 200
        )
    }
}
