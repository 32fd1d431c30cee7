import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc

extension ItemHooks {
    /// The hooks of the folder beside the settings, which are told the store's file.
    static func ofSettings(_ store: String) -> ItemHooks {
        let settings = SettingsFile(environment: ProcessInfo.environment).path
        let words = CommandLine.arguments.dropFirst()
        return ItemHooks(
            folder: settings.dropLast("config.toml".count) + "hooks",
            arguments: [
                "args:\((["docket"] + words).joined(separator: " "))",
                "command:\(CommandAdvice.words(of: CommandLine.arguments).first ?? "")",
                "rc:\(settings)", "data:\(store)", "version:\(Library.version)",
            ],
            run: DetachedProcess.filter
        )
    }
}

extension DetachedProcess {
    /// Runs a program with input, and takes what it writes.
    ///
    /// Both are files without a name, so that neither waits for the other.
    ///
    /// - Returns: `nil` if it was ended because it took longer than ``ItemHooks/limit``.
    /// - Throws: `InputError` if it cannot be run.
    static func filter(
        _ program: String,
        _ words: [String],
        _ input: [UInt8]
    ) throws -> ItemHooks.Ending? {
        guard let question = namelessFile(), let answer = namelessFile() else {
            throw InputError(
                .conflict,
                "The hook \(program) was not run: \(String(cString: strerror(errno))); nothing is saved."
            )
        }
        defer {
            close(question)
            close(answer)
        }
        guard writeAll(input, to: question), lseek(question, 0, SEEK_SET) == 0,
            let process = start(words, of: program, input: question, output: answer, errors: true)
        else {
            throw InputError(
                .conflict,
                "The hook \(program) cannot be run; nothing is saved. Is its first line right?"
            )
        }
        let end = ContinuousClock.now + ItemHooks.limit
        var status: Int32 = 0
        var pause: UInt32 = 200
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process || (ended < 0 && errno != EINTR) { break }
            if ContinuousClock.now > end {
                // It leads a group of its own, with what it has started.
                kill(-process, SIGKILL)
                waitpid(process, &status, 0)
                return nil
            }
            usleep(pause)
            pause = min(pause * 2, 5000)
        }
        let signal = status & 0x7f
        return ItemHooks.Ending(
            status: signal == 0 ? status >> 8 & 0xff : 128 + signal,
            output: readAll(answer)
        )
    }

    /// A new file that has no name, for what a program writes.
    static func namelessFile() -> Int32? {
        for folder in ["/dev/shm", "/tmp"] {
            var path = Array("\(folder)/docket-XXXXXX".utf8CString)
            let file = mkstemp(&path)
            if file < 0 { continue }
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            unlink(path)
            return file
        }
        return nil
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    static func readAll(_ file: Int32) -> [UInt8] {
        let size = Int(max(0, lseek(file, 0, SEEK_END)))
        lseek(file, 0, SEEK_SET)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let start = UnsafeMutableRawPointer(buffer.baseAddress)
            while count < size, let start {
                let part = read(file, start + count, size - count)
                if part <= 0 { return }
                count += part
            }
        }
    }
}
