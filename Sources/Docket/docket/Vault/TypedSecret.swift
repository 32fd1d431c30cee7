import DocketCore
import DocketFormats
import Encryption
import Glibc
import Synchronization

/// Reading a passphrase or a password: from the terminal without echo, or a line of a file.
///
/// The bytes go into locked memory at once and are in no other place of this process.
enum TypedSecret {
    private static let longest = 4096

    /// Whether there is a terminal to ask on.
    static var canAsk: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }

    /// Asks on the terminal, without showing what is typed.
    ///
    /// - Throws: `InputError` without a terminal, or at its end.
    static func ask(_ prompt: String) throws -> SecretBytes {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw InputError(
                .locked,
                "There is no terminal to ask for the passphrase; use --passphrase-file."
            )
        }
        defer { close(terminal) }
        while true {
            let silence = try Silence(terminal)
            say(prompt, to: terminal)
            let secret = try line(from: terminal, unless: silence.alarm)
            silence.end()
            say("\n", to: terminal)
            // Stopped by Control-Z: ask again when the program continues.
            if let secret { return secret }
        }
    }

    /// A new passphrase, which is typed twice on a terminal; never empty.
    static func new(from file: String?) throws -> SecretBytes {
        if let file { return try notEmpty(read(file)) }
        let first = try notEmpty(ask("New passphrase: "))
        if first == (try ask("The same again: ")) { return first }
        throw InputError(.malformed, "The two passphrases differ; nothing was changed.")
    }

    private static func notEmpty(_ passphrase: SecretBytes) throws -> SecretBytes {
        if passphrase.count > 0 { return passphrase }
        throw InputError(.malformed, "An empty passphrase protects nothing; type another one.")
    }

    /// The first line that was not read yet, of a file, of standard input for "-", or of an open
    /// descriptor for its number after `fd:`.
    ///
    /// `what` is what the line is, for messages.
    static func read(_ path: String, _ what: String = "passphrase") throws -> SecretBytes {
        var file = STDIN_FILENO
        if path.hasPrefix("fd:"), let number = Int32(path.dropFirst(3)) {
            file = number
        } else if path != "-" {
            file = open(path, O_RDONLY | O_CLOEXEC)
        }
        defer { if file != STDIN_FILENO, path.hasPrefix("fd:") == false { close(file) } }
        guard file >= 0, let secret = try line(from: file, what: what) else {
            throw InputError(
                kind(what),
                "\(path) cannot be read: \(String(cString: strerror(errno)))."
            )
        }
        return secret
    }

    /// Without a passphrase the vault stays locked.
    private static func kind(_ what: String) -> InputError.Kind {
        what == "passphrase" ? .locked : .malformed
    }

    private static func say(_ text: String, to file: Int32) {
        _ = Array(text.utf8).withUnsafeBytes { try? Console.write($0, to: file) }
    }

    /// Reads byte by byte, so that the next line stays for the next reader.
    ///
    /// - Parameters:
    ///   - file: what is read.
    ///   - alarm: a descriptor that can be read after a signal; none is -1.
    ///   - what: what the line is, for messages.
    /// - Returns: one line; `nil` if a signal stopped it.
    /// - Throws: `InputError` if there is no line, or it is too long.
    private static func line(
        from file: Int32,
        unless alarm: Int32 = -1,
        what: String = "passphrase"
    ) throws -> SecretBytes? {
        var count = 0
        var failure: Int32 = 0
        var isEnd = false
        let buffer = try SecretBytes(count: longest) { buffer in
            while count < buffer.count {
                var places = [
                    pollfd(fd: file, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
                ]
                // A signal before the reading begins would not end it.
                if alarm >= 0, poll(&places, 2, -1) < 0 || places[1].revents != 0 {
                    failure = EINTR
                    return
                }
                let result = Glibc.read(file, buffer.baseAddress.map { $0 + count }, 1)
                if result < 0 {
                    failure = errno
                    return
                }
                if result == 0 {
                    isEnd = count == 0
                    return
                }
                if buffer[count] == UInt8(ascii: "\n") {
                    if count > 0, buffer[count - 1] == UInt8(ascii: "\r") { count -= 1 }
                    return
                }
                count += 1
            }
        }
        defer { buffer.erase() }
        if failure == EINTR { return nil }
        guard failure == 0, !isEnd, count < longest else {
            let reason =
                failure != 0
                ? String(cString: strerror(failure))
                : isEnd ? "there is no line" : "it has more than \(longest - 1) bytes"
            throw InputError(kind(what), "The \(what) cannot be read: \(reason).")
        }
        return try buffer.withBytes { bytes in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }
}

/// A terminal without echo, which every signal that ends or stops the program turns on again.
private final class Silence {
    private let terminal: Int32
    private var former = termios()
    private var actions: [(signal: Int32, action: sigaction)] = []
    /// Can be read after a signal.
    let alarm: Int32
    private static let received = Atomic<Int32>(0)
    /// Where a signal writes; -1 without a silent terminal.
    private static let alarmEnd = Atomic<Int32>(-1)
    private static let signals: [Int32] =
        [
            SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2, SIGALRM,
            SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT, SIGXCPU,
        ] + (34...64)

    init(_ terminal: Int32) throws {
        self.terminal = terminal
        var ends: [Int32] = [-1, -1]
        guard tcgetattr(terminal, &former) == 0, pipe(&ends) == 0 else {
            alarm = -1
            throw InputError(.locked, "The terminal cannot be set to hide what is typed.")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        alarm = ends[0]
        Silence.alarmEnd.store(ends[1], ordering: .relaxed)
        Silence.received.store(0, ordering: .relaxed)
        for signal in Silence.signals {
            var action = sigaction()
            var before = sigaction()
            // Without SA_RESTART: reading ends, and the terminal is set back before the signal acts.
            action.__sigaction_handler.sa_handler = { number in
                let error = errno
                Silence.received.store(number, ordering: .relaxed)
                write(Silence.alarmEnd.load(ordering: .relaxed), "!", 1)
                errno = error
            }
            sigaction(signal, &action, &before)
            actions.append((signal, before))
        }
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK)
        silent.c_lflag |= tcflag_t(ICANON | ECHONL | ISIG)
        silent.c_lflag &= ~tcflag_t(ECHONL)
        // What was typed before the question is not an answer.
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
            end()
            throw InputError(.locked, "The terminal cannot be set to hide what is typed.")
        }
    }

    /// Turns the echo on, then lets a signal act that has arrived meanwhile.
    func end() {
        tcsetattr(terminal, TCSAFLUSH, &former)
        for (signal, action) in actions {
            var action = action
            sigaction(signal, &action, nil)
        }
        actions = []
        close(Silence.alarmEnd.exchange(-1, ordering: .relaxed))
        close(alarm)
        let number = Silence.received.exchange(0, ordering: .relaxed)
        if number != 0 { kill(getpid(), number) }
    }

    deinit { if !actions.isEmpty { end() } }
}
