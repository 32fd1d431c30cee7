import Foundation
import SeededRandom
import SyncSimulation
import Testing

/// Only in the long tests, where it fails: the fault is described in `docs/design/servers.md`, Limits.
@Suite(
    "Libraries of a calendar server become equal",
    .enabled(if: ProcessInfo.processInfo.environment["SYNC_STEPS"] != nil)
)
struct LibraryConvergenceTests {
    /// A fifth of the steps that the replicas of records do: each opens a library.
    private static let steps =
        (ProcessInfo.processInfo.environment["SYNC_STEPS"].flatMap(Int.init) ?? 600) / 5

    @Test(arguments: SeededRandom.seeds(2))
    func librariesBecomeEqual(seed: UInt64) throws {
        let server = SimulatedCalDAV()
        let machines = try (0..<3).map { _ in try LibraryMachine(server) }
        // What the server has is what a new machine gets.
        let fresh: () throws -> [String] = {
            let machine = try LibraryMachine(server)
            _ = try machine.settle()
            return try machine.contents()
        }
        try World(seed, machines, [fresh]).run(steps: LibraryConvergenceTests.steps)
    }
}
