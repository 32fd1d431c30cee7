import FoundationEssentials
import ObjectStore
import SeededRandom

/// Some machines and servers, and what people, networks, disks and clocks do to them.
///
/// A seed repeats everything as long as identities, hashes and the clock are repeated too.
package final class World<Machine: SimulatedMachine> {
    private let seed: UInt64
    private var random: SeededRandom
    private let machines: [Machine]
    /// What each server has.
    private let servers: [() throws -> [String]]
    private let surroundings: Surroundings
    private let network = Network()
    private var step = 0
    private var edits = 0
    /// The time, and by how much the clock of each machine is wrong.
    private var now: TimeInterval = 1_795_000_000
    private var offsets: [TimeInterval]
    /// Texts that somebody has given, and of them those that somebody has replaced or removed knowingly.
    private var given: Set<String> = []
    private var replaced: Set<String> = []
    /// What a machine holds, until it exchanges.
    private var seen: [Int: Set<String>] = [:]
    /// What machines would have whose last change was refused by the disk, empty if it is not known: it
    /// may be there after a crash, also after that of another change.
    private var doubtful: [Int: [String]] = [:]
    private var isDiskBroken = false
    private var trail: [String] = []
    /// What has failed, how often.
    package private(set) var faults: [String: Int] = [:]
    /// A number made of everything that has happened.
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    /// - Parameters:
    ///   - seed: chooses what happens.
    ///   - machines: the machines.
    ///   - servers: what each server has, as ``SimulatedMachine/contents()``.
    ///   - surroundings: the clock and the disk.
    package init(
        _ seed: UInt64,
        _ machines: [Machine],
        _ servers: [() throws -> [String]],
        _ surroundings: Surroundings = Surroundings()
    ) {
        (self.seed, self.machines, self.servers) = (seed, machines, servers)
        self.surroundings = surroundings
        random = SeededRandom(seed: seed)
        offsets = [TimeInterval](repeating: 0, count: machines.count)
    }

    /// Lets things happen; at the end, and now and then, everything is compared.
    ///
    /// - Parameter steps: how many things.
    /// - Throws: ``SimulationFailure``, with what has happened before.
    package func run(steps: Int) throws {
        do {
            for _ in 0..<steps {
                step += 1
                try happen()
                if step % 100 == 0 { try rest() }
            }
            try rest()
        } catch {
            throw SimulationFailure(
                """
                seed \(seed), step \(step): \(error)
                \(trail.suffix(150).joined(separator: "\n"))
                """
            )
        }
    }

    private func note(_ index: Int, _ what: String) {
        let line = "\(index): \(what)"
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        trail.append(line)
        if trail.count > 400 { trail.removeFirst(200) }
    }

    private func fail(
        _ what: String,
        _ present: [String] = [],
        _ expected: [String] = []
    ) -> SimulationFailure {
        let differences = Set(present).symmetricDifference(expected).sorted().map {
            "\n  \(present.contains($0) ? "is" : "should be") \($0)"
        }
        return SimulationFailure(what + differences.joined())
    }

    // MARK: Steps

    private func happen() throws {
        let index = random.below(machines.count)
        passTime(index)
        switch random.below(20) {
        case 0..<12: try edit(index)
        case 12: try act(index, saysWhat: false) { try machines[index].takeBack(&random) }
        case 13: try restart(index)
        default: try exchange(index)
        }
    }

    private func passTime(_ index: Int) {
        now +=
            random.chance(40) ? Double(random.below(200_000)) : Double(random.below(5_000)) / 1_000
        if random.chance(50) { offsets[index] = Double(random.below(172_800) - 86_400) }
        surroundings.setClock(now + offsets[index])
    }

    private func edit(_ index: Int, mayBreak: Bool = true) throws {
        edits += 1
        let number = edits
        try act(index, mayBreak: mayBreak) { try machines[index].edit(number, &random) }
    }

    /// What somebody does knowingly: texts that are gone afterwards are not missed, also if undo brings
    /// them back, because others may have seen that they were gone.
    ///
    /// What undo makes is not said before: if it was refused, it may be there after a crash.
    private func act(
        _ index: Int,
        mayBreak: Bool = true,
        saysWhat: Bool = true,
        _ body: () throws -> String
    ) throws {
        let machine = machines[index]
        let before = try seen[index] ?? machine.texts()
        seen[index] = nil
        let isTried = mayBreak && surroundings.breakDisk != nil && random.chance(8)
        let contents = isTried ? try machine.contents() : []
        machine.intended = nil
        let refused = doubtful[index]
        let isDone = try attempt(index, isTried, body)
        if refused == nil, doubtful[index] != nil { doubtful[index] = machine.intended ?? [] }
        if isTried || machine.intended != nil {
            let present = try machine.contents()
            let isDecided = refused != nil && doubtful[index] == nil
            let possible = [contents, machine.intended, isDecided ? refused : nil]
            if isDone, let intended = machine.intended, present != intended {
                throw fail("what was saved is not there", present, intended)
            }
            if !isDone, saysWhat, !possible.contains(present), !isDecided || refused != [] {
                throw fail("what was refused is there by half", present, contents)
            }
        }
        let after = try machine.texts()
        seen[index] = after
        replaced.formUnion(before.subtracting(after))
        given.formUnion(after)
    }

    /// Does something, on a disk that may fail; then the process is ended as often as not, before the
    /// disk works again.
    ///
    /// - Returns: whether it was done.
    private func attempt(_ index: Int, _ isTried: Bool, _ body: () throws -> String) throws -> Bool
    {
        guard isTried, let breakDisk = surroundings.breakDisk else {
            note(index, try body())
            return true
        }
        let isEnded = random.chance(2)
        let texts = isEnded && doubtful[index] != nil ? try machines[index].texts() : nil
        note(index, "disk \(breakDisk(&random))\(isEnded ? ", then a crash" : "")")
        isDiskBroken = true
        var refusal: (any Error)?
        do { note(index, try body()) } catch { refusal = error }
        isDiskBroken = false
        if isEnded { machines[index].close() }
        let hasFailed = surroundings.mendDisk()
        if isEnded { try start(index) }
        if let texts { try noteTexts(since: texts, index) }
        if hasFailed { faults["disk", default: 0] += 1 }
        if isEnded { faults["crash", default: 0] += 1 }
        guard let refusal else {
            if !isEnded { doubtful[index] = nil }
            return true
        }
        guard hasFailed || refusal is Network.Unreachable else { throw refusal }
        note(index, "refused: \(refusal)")
        if hasFailed { faults["refused", default: 0] += 1 }
        doubtful[index] = isEnded ? nil : []
        return false
    }

    /// Starts a process that has ended, as often as not after a loss of power.
    private func start(_ index: Int) throws {
        if random.chance(2) { surroundings.losePower(index, random.next()) }
        try machines[index].open()
    }

    private func restart(_ index: Int) throws {
        note(index, "restart")
        faults["restart", default: 0] += 1
        let machine = machines[index]
        let (contents, texts) = (try machine.contents(), try machine.texts())
        machine.close()
        try start(index)
        seen[index] = nil
        let present = try machine.contents()
        if present == contents { return }
        guard let refused = doubtful.removeValue(forKey: index), [[], present].contains(refused)
        else {
            throw fail("a restart has changed something", present, contents)
        }
        try noteTexts(since: texts, index)
    }

    /// Notes the texts of a machine; those that are gone may be what was refused and is there after all.
    private func noteTexts(since texts: Set<String>, _ index: Int) throws {
        let after = try machines[index].texts()
        replaced.formUnion(texts.subtracting(after))
        given.formUnion(after)
    }

    private func exchange(_ index: Int) throws {
        network.faults = (0..<6).map { _ in
            switch random.below(12) {
            case 0: .lostRequest
            case 1: .lostReply
            case 2: .brokenOff
            case 3: .doubledRequest
            default: nil
            }
        }
        seen[index] = nil
        defer {
            seen[index] = nil
            network.meanwhile = {}
        }
        note(index, "exchange \(network.faults.map { $0.map { "\($0)" } ?? "-" })")
        var choices = SeededRandom(seed: random.next())
        network.meanwhile = { [unowned self] in
            guard !isDiskBroken, random.chance(6) else { return }
            seen[index] = nil
            // The same process exchanges: it cannot be ended here.
            try edit(index, mayBreak: false)
        }
        let isTried = surroundings.breakDisk != nil && random.chance(8)
        do {
            _ = try attempt(index, isTried) {
                try machines[index].exchange(over: network, &choices)
            }
        } catch is Network.Unreachable {
            note(index, "unreachable")
            faults["unreachable", default: 0] += 1
            if random.chance(2) { try restart(index) }
        }
    }

    // MARK: Rest

    /// Everybody exchanges until nothing changes; then everything is compared.
    private func rest() throws {
        seen = [:]
        for round in 1...6 {
            var isQuiet = true
            for (index, machine) in machines.enumerated() {
                passTime(index)
                guard let change = try machine.settle() else { continue }
                note(index, "settle \(change)")
                isQuiet = false
            }
            if isQuiet { return try compare() }
            if round == 6 {
                let contents = try servers.map { try $0() }
                throw fail("still changing after 6 rounds", contents[0], contents.last ?? [])
            }
        }
    }

    private func compare() throws {
        doubtful = [:]
        let expected = try servers[0]()
        if try servers.contains(where: { try $0() != expected }) {
            throw fail("the servers differ")
        }
        var all: Set<String> = []
        for (index, machine) in machines.enumerated() {
            let contents = try machine.contents()
            guard contents == expected else {
                throw fail("machine \(index) differs", contents, expected)
            }
            let names = contents.map { $0.prefix { $0 != ":" } }
            if Set(names).count != names.count { throw fail("an object is doubled") }
            all.formUnion(try machine.texts())
        }
        let lost = given.subtracting(replaced).subtracting(all)
        if !lost.isEmpty { throw fail("lost: \(lost.sorted())") }
    }
}
