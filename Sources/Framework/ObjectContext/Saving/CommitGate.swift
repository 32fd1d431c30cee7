import Glibc

/// Lets the user of a context put off the moment at which another thread writes a detached save.
///
/// While it is held, the store is as it was when the save began, so the context and the store
/// agree. Once the writing has begun, nobody can hold it.
///
/// Safety: the mutex guards the variables; it is freed with this object, which both threads hold.
final class CommitGate: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var holders = 0
    private var isOpen = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(mutex)
        change.deallocate()
        mutex.deallocate()
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    var isHeld: Bool { withLock { holders > 0 } }

    /// - Returns: whether it is held now; false once the writing has begun.
    func hold() -> Bool {
        withLock {
            if isOpen { return false }
            holders += 1
            return true
        }
    }

    func release() {
        withLock {
            if holders > 0 { holders -= 1 }
            pthread_cond_signal(change)
        }
    }

    /// Ends every hold: somebody who holds it waits for the writing.
    func letGo() {
        withLock {
            holders = 0
            pthread_cond_signal(change)
        }
    }

    /// Waits until nobody holds it; from now on nobody can.
    func pass() {
        withLock {
            while holders > 0 { pthread_cond_wait(change, mutex) }
            isOpen = true
        }
    }
}
