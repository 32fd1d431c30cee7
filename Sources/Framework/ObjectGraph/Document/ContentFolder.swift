import FoundationEssentials
import Glibc
import ObjectContext
import ObjectModel
import ObjectStore

// Additional content and objects are one save:
//   1. the content is written into a new folder, which is synced to the disk;
//   2. the transaction of the store, which writes the rows, writes the folder's name into the
//      store's metadata too; inside it, the name that was there is compared with the expected one;
//   3. the folder of the former content is removed.
// So the store always names a whole content, that of its own rows: a crash before the commit
// leaves a folder that nobody names, a crash after it the former one. The next opening removes
// them, unless the process that made them is still running: it may be about to commit.

/// The folders of a document's additional content.
struct ContentFolder: Sendable {
    /// The key in the metadata of the store; its value is the name of the folder.
    static let key = StoreMetadataKey.additionalContent

    let path: String

    init?(_ place: DocumentPlace) {
        guard let path = place.contents else { return nil }
        self.path = path
    }

    /// The name that metadata have; `nil` if the document has no content.
    static func name(in metadata: StoreMetadata) -> String? {
        guard case .string(let name)? = metadata[key], !name.isEmpty, !name.contains("/") else {
            return nil
        }
        return name
    }

    func url(_ name: String) -> URL { URL(filePath: "\(path)/\(name)") }

    /// A folder's content, checked.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if it is
    ///   missing.
    func existing(_ name: String) throws -> URL {
        if access("\(path)/\(name)", F_OK) == 0 { return url(name) }
        throw ObjectGraphError(
            .damagedFile,
            "The additional content of a document is missing: the folder"
                + " \"AdditionalContent/\(name)\".",
            recovery: "Restore a backup, or open the document without its additional content."
        )
    }

    /// Lets a content read a folder.
    ///
    /// - Throws: the error of the content, or `ObjectGraphError` with code
    ///   ``ObjectGraphError/Code/damagedFile`` if the folder is missing, or was removed meanwhile.
    func read(_ name: String, _ content: any DocumentContent) throws {
        try content.readAdditionalContent(from: existing(name))
        _ = try existing(name)
    }

    /// The name that the metadata on the disk have now.
    static func savedName(of place: DocumentPlace, _ type: StoreType) -> String? {
        let metadata = try? PersistentStoreCoordinator.metadata(ofStoreAt: place.store, type: type)
        return metadata.flatMap { name(in: $0) }
    }

    /// Makes a folder, lets a body fill it, and syncs it to the disk.
    ///
    /// - Returns: its name.
    /// - Throws: the error of the body, or `ObjectGraphError` with code
    ///   ``ObjectGraphError/Code/cannotWrite``. Nothing is left then.
    func write(_ body: (URL) throws -> Void) throws -> String {
        if mkdir(path, PrivateFile.folderMode) != 0, errno != EEXIST { throw refusal(errno) }
        let own = RunningProcess.own
        let name = "\(own.number)-\(own.start)-\(UInt64.random(in: 0 ... .max))"
        if mkdir("\(path)/\(name)", PrivateFile.folderMode) != 0 { throw refusal(errno) }
        do {
            try body(url(name))
            try sync("\(path)/\(name)")
            try sync(file: path)
        } catch {
            remove(name)
            throw error as? ObjectGraphError
                ?? ObjectGraphError(
                    .cannotWrite,
                    "The additional content of the document cannot be written.",
                    recovery: "Check the permissions and the space on its disk.",
                    underlying: [error]
                )
        }
        return name
    }

    /// Removes a folder.
    ///
    /// It loses its name at once: who reads it finds all of it there, or nothing. What is left of it
    /// by a killed process has a name of a process that has ended.
    func remove(_ name: String) {
        let own = RunningProcess.own
        let former = "\(own.number)-\(own.start)-\(UInt64.random(in: 0 ... .max))"
        let isRenamed = rename("\(path)/\(name)", "\(path)/\(former)") == 0
        try? FileManager.default.removeItem(at: url(isRenamed ? former : name))
    }

    /// The folders of processes that have ended: none of them will be named by the store later.
    func ofEndedProcesses() -> [String] {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return found.filter { name in
            let parts = name.split(separator: "-")
            guard parts.count == 3, let number = Int64(parts[0]), let start = Int64(parts[1]) else {
                return false
            }
            let maker = RunningProcess(number: number, start: start)
            return maker != .own && !maker.isRunning
        }
    }

    /// Syncs a folder with all that is in it.
    private func sync(_ folder: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let item = "\(folder)/\(name)"
            var status = stat()
            if lstat(item, &status) != 0 { throw refusal(errno) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try sync(item)
            case S_IFREG: try sync(file: item)
            default: break
            }
        }
        try sync(file: folder)
    }

    private func sync(file: String) throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw refusal(errno) }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw refusal(errno) }
    }

    private func refusal(_ code: Int32) -> ObjectGraphError {
        ObjectGraphError(
            .cannotWrite,
            "The additional content of the document cannot be written:"
                + " \(String(cString: strerror(code))).",
            recovery: "Check the folder, its permissions and the space on its disk."
        )
    }
}

/// The writing of one save's additional content, on the document's thread for files.
///
/// Safety: the document waits while that thread uses it.
final class ContentWriting: @unchecked Sendable {
    private let content: any DocumentContent
    private let value: any Sendable
    private let folder: ContentFolder
    private let store: StoreReference
    private let coordinator: PersistentStoreCoordinator
    /// The folder that the store names now.
    private let former: String?
    /// The folder that this save has written.
    private(set) var written: String?

    init(
        _ content: any DocumentContent,
        _ value: any Sendable,
        in folder: ContentFolder,
        former: String?,
        _ store: StoreReference,
        _ coordinator: PersistentStoreCoordinator
    ) {
        self.content = content
        self.value = value
        self.folder = folder
        self.former = former
        self.store = store
        self.coordinator = coordinator
    }

    /// Writes the content; the next transaction of the store names it.
    func prepare() throws {
        if written != nil { return }
        // The former folder is gone if another program has saved a content.
        try check()
        written = try folder.write { target in
            try content.writeAdditionalContent(
                value,
                to: target,
                originalContentsURL: former.map { folder.url($0) }
            )
        }
        try setName(written)
    }

    /// Fails if another program has saved another content since; inside the write transaction.
    func check() throws {
        guard store.type == .sqlite, let url = store.url else { return }
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url, type: .sqlite)
        if ContentFolder.name(in: metadata) == former { return }
        throw ObjectGraphError(
            .mergeConflict,
            "Another program has saved another additional content of the document.",
            recovery: "Revert the document, or save it elsewhere."
        )
    }

    /// Writes the name alone, when no objects are saved with it.
    func saveName() throws {
        var plan = SavePlan()
        plan.beforeWriting = { [self] in try check() }
        try coordinator.withOpenStore(store) { _ = try $0.save(plan) }
    }

    /// After the commit.
    func finish() {
        if let former, former != written { folder.remove(former) }
    }

    /// After a failure: the store names the former content, as before.
    func cancel() {
        guard let written else { return }
        try? setName(former)
        folder.remove(written)
        self.written = nil
    }

    private func setName(_ name: String?) throws {
        try coordinator.withOpenStore(store) {
            $0.metadata[ContentFolder.key] = name.map(GraphValue.string)
        }
    }
}
