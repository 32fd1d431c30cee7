import CivilTime
import FoundationEssentials
import Glibc
import Synchronization

/// A line on the terminal that says how far a long command is; nothing in a pipe or a file.
///
/// While it exists, Control-C ends the command between two of its parts.
final class ProgressLine {
    /// The command was stopped by Control-C.
    struct Interrupted: Error {}

    private static let wasInterrupted = Atomic(false)

    private let title: String
    private let isShown = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    private let former: sighandler_t?

    /// - Parameter title: what is done, like `Importing`.
    init(_ title: String) {
        self.title = title
        ProgressLine.wasInterrupted.store(false, ordering: .relaxed)
        former = signal(SIGINT) { _ in
            ProgressLine.wasInterrupted.store(true, ordering: .relaxed)
            // A second one ends the program.
            signal(SIGINT, SIG_DFL)
        }
    }

    deinit {
        clear()
        signal(SIGINT, former)
    }

    /// Shows how far the command is.
    ///
    /// - Throws: ``Interrupted`` after Control-C.
    func show(_ done: Int, of total: Int) throws {
        if total <= 0 { return try check() }
        try show { "\(done) of \(total) (\(done * 100 / total) %)" }
    }

    /// Shows which part of the command is done, from 0 to 1.
    ///
    /// - Throws: ``Interrupted`` after Control-C.
    func show(_ part: Double) throws { try show { "\(Int(part * 100)) %" } }

    private func check() throws {
        if ProgressLine.wasInterrupted.load(ordering: .relaxed) { throw Interrupted() }
    }

    private func show(_ text: () -> String) throws {
        try check()
        let now = ContinuousClock.now
        // A command that is soon done shows nothing.
        guard isShown, now - start > .milliseconds(300) else { return }
        if let shown, now - shown < .milliseconds(100) { return }
        shown = now
        write("\r\(title): \(text())\u{1B}[K")
    }

    /// Removes the line, before other output.
    func clear() {
        if shown != nil { write("\r\u{1B}[K") }
        shown = nil
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes {
            Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
    }
}
