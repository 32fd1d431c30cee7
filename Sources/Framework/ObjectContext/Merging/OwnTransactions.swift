import Synchronization

/// The numbers of the transactions that one coordinator has saved, for somebody who reads the
/// history of its stores and knows these saves already.
final class OwnTransactions: Sendable {
    /// By store identifier.
    private let numbers = Mutex<[String: Set<Int64>]>([:])

    func note(_ number: Int64, in store: String) {
        numbers.withLock { _ = $0[store, default: []].insert(number) }
    }

    func all(in store: String) -> Set<Int64> { numbers.withLock { $0[store] ?? [] } }

    /// Moves a place over the transactions that follow it without a gap.
    func skip(_ place: inout Int64, in store: String) {
        numbers.withLock { numbers in
            while numbers[store]?.remove(place + 1) != nil { place += 1 }
        }
    }

    /// Forgets the numbers up to a place.
    func forget(upTo place: Int64, in store: String) {
        numbers.withLock { numbers in
            guard let known = numbers[store], !known.isEmpty else { return }
            numbers[store] = known.filter { $0 > place }
        }
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
