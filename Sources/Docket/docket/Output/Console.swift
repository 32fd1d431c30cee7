import DocketCore
import DocketFormats
import Glibc
import TerminalUI

/// Standard output in large writes, and messages on stderr.
///
/// Text for a terminal has no control characters; pipes get the text unchanged. Lines for people
/// never have format characters: these could make a text look like another one, and the reader of a
/// pipe often prints to a terminal. Data (``write(_:)``) keeps everything.
enum Console {
    /// The reader of a pipe has closed it; this needs no message.
    struct BrokenPipe: Error, CustomStringConvertible {
        var description: String { "Nobody reads the output any more." }
    }

    // Safety: one thread at a time writes output.
    private nonisolated(unsafe) static var buffer: [UInt8] = []

    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Whether to use colour and emphasis.
    static let isStyled: Bool =
        isTerminal && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
        && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false

    /// The width for lines; `nil` in a pipe, where nothing is cut.
    static let columns: Int? = {
        guard isTerminal else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }()

    /// Asks on the terminal; everything but y means no.
    static func confirm(_ question: String) -> Bool {
        guard isTerminal, isatty(STDIN_FILENO) == 1 else { return false }
        do {
            try write(Array("\(shown(question)) (y, n) ".utf8))
            try flush()
        } catch { return false }
        return readLine()?.lowercased().first == "y"
    }

    static func print(_ line: String) throws {
        buffer.append(contentsOf: DisplayWidth.displayed(line).utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > 1 << 16 { try flushPaged() }
    }

    /// Prints the lines of a text, each after an indent; none is copied that is printed as it is.
    static func print(text: String, indent: String) throws {
        var text = text
        try text.withUTF8 { bytes in
            for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
                buffer.append(contentsOf: indent.utf8)
                if isTerminal || !DisplayWidth.isDisplayed(UnsafeBufferPointer(rebasing: line)) {
                    try print(shown(String(decoding: line, as: UTF8.self)))
                } else {
                    buffer.append(contentsOf: line)
                    try write([UInt8(ascii: "\n")])
                }
            }
        }
    }

    static func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count > 1 << 16 { try flushPaged() }
    }

    /// Writes a value as one line.
    static func print(_ value: JSONValue) throws {
        JSONText.append(value, to: &buffer)
        try write([UInt8(ascii: "\n")])
    }

    /// Writes what there is, by the pager if that is more than the terminal shows.
    static func flushPaged() throws {
        Pager.start(for: buffer)
        try flush()
    }

    static func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try buffer.withUnsafeBytes { try write($0, to: STDOUT_FILENO) }
    }

    /// Makes a closed pipe an error of the write, instead of a signal that kills the program.
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

    /// Opens something harmless in place of closed standard streams.
    ///
    /// Otherwise a file that is opened later could get such a number, and the output meant for the
    /// stream.
    static func holdStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) < 0 {
            // In the wrong direction, so that using the stream still fails.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    static func fail(_ message: String) { note("docket: \(message)") }

    static func warn(_ message: String) { note("docket: \(message)") }

    /// The changes and omissions of an import or export, line by line.
    static func report(_ report: ExchangeReport, heading: String?, limit: Int = 20) {
        if let heading { note("docket: \(heading)") }
        note(report.details(limit: limit))
    }

    static func note(_ message: String) {
        let line = DisplayWidth.displayed(DisplayWidth.sanitize(message)) + "\n"
        _ = Array(line.utf8).withUnsafeBytes { try? write($0, to: STDERR_FILENO) }
    }

    /// Text for showing: on a terminal without control characters.
    static func shown(_ text: String) -> String {
        isTerminal ? DisplayWidth.singleLine(text) : text
    }
}
