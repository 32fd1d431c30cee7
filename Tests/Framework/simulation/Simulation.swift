import CFaultyDisk
import CSimulation
import FoundationEssentials
import Glibc
import SeededRandom
import SyncSimulation

/// Replicas, a server, disks, clocks and networks in one process that a seed repeats.
///
/// Usage: `simulation [SECONDS] [SEED [STEPS]]`. Without a seed it tries one after the other for so long,
/// on each core, and starts each twice now and then, to show that it repeats itself.
@main
enum Simulation {
    /// What one run has: enough to grow old, few enough to read.
    static let stepsOfSeed = 500

    static func main() {
        if simulation_repeat(CommandLine.unsafeArgv) != 0 {
            print(
                "simulation: this system does not let a program choose its addresses; a seed may differ"
            )
        }
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard numbers.count == CommandLine.arguments.count - 1, numbers.count <= 3 else {
            print("usage: simulation [SECONDS] [SEED [STEPS]]")
            exit(2)
        }
        _ = faulty_disk_make_default()
        let steps = numbers.count > 2 ? numbers[2] : stepsOfSeed
        do {
            if numbers.count > 1 {
                let digest = try run(UInt64(numbers[1]), steps).digest
                print("seed \(numbers[1]): \(steps) steps, digest \(String(digest, radix: 16))")
            } else {
                try run(seconds: numbers.first ?? 60, steps)
            }
        } catch {
            print(error)
            exit(1)
        }
    }

    private static func run(seconds: Int, _ steps: Int) throws {
        let start = ContinuousClock.now
        let lanes = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let lane = Int(simulation_split(Int32(lanes)))
        guard lane >= 0 else {
            let time = (ContinuousClock.now - start) / .seconds(1)
            let count = simulation_count(0)
            let rate = Int(Double(count) / time * 3_600)
            print("simulation: \(count) steps in \(Int(time)) s on \(lanes) cores, \(rate) an hour")
            exit(lane == -1 ? 0 : 1)
        }
        var seed = lane + 1
        var tally = FaultTally("simulation on core \(lane)")
        while ContinuousClock.now - start < .seconds(seconds) {
            let world = try run(UInt64(seed), steps)
            simulation_count(Int64(steps))
            for (name, number) in world.faults {
                for _ in 0..<number { tally.tried(name) }
            }
            if seed % 50 == 1 {
                if try run(UInt64(seed), steps).digest != world.digest {
                    throw SimulationFailure("seed \(seed) does not repeat itself")
                }
                simulation_count(Int64(steps))
            }
            seed += lanes
        }
        print("core \(lane): seeds \(lane + 1), \(lane + 1 + lanes) to \(seed - lanes)")
        tally.report()
    }

    /// One world from beginning to end.
    private static func run(
        _ seed: UInt64,
        _ steps: Int
    ) throws -> World<RecordMachine> {
        simulation_begin(seed)
        let folder = try ScratchFolder()
        let folders = (0..<4).map { folder.url.appending(path: "\($0)/") }
        for folder in folders {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        var surroundings = surroundings
        var lost = 0
        surroundings.losePower = { lost += faulty_disk_lose_power(folders[$0].path + "/", $1) }
        let urls = folders.map { $0.appending(path: "store.sqlite") }
        // Every third world has two servers.
        let world = try World(seed, urls, servers: seed % 3 == 0 ? 2 : 1, surroundings)
        try world.run(steps: steps)
        return world
    }

    private static var surroundings: Surroundings {
        var result = Surroundings()
        result.setClock = { simulation_set_clock($0) }
        var chosen = 0
        result.breakDisk = { random in
            let (name, mode) = random.pick([
                ("full", FAULTY_FULL), ("fails once", FAULTY_ERROR), ("any call", FAULTY_ANY),
                ("busy", FAULTY_BUSY), ("held", FAULTY_HELD), ("memory", FAULTY_MEMORY),
                ("no memory", FAULTY_NO_MEMORY),
            ])
            chosen = 1 + random.below(random.chance(4) ? 400 : 40)
            faulty_disk_set(Int32(mode), chosen)
            return "\(name) at \(chosen)"
        }
        result.mendDisk = {
            let hasFailed = faulty_disk_count() >= chosen
            faulty_disk_set(Int32(FAULTY_NEVER), 0)
            return hasFailed
        }
        return result
    }
}
