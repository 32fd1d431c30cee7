import DocketCore
import DocketFormats
public import FoundationEssentials
import Glibc

/// The drafts of one window, in a separate file beside the store.
///
/// `docket.sqlite-draft-PROCESS-NUMBER`, readable by its owner only. The window holds a lock on its
/// file while it lives. So a file without a lock belongs to a window that has ended, in whatever
/// way; the next window takes it over. A file is always replaced as a whole, never written in
/// place.
public final class DraftFile {
    private let folder: String
    private let prefix: String
    private let path: String
    /// Holds the lock on our file; -1 without one.
    private var descriptor: Int32 = -1
    /// Locked files of windows that have ended; they are deleted when their contents are in ours.
    private var adopted: [(path: String, descriptor: Int32)] = []

    private static let largest = 64 << 20

    /// The drafts beside a store's file; no file is created before something is written.
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

    // MARK: Files of other windows

    /// Reads the drafts of windows that have ended.
    ///
    /// Their files stay until the next ``write(_:)``. Unreadable files are ignored.
    ///
    /// - Complexity: one read of the store's folder.
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
                // Its writing was interrupted; the older file still exists.
                if name.hasSuffix(DraftFile.partial) { unlink(path) }
                close(file)
            }
        }
        return drafts
    }

    /// Whether a form of an item has text that is not saved, in a window that is open or has ended.
    ///
    /// - Complexity: one read of the store's folder.
    public static func hasForm(of item: UUID, beside store: String) -> Bool {
        let files = DraftFile(store: store)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: files.folder)) ?? []
        return names.contains { name in
            guard name.hasPrefix(files.prefix),
                let bytes = try? Data(contentsOf: URL(filePath: files.folder + name)),
                let drafts = try? JSONDecoder().decode(Drafts.self, from: bytes)
            else { return false }
            return drafts.forms.contains { $0.item == item }
        }
    }

    private static let partial = ".part"

    /// Opens a draft file that no window holds.
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

    // MARK: Our file

    /// Replaces the file by drafts; removes it if there are none.
    ///
    /// - Throws: `InputError` with the reason; the old content stays.
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
        // Locked under its first name, so that it never exists without a lock.
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
            "Typed text cannot be saved as a draft in \(path): \(reason). It is lost if this window ends."
        )
    }
}
