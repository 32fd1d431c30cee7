import CChildProcess
import Glibc

/// A program that runs beside the tests, in a process group of its own.
///
/// It holds nothing of the test process but the three files named for it, and `wait` alone takes
/// its end: neither other programs started at the same time nor a run loop can delay it.
package final class ChildProcess {
    /// How a program ended.
    package enum End: Equatable {
        case code(Int32)
        case signal(Int32)
    }

    /// The process, and the group that it leads.
    package let identifier: Int32
    private var end: End?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: those after its name.
    ///   - environment: all of its variables, but for the options of sanitizers, which it inherits.
    ///   - folder: where it runs; by default where the tests do.
    ///   - input: the file that it reads.
    ///   - output: the file for its output, created or emptied.
    ///   - errors: the file for its errors, created or emptied.
    /// - Throws: ``ChildProcessError`` if it cannot be started.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        folder: String = ".",
        input: String = "/dev/null",
        output: String = "/dev/null",
        errors: String = "/dev/null"
    ) throws {
        var identifier: Int32 = 0
        var environment = environment
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
            if let options = getenv(name) { environment[name] = String(cString: options) }
        }
        let words = environment.map { "\($0.key)=\($0.value)" }.sorted()
        let result = withWords([program] + arguments) { arguments in
            withWords(words) { environment in
                withWords([input, output, errors]) { files in
                    child_spawn(&identifier, program, arguments, environment, folder, files)
                }
            }
        }
        guard result == 0 else {
            throw ChildProcessError(
                description: "\(program) could not be started: \(String(cString: strerror(result)))"
            )
        }
        self.identifier = identifier
    }

    deinit {
        if end != nil { return }
        killGroup()
    }

    /// Waits for the program's end.
    @discardableResult
    package func wait() -> End {
        if let end { return end }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        let found: End =
            status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
        end = found
        return found
    }

    /// Sends a signal to the program alone.
    package func signal(_ number: Int32) {
        if end == nil { kill(identifier, number) }
    }

    /// Kills the program and all that it started, and waits until none of them is left.
    ///
    /// One that waits for its disk holds its files and locks for some time after the signal.
    @discardableResult
    package func killGroup() -> End {
        if end == nil { kill(-identifier, SIGKILL) }
        let end = wait()
        child_await_group(identifier)
        return end
    }
}

/// Why a program did not start.
package struct ChildProcessError: Error, CustomStringConvertible {
    package let description: String
}

/// Lends strings as C has them: a list that ends with a null pointer.
package func withWords<Result>(
    _ words: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var copies = words.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { buffer in
        // The list has at least its end, so it has an address.
        withExtendedLifetime(buffer) { body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)) }
    }
}
