import Synchronization

/// The numbers of the transactions that one coordinator has saved, for somebody who reads the
/// history of its stores and knows these saves already.
final class OwnTransactions: Sendable {
    /// By store identifier; ranges, because a coordinator often saves several times in a row.
    private let numbers = Mutex<[String: RangeSet<Int64>]>([:])

    func note(_ number: Int64, in store: String) {
        // Only damage gives the greatest number, after which a store takes no transaction.
        if number == .max { return }
        numbers.withLock { $0[store, default: RangeSet()].insert(contentsOf: number..<number + 1) }
    }

    func all(in store: String) -> RangeSet<Int64> { numbers.withLock { $0[store] ?? RangeSet() } }

    /// Moves a place over the transactions that follow it without a gap.
    func skip(_ place: inout Int64, in store: String) {
        if place == .max { return }
        let next = place + 1
        let run = all(in: store).ranges.last { $0.lowerBound <= next }
        if let run, run.contains(next) { place = run.upperBound - 1 }
    }
}

/// Those who want to know of a coordinator's transactions; guarded by the coordinator's lock.
struct OwnTransactionList {
    private struct Weak {
        weak var listener: OwnTransactions?
    }

    private var listeners: [Weak] = []

    mutating func add(_ listener: OwnTransactions) {
        listeners.removeAll { $0.listener == nil }
        listeners.append(Weak(listener: listener))
    }

    func note(_ number: Int64, in store: String) {
        for entry in listeners { entry.listener?.note(number, in: store) }
    }
}
