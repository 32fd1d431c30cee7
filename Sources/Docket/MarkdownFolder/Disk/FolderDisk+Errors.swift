import Glibc
import ObjectGraph

extension FolderDisk.Failure {
    var isForbidden: Bool { number == EACCES || number == EPERM }

    /// An error for the user.
    ///
    /// `isWritten`: whether it was to be written, so that every file is as before.
    func described(_ what: String, isWritten: Bool = false) -> ObjectGraphError {
        if isWritten {
            return ObjectGraphError(
                .cannotWrite,
                "\(what) cannot be written: \(String(cString: strerror(number)))."
            )
        }
        if isMissing {
            return ObjectGraphError(.cannotOpen, "\(what) does not exist.")
        }
        if isForbidden {
            return ObjectGraphError(.cannotOpen, "You may not read \(what.lowercasedFirst).")
        }
        if number == EMFILE || number == ENFILE {
            return ObjectGraphError(
                .cannotOpen,
                "\(what) cannot be read: too many files are open.",
                recovery: "Close other programs, then try again."
            )
        }
        return ObjectGraphError(
            .cannotOpen,
            "\(what) cannot be read: \(String(cString: strerror(number)))."
        )
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
