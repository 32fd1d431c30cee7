import Glibc

/// Threads that sleep in the kernel until something happens.
public enum WatchingThread {
    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a body on a new thread, with signals blocked: the program's own threads handle those.
    public static func start(_ body: @escaping @Sendable () -> Void) {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        var thread = pthread_t()
        // Safety: the thread takes this reference; without a thread it is released here.
        let start = Unmanaged.passRetained(Start(body))
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            start.toOpaque()
        )
        if code == 0 { pthread_detach(thread) } else { start.release() }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
