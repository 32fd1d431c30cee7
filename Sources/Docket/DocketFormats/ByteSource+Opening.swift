import Glibc
import ObjectGraph

extension ByteSource {
    /// Opens a file, or standard input for "-".
    ///
    /// - Throws: `InputError` with a sentence that names the file.
    public static func opening(_ path: String) throws(InputError) -> ByteSource {
        if path != "-", PersistentStoreCoordinator.isOpenHere(path) {
            throw InputError(
                .malformed,
                "\(path) is a store that Docket has open; name a file in a format of `docket import`."
            )
        }
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(path, errno) }
        var status = stat()
        if file != STDIN_FILENO, fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            return ByteSource(file: file)
        }
        defer { if file != STDIN_FILENO { close(file) } }
        do {
            return try copying(file)
        } catch {
            if !error.isOfCopy { throw .unreadable(path, error.code) }
            let reason = String(cString: strerror(error.code))
            throw InputError(
                .malformed,
                "A copy of the input cannot be written to the temporary folder: \(reason). Set "
                    + "TMPDIR to a folder with space."
            )
        }
    }
}
