import DocketCore
import DocketFormats
import Encryption
import FoundationEssentials

/// `docket import --watch`: imports a file, or each file of a folder, whenever it is saved.
struct ImportWatch {
    private let path: String
    private let isFolder: Bool
    private let place: (folder: String, name: String)
    private let store: (folder: String, name: String)
    private let format: ExchangeFormat?
    private let decryption: AgeInputOptions
    private var importing: WatchedImport
    /// The files as they were imported or refused.
    private var seen: [String: FileStamp] = [:]
    /// Why files were refused, by name; each is said once.
    private var said: [String: String] = [:]

    /// - Throws: `InputError` if there is no such file or folder.
    init(
        _ path: String,
        _ format: ExchangeFormat?,
        _ decryption: AgeInputOptions,
        _ importing: WatchedImport
    ) throws {
        isFolder = FileStamp(path)?.isFolder == true
        if !isFolder { try PlainFile.require(path) }
        self.path = path
        place = isFolder ? (path, "") : Watch.place(of: path)
        store = Watch.place(of: importing.library.path)
        self.format = format
        self.decryption = decryption
        self.importing = importing
    }

    /// Imports until a signal ends it.
    mutating func run() throws {
        let watch = try Watch(folder: place.folder)
        try watch.run(importing.library, followsStore: false) { names in
            var names = try names ?? all()
            if isFolder { names = names.filter(isDocument) } else { names = [place.name] }
            for name in names.sorted() { try importFile(name) }
        }
    }

    private func all() throws -> Set<String> {
        isFolder ? Set(try FileManager.default.contentsOfDirectory(atPath: path)) : [place.name]
    }

    /// Whether a name is not that of a hidden file, a copy that an editor keeps, or the store.
    private func isDocument(_ name: String) -> Bool {
        let ends = ["~", ".swp", ".swx", ".swo", ".tmp", ".bak", "#"]
        return !name.hasPrefix(".") && !name.contains(".part-")
            && !ends.contains { name.hasSuffix($0) }
            && !(name.hasPrefix(store.name)
                && Watch.place(of: "\(path)/\(name)").folder == store.folder)
    }

    private mutating func importFile(_ name: String) throws {
        let file = isFolder ? path + (path.hasSuffix("/") ? "" : "/") + name : path
        // What is being written is reported when it is closed.
        while let stamp = FileStamp(file), stamp != seen[name], stamp.isPlainFile,
            !FileStamp.isBeingWritten(file)
        {
            do {
                let source = try source(of: file)
                let format = try format ?? .ofFile(file, beginning: source.beginning())
                _ = try importing.run(file, format, source)
                said[name] = nil
            } catch let error where error is InputError || error is EncryptionError {
                if WakePipe.hasToEnd { return }
                let text = "\(error)"
                let isNamed = text.contains(file)
                if said[name] != text {
                    Console.fail(isNamed ? text : "\(Console.shown(file)): \(text)")
                }
                said[name] = text
            }
            seen[name] = stamp
            try Console.flush()
        }
    }

    private func source(of file: String) throws -> ByteSource {
        let source = try ByteSource.opening(file)
        if source.isAgeFile, !decryption.isGiven {
            throw InputError(
                .unknownFormat,
                "The file is encrypted; name its key with --identity or --passphrase-file."
            )
        }
        return try decryption.plain(source, of: file)
    }
}
