import DocketCore
import FoundationEssentials
import Glibc

/// The drafts of one window, in a file of its own beside the store.
///
/// `docket.sqlite-draft-PROCESS-NUMBER`, readable by its owner alone. The window holds a lock on its
/// file while it lives, so a file without one is what a window left that has ended, however it ended;
/// the next window takes that over. A file is replaced as a whole and never written in place.
final class DraftFile {
    private let folder: String
    private let prefix: String
    private let path: String
    /// Holds the lock on our file; -1 while there is none.
    private var descriptor: Int32 = -1
    /// Files of windows that have ended, locked: they go once their contents are in ours.
    private var adopted: [(path: String, descriptor: Int32)] = []

    private static let largest = 64 << 20

    /// The drafts beside a store's file; nothing is made before something is written.
    init(store: String) {
        let slash = store.lastIndex(of: "/")
        folder = slash.map { String(store[...$0]) } ?? "./"
        let name = slash.map { String(store[store.index(after: $0)...]) } ?? store
        prefix = "\(name)-draft-"
        let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        path = "\(folder)\(prefix)\(getpid())-\(number)"
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        for file in adopted { close(file.descriptor) }
    }

    // MARK: Those of others

    /// Reads what windows left that have ended.
    ///
    /// Their files stay until the next ``write(_:)``. What cannot be read is left alone.
    /// - Complexity: one look at the store's folder.
    func adopt() -> Drafts {
        var drafts = Drafts()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.hasPrefix(prefix) {
            let path = folder + name
            guard let file = DraftFile.lock(path) else { continue }
            if let bytes = DraftFile.read(file),
                let found = try? JSONDecoder().decode(Drafts.self, from: bytes)
            {
                drafts.keep(found)
                adopted.append((path, file))
            } else {
                // Writing it was cut off; the file that it was to replace is still there.
                if name.hasSuffix(DraftFile.partial) { unlink(path) }
                close(file)
            }
        }
        return drafts
    }

    private static let partial = ".part"

    /// Opens a file of ours that no window holds.
    private static func lock(_ path: String) -> Int32? {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        var opened = stat()
        var present = stat()
        if flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &opened) == 0,
            opened.st_mode & S_IFMT == S_IFREG, opened.st_uid == geteuid(),
            // Its window may have replaced it between opening and locking.
            stat(path, &present) == 0, present.st_ino == opened.st_ino
        {
            return file
        }
        close(file)
        return nil
    }

    private static func read(_ file: Int32) -> Data? {
        var bytes = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= largest {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
            if count < 0, errno != EINTR { return nil }
        }
        return nil
    }

    // MARK: Ours

    /// Replaces the file by drafts; removes it if there are none.
    ///
    /// - Throws: `InputError` with the reason; what stood there stays.
    func write(_ drafts: Drafts) throws {
        if drafts.isEmpty {
            if descriptor >= 0 {
                unlink(path)
                close(descriptor)
                descriptor = -1
            }
        } else {
            try replace(by: JSONEncoder().encode(drafts))
        }
        for file in adopted {
            unlink(file.path)
            close(file.descriptor)
        }
        adopted = []
    }

    private func replace(by bytes: Data) throws {
        let temporary = path + DraftFile.partial
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure() }
        // Locked under its first name, so that it is never seen without a lock.
        guard flock(file, LOCK_EX | LOCK_NB) == 0, DraftFile.write(bytes, to: file),
            rename(temporary, path) == 0
        else {
            let error = failure()
            unlink(temporary)
            close(file)
            throw error
        }
        if descriptor >= 0 { close(descriptor) }
        descriptor = file
    }

    private static func write(_ bytes: Data, to file: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let count = Glibc.write(
                    file,
                    bytes.baseAddress.map { $0 + start },
                    bytes.count - start
                )
                if count > 0 { start += count }
                if count < 0, errno != EINTR { return false }
            }
            return true
        }
    }

    private func failure() -> InputError {
        let reason = String(cString: strerror(errno))
        return InputError(
            .malformed,
            "What you type cannot be kept in \(path): \(reason). It is lost if this window ends."
        )
    }
}
