package import FoundationEssentials
package import SeededRandom

/// One of the machines of a simulation: a store, and what people and programs do with it.
package protocol SimulatedMachine: AnyObject {
    /// Somebody changes something and saves it.
    ///
    /// - Parameters:
    ///   - number: makes new texts; no other edit has it.
    ///   - random: chooses.
    /// - Returns: what was changed.
    /// - Throws: the store's error; nothing was changed then.
    func edit(_ number: Int, _ random: inout SeededRandom) throws -> String

    /// Somebody undoes or redoes something, or takes the other value of a conflict.
    ///
    /// - Returns: what was done.
    func takeBack(_ random: inout SeededRandom) throws -> String

    /// Exchanges with one of the servers.
    ///
    /// - Returns: what was done.
    func exchange(over network: Network, _ random: inout SeededRandom) throws -> String

    /// Exchanges with all servers over a network that works.
    ///
    /// - Returns: what has changed; `nil` = nothing.
    func settle() throws -> String?

    /// Everything that is exchanged, one line for each object, sorted.
    func contents() throws -> [String]

    /// The texts that people have typed which are here, each with its object, also those that are kept as
    /// the losers of conflicts.
    func texts() throws -> Set<String>

    /// What ``contents()`` is if the last edit has been saved; `nil` = not known.
    var intended: [String]? { get set }

    /// Ends the process: what is not saved is gone.
    func close()

    /// Starts the process again.
    func open() throws
}

/// A network between a machine and a server.
package final class Network {
    /// What happens with a call.
    package enum Fault {
        /// The request does not arrive.
        case lostRequest
        /// The request is served, the answer is lost.
        case lostReply
        /// Half of the request is served, then the connection ends.
        case brokenOff
        /// The request arrives twice; the answer is that of the first.
        case doubledRequest
    }

    package struct Unreachable: Error {
        package init() {}
    }

    /// What happens with the next calls, one each.
    package var faults: [Fault?] = []
    /// Runs while a call is on its way.
    package var meanwhile: () throws -> Void = {}

    package init() {}

    /// Makes a call.
    ///
    /// - Parameter serve: serves the request, or half of it.
    /// - Returns: the answer.
    /// - Throws: ``Unreachable``, and what the server throws.
    package func call<Answer>(_ serve: (_ isWhole: Bool) throws -> Answer) throws -> Answer {
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        if case .lostRequest = fault { throw Unreachable() }
        if case .brokenOff = fault {
            _ = try serve(false)
            throw Unreachable()
        }
        let answer = try serve(true)
        if case .doubledRequest = fault { _ = try serve(true) }
        try meanwhile()
        if case .lostReply = fault { throw Unreachable() }
        return answer
    }
}

/// What a simulation controls beside people and the network.
package struct Surroundings {
    /// Sets the clock of the machine that works next.
    package var setClock: (TimeInterval) -> Void = { _ in }
    /// Lets the disk fail in some way at an operation from now on.
    package var breakDisk: ((_ random: inout SeededRandom) -> String)?
    /// Lets the disk work again; whether it has failed.
    package var mendDisk: () -> Bool = { false }
    /// Takes the power from a machine whose process has ended, by its number: what its disk has not
    /// synced is gone.
    package var losePower: (_ machine: Int, _ choices: UInt64) -> Void = { _, _ in }

    package init() {}
}

/// What a simulation has found.
package struct SimulationFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
