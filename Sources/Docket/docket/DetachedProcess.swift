import Glibc

/// Another process, of this program or of another one, in a session of its own.
enum DetachedProcess {
    /// Starts a program without waiting for it.
    ///
    /// - Parameters:
    ///   - words: the arguments.
    ///   - program: a path, or a name that is looked up in `PATH`; this program by default.
    ///   - input: the file for its standard input; nothing by default.
    ///   - output: the file for its standard output; nothing by default.
    ///   - errors: whether standard error goes there too.
    /// - Returns: the process; `nil` if it could not be started.
    static func start(
        _ words: [String],
        of program: String = "/proc/self/exe",
        input: Int32? = nil,
        output: Int32? = nil,
        errors: Bool = false
    ) -> pid_t? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        // Its own session: a signal to the command's terminal does not end it. The constant is
        // POSIX_SPAWN_SETSID, which the module does not show.
        posix_spawnattr_setflags(&attributes, 0x80)
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        let streams = [input, output, errors ? output : nil]
        for (stream, file) in zip([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], streams) {
            if let file {
                posix_spawn_file_actions_adddup2(&files, file, stream)
            } else {
                posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0)
            }
        }
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&files)
        }
        var arguments =
            ([program.hasPrefix("/") ? "docket" : program] + words).map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, program, &files, &attributes, &arguments, environ)
        return failure == 0 ? process : nil
    }

    /// Runs a program to its end; whether it has succeeded.
    static func run(_ program: String, _ words: [String]) -> Bool {
        guard let process = start(words, of: program) else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return false } }
        return status == 0
    }
}
