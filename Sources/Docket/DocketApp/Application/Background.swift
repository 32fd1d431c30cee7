import ObjectGraph
import Synchronization

/// Reading on other threads, so that this one stays free for the keys.
///
/// Code that wants to read asks between events whether it can start. When the work is done, the
/// event loop is woken and asks for the result.
final class Background {
    private let coordinator: PersistentStoreCoordinator
    private let alarm = Alarm()
    private(set) var running: [any BackgroundWork] = []

    init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

    deinit { for work in running { work.cancel() } }

    /// Wakes the event loop; may be called from any thread.
    var wake: @Sendable () -> Void {
        get { alarm.body.withLock { $0 } }
        set { alarm.body.withLock { $0 = newValue } }
    }

    /// Whether nothing is being read that somebody waits for; less urgent work starts only then.
    ///
    /// What is cancelled does not count: it wakes nobody at its end.
    var isFree: Bool {
        running.removeAll { $0.isDone || $0.isCancelled }
        return running.isEmpty
    }

    /// Starts reading from a snapshot of the store.
    func start<Output: Sendable>(
        _ name: String,
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Output
    ) -> SnapshotTask<Output> {
        let alarm = alarm
        let task = SnapshotTask(
            coordinator,
            name: name,
            wake: { alarm.body.withLock { $0 }() },
            body
        )
        running.append(task)
        return task
    }

    /// Wakes the event loop; the closure may be set while something is being read.
    private final class Alarm: Sendable {
        let body = Mutex<@Sendable () -> Void>({})
    }
}

/// A piece of work.
protocol BackgroundWork: AnyObject {
    var isDone: Bool { get }
    var isCancelled: Bool { get }
    func cancel()
    @discardableResult
    func wait(atMost duration: Duration?) -> Bool
}

extension SnapshotTask: BackgroundWork {}
