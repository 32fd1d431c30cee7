import CTerminal
import Glibc

/// Programs that get the terminal until they end, such as an editor.
public enum ForegroundProgram {
    /// Runs a program on the terminal of this one, and waits for its end.
    ///
    /// Meanwhile ctrl-c is for that program alone.
    ///
    /// - Parameter arguments: its name, which is looked up in `PATH`, and what follows it.
    /// - Returns: its exit status; 128 plus the signal's number if a signal ended it.
    /// - Throws: `TerminalError` if it cannot be started.
    public static func run(_ arguments: [String]) throws(TerminalError) -> Int32 {
        guard let program = arguments.first else {
            throw TerminalError.cannotRun(program: "", code: ENOENT)
        }
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let status = words.withUnsafeMutableBufferPointer { words in
            words.baseAddress.map { cterminal_run($0) } ?? -EINVAL
        }
        if status < 0 { throw TerminalError.cannotRun(program: program, code: -status) }
        return status
    }
}
