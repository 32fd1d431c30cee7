import Glibc

/// Another process of this program, in a session of its own.
enum DetachedProcess {
    /// Starts a subcommand without waiting for it.
    ///
    /// - Parameters:
    ///   - words: the arguments.
    ///   - output: the file for its standard output; nothing by default.
    /// - Returns: whether it was started.
    static func start(_ words: [String], output: Int32? = nil) -> Bool {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        // Its own session: a signal to the command's terminal does not end it. The constant is
        // POSIX_SPAWN_SETSID, which the module does not show.
        posix_spawnattr_setflags(&attributes, 0x80)
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        if let output { posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO) }
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where output == nil || stream != STDOUT_FILENO {
            posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0)
        }
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&files)
        }
        var arguments = (["docket"] + words).map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var process: pid_t = 0
        return posix_spawn(&process, "/proc/self/exe", &files, &attributes, &arguments, environ)
            == 0
    }
}
