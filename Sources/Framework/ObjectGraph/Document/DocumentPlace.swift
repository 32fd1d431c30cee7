import CFiles
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

/// Where the parts of a document are; links in its path are resolved.
struct DocumentPlace: Sendable {
    let form: DocumentForm
    /// The package, or the store's file.
    let path: String

    /// - Complexity: O(1), but it asks the file system.
    init(_ url: URL, _ form: DocumentForm) {
        self.form = form
        var path = url.standardizedFileURL.path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        // The last component may not exist yet; the folder that holds it does.
        let resolved = FilePlace.resolved(path)
        self.path =
            FileIdentity(resolved) == nil
            ? FilePlace.resolved(FilePlace.folder(of: resolved)) + "/"
                + FilePlace.name(of: resolved)
            : resolved
    }

    var name: String { FilePlace.name(of: path) }
    var url: URL { URL(filePath: path) }

    var store: URL {
        switch form {
        case .package: URL(filePath: path + "/StoreContent/persistentStore")
        case .file: URL(filePath: path)
        }
    }

    /// The folder that has the folders of additional content; `nil` for a document of one file.
    var contents: String? {
        switch form {
        case .package: path + "/AdditionalContent"
        case .file: nil
        }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen``.
    func checkExists() throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == EACCES || errno == ENOTDIR || errno == ELOOP {
                throw refusal(
                    String(cString: strerror(errno)),
                    "Check the path and the permissions."
                )
            }
            throw refusal("it does not exist", "Check the path, or create it.")
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        switch form {
        case .file: if isFolder { throw refusal("it is a folder", "Give the path of its file.") }
        case .package:
            if !isFolder { throw refusal("it is not a folder", "Open it with the form \"file\".") }
            if access(store.path, F_OK) == 0 { return }
            let reason = String(cString: strerror(errno))
            throw refusal("its store cannot be found (\(reason))", "Restore a backup of it.")
        }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotWrite`` if there is
    ///   anything at the place.
    func checkIsFree() throws {
        var status = stat()
        if lstat(path, &status) == 0 { throw isTaken }
    }

    var isTaken: ObjectGraphError {
        ObjectGraphError(
            .cannotWrite,
            "There is a file or folder \"\(name)\" already.",
            recovery: "Open it, or choose another place."
        )
    }

    private func refusal(_ reason: String, _ recovery: String) -> ObjectGraphError {
        ObjectGraphError(
            .cannotOpen,
            "The document \"\(name)\" cannot be opened: \(reason).",
            recovery: recovery
        )
    }

    func makeFolders() throws {
        if form == .file { return }
        for folder in [path, path + "/StoreContent", path + "/AdditionalContent"]
        where mkdir(folder, PrivateFile.folderMode) != 0 {
            throw ObjectGraphError(
                .cannotWrite,
                "The document \"\(name)\" cannot be created: \(String(cString: strerror(errno))).",
                recovery: "Check the folder, its permissions and the space on its disk."
            )
        }
    }

    /// Gives a document that was built elsewhere on the disk its place.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotWrite``.
    func take(from stage: StoreTransferStage, replacing: Bool) throws {
        if form == .file || !replacing || access(path, F_OK) != 0 {
            return try stage.place(at: url, replacing: replacing && form == .file)
        }
        let code = cfiles_exchange(stage.file.path, path)
        guard code == 0 else {
            throw ObjectGraphError(
                .cannotWrite,
                "The document \"\(name)\" cannot be replaced: \(String(cString: strerror(code))).",
                recovery: "Save it under another name."
            )
        }
        PrivateFile.sync(FilePlace.folder(of: path))
    }
}
