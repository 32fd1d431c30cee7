import DocketCore
import Glibc
import TerminalUI

/// Standard output in large writes, and messages on stderr.
///
/// Whatever goes to a terminal has no control characters; pipes get the text as it is. Lines for
/// people have no format characters either, wherever they go: these could show a text as another
/// one, and what a pipe reads mostly ends on a terminal. Data (``write(_:)``) keeps all.
enum Console {
    /// The reader of a pipe went away; not worth a message.
    struct BrokenPipe: Error, CustomStringConvertible {
        var description: String { "Nobody reads the output any more." }
    }

    private nonisolated(unsafe) static var buffer: [UInt8] = []

    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Whether colour and emphasis are wanted.
    static let isStyled: Bool =
        isTerminal && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
        && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false

    /// The width to fit lines to; `nil` in a pipe, where nothing is cut.
    static let columns: Int? = {
        guard isTerminal else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }()

    static func print(_ line: String) throws {
        buffer.append(contentsOf: DisplayWidth.displayed(line).utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > 1 << 16 { try flush() }
    }

    static func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count > 1 << 16 { try flush() }
    }

    static func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try buffer.withUnsafeBytes { try write($0, to: STDOUT_FILENO) }
    }

    /// A reader that goes away is an error of the write, not a signal that kills the program.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws {
        _ = ignoresBrokenPipes
        var start = 0
        while start < bytes.count {
            let count = Glibc.write(file, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            if count > 0 {
                start += count
            } else if errno == EPIPE {
                throw BrokenPipe()
            } else if errno != EINTR {
                throw OutputError(code: errno)
            }
        }
    }

    struct OutputError: Error, CustomStringConvertible {
        let code: Int32
        var reason: String { String(cString: strerror(code)) }
        var description: String { "The output could not be written: \(reason)." }
    }

    /// Why the output could not be written, as part of a sentence; `nil` for another error.
    static func whyUnwritten(_ error: any Error) -> String? {
        if let error = error as? OutputError { return error.reason }
        return error is BrokenPipe ? "its reader has closed the pipe" : nil
    }

    /// Puts something harmless where a standard stream is closed, so that no file that is opened
    /// later gets its number and with it what is written to the stream.
    static func holdStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) < 0 {
            // The wrong direction, so that using the stream still fails.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    static func fail(_ message: String) { note("docket: \(message)") }

    static func warn(_ message: String) { note("docket: \(message)") }

    /// What an exchange changed or left out, line by line.
    static func report(_ report: ExchangeReport, heading: String?, limit: Int = 20) {
        if let heading { note("docket: \(heading)") }
        note(report.details(limit: limit))
    }

    static func note(_ message: String) {
        let line = DisplayWidth.displayed(DisplayWidth.sanitize(message)) + "\n"
        _ = Array(line.utf8).withUnsafeBytes { try? write($0, to: STDERR_FILENO) }
    }

    /// Text as it may be shown: on a terminal without control characters.
    static func shown(_ text: String) -> String {
        isTerminal ? DisplayWidth.singleLine(text) : text
    }
}
