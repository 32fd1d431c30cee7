import DocketCore
import ObjectGraph
import Synchronization

/// The numbers of the transactions that this window has saved, with any context over its store.
final class WindowTransactions: Sendable {
    private let numbers = Mutex<Set<Int64>>([])
    private let token = Mutex<GraphNotificationCenter.Token?>(nil)

    init(_ library: Library) {
        let coordinator = library.context.coordinator
        let observer = GraphNotificationCenter.default.addObserver(of: ContextDidSave.self) {
            [weak self] save in
            guard save.context.coordinator === coordinator else { return }
            self?.numbers.withLock { $0.formUnion(save.transactions.values) }
        }
        token.withLock { $0 = observer }
    }

    deinit {
        if let token = token.withLock({ $0 }) {
            GraphNotificationCenter.default.removeObserver(token)
        }
    }

    var all: Set<Int64> { numbers.withLock { $0 } }
}
