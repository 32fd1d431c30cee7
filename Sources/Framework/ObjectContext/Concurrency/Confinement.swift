import Synchronization

/// Where a context may be used, and the check of it.
///
/// The compiler keeps contexts and objects from crossing between isolation domains. This check
/// finds uses that the compiler cannot see, such as by `@unchecked Sendable` or
/// `nonisolated(unsafe)`. It exists in debug builds only; in a release build every call is empty.
///
/// Rules:
/// 1. A *confined* context is used on its own thread only. The main thread's context may also be
///    used on the thread that serves the main queue: on Linux that is another thread from the first
///    `await` of the program on.
/// 2. A context that is not confined may move from thread to thread, as Swift's tasks do, but is
///    never used on two threads at a time: while one of its operations runs on a thread, no other
///    thread may use it or its objects.
final class Confinement: Sendable {
    /// The thread that the context is confined to; number 0 for none.
    private let home = Atomic<UInt>(0)
    /// Whether that is the main thread, or serves the main queue.
    private let isMain = Atomic<Bool>(false)
    /// The thread that runs an operation of the context now; 0 for none.
    private let user = Atomic<UInt>(0)

    /// Confines the context to the caller's thread.
    func confine() {
        CurrentThread.note()
        isMain.store(CurrentThread.isMain, ordering: .relaxed)
        home.store(CurrentThread.number, ordering: .releasing)
    }

    /// Ends the binding to a thread.
    func free() { home.store(0, ordering: .releasing) }

    /// Whether the caller may use the context now.
    var allows: Bool {
        let home = home.load(ordering: .relaxed)
        let user = user.load(ordering: .relaxed)
        if home == 0, user == 0 { return true }
        let here = CurrentThread.number
        return (user == 0 || user == here) && (home == 0 || isHome(home))
    }

    private func isHome(_ home: UInt) -> Bool {
        home == CurrentThread.number || isMain.load(ordering: .relaxed) && CurrentThread.isMain
    }

    /// Marks the beginning of an operation; the result goes to ``end(_:)``.
    ///
    /// `nil` if another thread is running an operation.
    func begin() -> Bool? {
        guard allows else { return nil }
        let here = CurrentThread.number
        let (isFirst, now) = user.compareExchange(
            expected: 0,
            desired: here,
            ordering: .acquiringAndReleasing
        )
        if isFirst { CurrentThread.note() }
        return isFirst || now == here ? isFirst : nil
    }

    func end(_ isFirst: Bool) {
        if isFirst { user.store(0, ordering: .releasing) }
    }

    /// The message about a wrong use, with the right thread and the wrong one.
    func complaint(about what: String, of context: String) -> String {
        let home = home.load(ordering: .acquiring)
        let here = CurrentThread.label
        if home != 0, !isHome(home) {
            let label = CurrentThread.label(of: home)
            return "\(what) of \(context) was used on thread \(here), but its context belongs to"
                + " thread \(label). Pass object IDs, and use perform to get there."
        }
        let label = CurrentThread.label(of: user.load(ordering: .acquiring))
        return "\(what) of \(context) was used on thread \(here) while thread \(label) was using"
            + " its context. Pass object IDs, and use one context for each executor."
    }
}
