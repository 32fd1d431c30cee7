import CFiles
import DocketCore
import DocketFormats
import Glibc

/// A file that is written beside its place and moved there when it is complete.
///
/// If the path is not a plain file (a device, a pipe), it is written directly. If it is a link, the
/// file at its end is replaced. A replaced file keeps its permissions; only the user can read a new
/// one.
final class OutputFile {
    private let path: String
    private let target: String
    private let temporary: String?
    private var file: Int32 = -1

    init(_ path: String) throws {
        self.path = path
        let resolved = realpath(path, nil)
        target = resolved.map { String(cString: $0) } ?? path
        free(resolved)
        var status = stat()
        let exists = stat(target, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            temporary = nil
            file = open(target, O_WRONLY | O_CLOEXEC)
        } else {
            let name = "\(target).part-\(getpid())"
            temporary = name
            file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            if file >= 0, exists { fchmod(file, status.st_mode & 0o777) }
        }
        if file < 0 { throw failure(errno) }
    }

    deinit {
        if file < 0 { return }
        close(file)
        if let temporary { unlink(temporary) }
    }

    func write(_ bytes: [UInt8]) throws {
        do {
            try bytes.withUnsafeBytes { try Console.write($0, to: file) }
        } catch let error as Console.OutputError {
            throw failure(error.code)
        }
    }

    func finish() throws {
        defer {
            close(file)
            file = -1
        }
        guard let temporary else { return }
        guard fsync(file) == 0, rename(temporary, target) == 0 else {
            let code = errno
            unlink(temporary)
            throw failure(code)
        }
    }

    // MARK: A file that others edit

    /// Whether a file has the bytes that were written.
    func hasContent(of path: String) -> Bool {
        temporary.map { FileStamp.haveSameContent($0, path) } ?? false
    }

    /// Takes the place of a file, if that is still the one that was read, and nobody is writing to it.
    ///
    /// The two exchange their names, so that a file which somebody else has put there is found beside
    /// it, and gets its name back. A program that opens the file meanwhile is seen by a guard.
    ///
    /// - Parameters:
    ///   - former: the file that was read; `nil` if there was none.
    ///   - keepingIt: whether that one stays beside, with a sign `~` behind its name.
    /// - Returns: the stamp of the new file, and the name of the kept one; `nil` if somebody was
    ///   faster: then nothing has changed.
    /// - Throws: `InputError` if it cannot be written.
    func replace(
        _ former: FileStamp?,
        keepingIt: Bool
    ) throws -> (stamp: FileStamp?, kept: String?)? {
        guard let temporary else { throw failure(EINVAL) }
        guard fsync(file) == 0 else { throw failure(errno) }
        // Taken before somebody can find the file, and edit it.
        let stamp = FileStamp(file)
        guard let former else {
            let code = cfiles_place(temporary, target)
            if code == EEXIST { return nil }
            if code != 0 { throw failure(code) }
            keepBoth()
            return (stamp, nil)
        }
        let old = open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { if old >= 0 { close(old) } }
        let guarded = old < 0 ? errno : cfiles_guard(old)
        if guarded == EAGAIN || guarded == ENOENT { return nil }
        var code = cfiles_exchange(temporary, target)
        if code == ENOENT { return nil }
        if code == EINVAL {
            // The file system cannot exchange names.
            guard FileStamp(target) == former else { return nil }
            let kept = keepingIt ? try keep(target) : nil
            guard rename(temporary, target) == 0 else { throw failure(errno) }
            keepBoth()
            return (stamp, kept)
        }
        if code != 0 { throw failure(code) }
        if FileStamp(temporary) != former || guarded == 0 && cfiles_is_guarded(old) == 0 {
            code = cfiles_exchange(temporary, target)
            if code == 0 { return nil }
            // What somebody has written stays where it is.
            keepBoth()
            throw failure(code)
        }
        keepBoth()
        if keepingIt { return (stamp, try keep(temporary)) }
        unlink(temporary)
        return (stamp, nil)
    }

    /// Gives a former file the first name beside the new one that is free: `FILE~`, then `FILE.~2~`.
    private func keep(_ former: String) throws -> String {
        for number in 1...9999 {
            let ending = number == 1 ? "~" : ".~\(number)~"
            let code = cfiles_place(former, target + ending)
            if code == 0 { return path + ending }
            if code != EEXIST { throw failure(code) }
        }
        throw failure(EEXIST)
    }

    /// Closes the file; what has the temporary name is not removed then.
    private func keepBoth() {
        close(file)
        file = -1
    }

    private func failure(_ code: Int32) -> InputError {
        InputError(.malformed, "\(path) cannot be written: \(String(cString: strerror(code))).")
    }
}
