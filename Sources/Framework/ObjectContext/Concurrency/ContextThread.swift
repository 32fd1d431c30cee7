import Glibc
import Synchronization

/// A thread that runs work items one after the other, such as the thread of a
/// ``BackgroundContext``.
///
/// As the actor's executor it runs the actor's jobs, as that of tasks (``tasks``) all of theirs;
/// blocking callers pass it closures. The thread sleeps while there is no work, and ends with its
/// owner.
public final class ContextThread: SerialExecutor, Sendable {
    fileprivate enum Work {
        case job(UnownedJob)
        case task(UnownedJob, UnownedTaskExecutor)
        case body(@Sendable () -> Void)
    }

    /// What the thread and its owner share.
    ///
    /// Safety: the mutex guards the variables; it is freed with the queue, which both hold.
    fileprivate final class Queue: @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        private var waiting: [Work] = []
        private var isClosed = false

        init() {
            pthread_mutex_init(mutex, nil)
            pthread_cond_init(arrival, nil)
        }

        deinit {
            pthread_cond_destroy(arrival)
            pthread_mutex_destroy(mutex)
            arrival.deallocate()
            mutex.deallocate()
        }

        func put(_ work: Work) {
            pthread_mutex_lock(mutex)
            waiting.append(work)
            pthread_cond_signal(arrival)
            pthread_mutex_unlock(mutex)
        }

        func close() {
            pthread_mutex_lock(mutex)
            isClosed = true
            pthread_cond_signal(arrival)
            pthread_mutex_unlock(mutex)
        }

        /// Waits for work and returns all of it; empty when the queue is closed.
        func take() -> [Work] {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            while waiting.isEmpty, !isClosed { pthread_cond_wait(arrival, mutex) }
            defer { waiting = [] }
            return waiting
        }
    }

    /// The arguments of a new thread.
    private final class Start {
        let queue: Queue
        let executor: UnownedSerialExecutor
        let name: String

        init(_ queue: Queue, _ thread: ContextThread, _ name: String) {
            self.queue = queue
            executor = thread.asUnownedSerialExecutor()
            self.name = name
        }
    }

    /// The thread as the preferred executor of tasks.
    ///
    /// Another object: a job that runs with an executor of tasks that its task does not prefer is put
    /// off at each call within the actor.
    public final class Tasks: TaskExecutor {
        private let queue: Queue

        fileprivate init(_ queue: Queue) { self.queue = queue }

        public func enqueue(_ job: consuming ExecutorJob) {
            queue.put(.task(UnownedJob(job), asUnownedTaskExecutor()))
        }

        public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
            UnownedTaskExecutor(ordinary: self)
        }
    }

    private let queue = Queue()
    /// The executor of tasks that run all their work here.
    public let tasks: Tasks
    private let thread = Atomic<UInt>(0)

    /// Starts a thread; debuggers show the first 15 bytes of the name.
    public init(name: String) {
        tasks = Tasks(queue)
        // Safety: the thread takes a reference to this, and with it to the queue, but none to `self`:
        // work holds the owner while it runs.
        let start = Start(queue, self, name)
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                CurrentThread.setName(start.name)
                ContextThread.run(start)
                return nil
            },
            Unmanaged.passRetained(start).toOpaque()
        )
        precondition(
            code == 0,
            "the system could not start a thread for the context \(name): error \(code)"
        )
        pthread_detach(thread)
        self.thread.store(UInt(thread), ordering: .releasing)
    }

    deinit { queue.close() }

    private static func run(_ start: Start) {
        while true {
            let works = start.queue.take()
            if works.isEmpty { return }
            for work in works {
                switch work {
                case .job(let job): job.runSynchronously(on: start.executor)
                case .task(let job, let executor): job.runSynchronously(on: executor)
                case .body(let body): body()
                }
            }
        }
    }

    /// Whether the caller is on this thread.
    var isCurrent: Bool { CurrentThread.number == thread.load(ordering: .acquiring) }

    public func enqueue(_ job: consuming ExecutorJob) { queue.put(.job(UnownedJob(job))) }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    public func checkIsolated() {
        precondition(isCurrent, "this is not the thread of the context")
    }

    /// Runs work on the thread and waits for it; immediately if the caller is on that thread.
    public func wait(for body: @escaping @Sendable () -> Void) {
        if isCurrent { return body() }
        let done = Completion()
        queue.put(
            .body {
                body()
                done.signal()
            }
        )
        done.wait()
    }

    /// Runs work on the thread later.
    public func later(_ body: @escaping @Sendable () -> Void) { queue.put(.body(body)) }
}

/// One event that one thread waits for.
///
/// Safety: any thread may use a semaphore; it is freed with this object, which both threads hold.
public final class Completion: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Not done yet.
    public init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets whoever waits go on; called once.
    public func signal() { sem_post(semaphore) }

    /// Waits until ``signal()``.
    public func wait() {
        while sem_wait(semaphore) != 0 {}
    }

    /// Waits, but not longer than a duration; `nil` waits without a limit.
    ///
    /// Uses the wall clock: if the clock is set back, the wait lasts until the event.
    ///
    /// - Returns: whether the event has happened; later calls return the same.
    public func wait(atMost duration: Duration?) -> Bool {
        guard let duration else {
            wait()
            signal()
            return true
        }
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
        end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while sem_timedwait(semaphore, &end) != 0 {
            if errno != EINTR { return false }
        }
        signal()
        return true
    }
}
