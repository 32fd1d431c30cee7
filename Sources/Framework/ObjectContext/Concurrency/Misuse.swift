import Glibc
import Synchronization

/// Wrong uses of the framework that do no harm; a debug build reports them.
public enum Misuse {
    private static let receiver = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Sends the reports to a closure instead of standard error; `nil` ends that.
    public static func onReport(_ body: (@Sendable (String) -> Void)?) {
        receiver.withLock { $0 = body }
    }

    /// Ends the program after a wrong use that would damage objects.
    ///
    /// Says why also in an optimised build, where `precondition` is silent.
    @inline(__always)
    static func trap(unless isRight: Bool, _ message: @autoclosure () -> String) {
        if !isRight { trap(message()) }
    }

    @inline(never)
    static func trap(_ message: String) -> Never { fatalError(message) }

    static func report(_ message: String) {
        if let body = receiver.withLock({ $0 }) { return body(message) }
        let line = "ObjectGraph: \(message)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
