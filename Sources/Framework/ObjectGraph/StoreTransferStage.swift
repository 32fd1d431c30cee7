import CFiles
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

/// A hidden folder beside the place of a new store, in which the store is built.
///
/// It is on the same file system, so the finished file takes its place in one step.
struct StoreTransferStage {
    private let folder: String
    private let name: String

    /// The new store's file in the folder.
    var file: URL { URL(filePath: "\(folder)/\(name)") }

    /// Creates the folder, and removes those of killed processes.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotWrite``.
    init(beside url: URL) throws {
        let path = FilePlace.resolved(url.path)
        name = FilePlace.name(of: path)
        let parent = FilePlace.folder(of: path)
        let prefix = ".\(name).migration-"
        for found in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        where found.hasPrefix(prefix) {
            let parts = found.dropFirst(prefix.count).split(separator: "-")
            guard parts.count == 3, let number = Int64(parts[0]), let start = Int64(parts[1]),
                !RunningProcess(number: number, start: start).isRunning
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(parent)/\(found)")
        }
        let own = RunningProcess.own
        folder = "\(parent)/\(prefix)\(own.number)-\(own.start)-\(UInt32.random(in: 0 ... .max))"
        if mkdir(folder, PrivateFile.folderMode) != 0 { throw refusal(errno) }
        chmod(folder, PrivateFile.folderMode)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Moves the files of the store to their place: those beside the main file first, which the old
    /// store does not know.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotWrite``; then the old
    ///   store is whole.
    func place(at url: URL, replacing: Bool) throws {
        let path = FilePlace.resolved(url.path)
        let parent = FilePlace.folder(of: path)
        for found in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where found != name { try move("\(folder)/\(found)", to: "\(parent)/\(found)") }
        let code =
            replacing
            ? (rename(file.path, path) == 0 ? 0 : errno) : cfiles_place(file.path, path)
        if code != 0 { throw refusal(code) }
        PrivateFile.sync(parent)
    }

    /// Moves a file, or the files of a folder into one that may be there.
    private func move(_ source: String, to target: String) throws {
        var status = stat()
        if stat(source, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            PrivateFile.makeFolder(target)
            for found in (try? FileManager.default.contentsOfDirectory(atPath: source)) ?? [] {
                try move("\(source)/\(found)", to: "\(target)/\(found)")
            }
            PrivateFile.sync(target)
        } else if rename(source, target) != 0 {
            throw refusal(errno)
        }
    }

    private func refusal(_ code: Int32) -> ObjectGraphError {
        ObjectGraphError(
            .cannotWrite,
            "The store \"\(name)\" cannot be written: \(String(cString: strerror(code))).",
            recovery: "Check the folder, its permissions and the space on its disk."
        )
    }
}
