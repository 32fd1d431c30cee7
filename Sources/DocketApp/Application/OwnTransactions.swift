import DocketCore
import ObjectGraph
import Synchronization

/// The numbers of the transactions that the contexts over one coordinator saved.
final class OwnTransactions: Sendable {
    private let numbers = Mutex<Set<Int64>>([])
    private let untaken = Mutex<Set<Int64>>([])
    private let token = Mutex<GraphNotificationCenter.Token?>(nil)

    init(_ library: Library) {
        let coordinator = library.context.coordinator
        let observer = GraphNotificationCenter.default.addObserver(of: ContextDidSave.self) {
            [weak self] save in
            guard save.context.coordinator === coordinator else { return }
            self?.numbers.withLock { $0.formUnion(save.transactions.values) }
            self?.untaken.withLock { $0.formUnion(save.transactions.values) }
        }
        token.withLock { $0 = observer }
    }

    deinit {
        if let token = token.withLock({ $0 }) {
            GraphNotificationCenter.default.removeObserver(token)
        }
    }

    /// All numbers since it was made.
    var all: Set<Int64> { numbers.withLock { $0 } }

    /// The numbers since the last call.
    func take() -> Set<Int64> {
        untaken.withLock { numbers in
            defer { numbers = [] }
            return numbers
        }
    }
}
