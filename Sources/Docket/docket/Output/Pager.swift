import FoundationEssentials
import Glibc

/// The program of `PAGER`, which shows what does not fit on the terminal.
enum Pager {
    // Safety: the main thread alone writes output.
    private nonisolated(unsafe) static var process: pid_t?

    /// Whether there is one, and a terminal; `cat` is none.
    static let isWanted: Bool = {
        guard Console.isTerminal, let name = getenv("PAGER") else { return false }
        return !["", "cat"].contains(String(cString: name))
    }()

    /// Starts it if the output has more lines than the terminal; from then on it gets everything.
    ///
    /// One that cannot be started is left out.
    static func start(for output: [UInt8]) {
        var size = winsize()
        guard process == nil, isWanted, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
            output.count(where: { $0 == UInt8(ascii: "\n") }) >= Int(size.ws_row)
        else { return }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        defer { for end in ends { close(end) } }
        // As git has it: one screen is not paged, colours are shown, the screen stays.
        setenv("LESS", "FRX", 0)
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO)
        for end in ends { posix_spawn_file_actions_addclose(&files, end) }
        let words: [String] = ["sh", "-c", String(cString: getenv("PAGER"))]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var started: pid_t = 0
        guard posix_spawn(&started, "/bin/sh", &files, nil, &arguments, environ) == 0 else {
            return
        }
        process = started
        // Ctrl-C is for the pager.
        signal(SIGINT, SIG_IGN)
        dup2(ends[1], STDOUT_FILENO)
    }

    /// Waits until the user has left it.
    static func finish() {
        guard let process else { return }
        close(STDOUT_FILENO)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        self.process = nil
    }
}
