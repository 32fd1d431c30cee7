import Foundation
import SeededRandom
import SyncSimulation
import Testing

@Suite("Libraries of a calendar server become equal")
struct LibraryConvergenceTests {
    /// A fifth of the steps that the replicas of records do: each opens a library.
    private static let steps =
        (ProcessInfo.processInfo.environment["SYNC_STEPS"].flatMap(Int.init) ?? 200) / 5

    @Test(arguments: SeededRandom.seeds(2))
    func librariesBecomeEqual(seed: UInt64) throws {
        try run(seed, SimulatedCalDAV())
    }

    /// A tag of such a server may be that of a former state.
    @Test(arguments: SeededRandom.seeds(1))
    func librariesOfAServerWhoseTagsComeBackBecomeEqual(seed: UInt64) throws {
        let server = SimulatedCalDAV()
        server.quirks = .contentTags
        try run(seed, server)
    }

    private func run(_ seed: UInt64, _ server: SimulatedCalDAV) throws {
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
