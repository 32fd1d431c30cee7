import FoundationEssentials

/// The faults that a test has tried; its line is what `Tools/test-full` adds up.
package struct FaultTally {
    private let name: String
    package private(set) var tried = 0
    package private(set) var lost = 0
    private var notes: [String: Int] = [:]

    /// How many faults of each kind are tried: `DOCKET_FAULTS`, a number or `all`; `nil` if the
    /// variable is not set.
    package static let wanted: Int? = ProcessInfo.processInfo.environment["DOCKET_FAULTS"]
        .flatMap { $0 == "all" ? .max : Int($0) }

    package init(_ name: String) { self.name = name }

    /// Counts a fault, and what came of it.
    package mutating func tried(_ outcome: String) {
        tried += 1
        notes[outcome, default: 0] += 1
    }

    /// Counts what was acknowledged and is not there, or what is there by half.
    package mutating func loses() { lost += 1 }

    package func report() {
        let notes = notes.sorted { $0.key < $1.key }.map { ", \($0.key) \($0.value)" }.joined()
        print("faults: \(tried) tried, lost: \(lost) (\(name)\(notes))")
    }

    /// Which numbers from 1 to a last one are tried: all of them, or some that are spread over all.
    ///
    /// - Parameters:
    ///   - last: the last number.
    ///   - few: how many if `DOCKET_FAULTS` is not set.
    ///   - random: chooses them.
    /// - Returns: the numbers, in rising order.
    package static func numbers(
        to last: Int,
        few: Int,
        _ random: inout SeededRandom
    ) -> [Int] {
        let tries = wanted ?? few
        guard tries < last else { return last > 0 ? Array(1...last) : [] }
        return (0..<tries).map { 1 + $0 * last / tries + random.below(max(1, last / tries)) }
    }
}
