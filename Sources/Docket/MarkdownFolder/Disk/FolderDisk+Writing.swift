import CFiles
import Glibc

extension FolderDisk {
    /// Replaces the texts of files, all or none.
    ///
    /// A file behind a link is replaced where it is; permissions stay. The new files have hidden names
    /// until they are exchanged with the old ones.
    ///
    /// - Throws: ``Failure``; then every file is as before.
    func replace(_ texts: [(path: EntryPath, text: [UInt8])]) throws(Failure) {
        var made: [(new: [UInt8], file: [UInt8])] = []
        var done = 0
        defer { for names in made { FolderDisk.with(names.new) { _ = unlink($0) } } }
        do throws(Failure) {
            for (path, text) in texts {
                let file = try resolved(path)
                let slash = file.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
                let new = Array(file[..<slash]) + Array(".docket-\(getpid())-\(made.count)~".utf8)
                made.append((new, file))
                try write(text, to: new, like: file)
            }
            for names in made {
                try exchange(names.new, names.file, isAlone: made.count == 1)
                done += 1
            }
        } catch {
            for names in made[..<done] { try? exchange(names.new, names.file, isAlone: false) }
            throw error
        }
    }

    private func resolved(_ path: EntryPath) throws(Failure) -> [UInt8] {
        let found = FolderDisk.with(systemPath(path)) { realpath($0, nil) }
        guard let found else { throw Failure(number: errno) }
        defer { free(found) }
        return UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) }
    }

    private func write(_ text: [UInt8], to new: [UInt8], like file: [UInt8]) throws(Failure) {
        var info = stat()
        if FolderDisk.with(file, { stat($0, &info) }) != 0 { throw Failure(number: errno) }
        // What a killed process has left under the name is not needed.
        FolderDisk.with(new) { _ = unlink($0) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = FolderDisk.with(new) { Glibc.open($0, flags, 0o600) }
        if descriptor < 0 { throw Failure(number: errno) }
        defer { close(descriptor) }
        // The owner can be kept by the superuser alone.
        _ = fchown(descriptor, info.st_uid, info.st_gid)
        if fchmod(descriptor, info.st_mode & 0o7777) != 0 { throw Failure(number: errno) }
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw Failure(number: count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
        if fsync(descriptor) != 0 { throw Failure(number: errno) }
    }

    /// `isAlone`: whether a file may simply be replaced where names cannot be exchanged.
    private func exchange(_ new: [UInt8], _ file: [UInt8], isAlone: Bool) throws(Failure) {
        var code = FolderDisk.with(new) { new in FolderDisk.with(file) { cfiles_exchange(new, $0) }
        }
        if code == EINVAL, isAlone {
            let result = FolderDisk.with(new) { new in FolderDisk.with(file) { rename(new, $0) } }
            code = result == 0 ? 0 : errno
        }
        if code != 0 { throw Failure(number: code) }
    }
}
