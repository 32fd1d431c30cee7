import ArgumentParser
import DocketCore
import DocketFormats
import Encryption
import FileEvents
import Glibc
import ObjectGraph

/// Runs a piece of work whenever files of a folder or the store have changed.
///
/// A signal ends it. It sleeps in the kernel in between. Work that fails is said once, and tried again after some
/// seconds, or when something changes.
final class Watch {
    private let bell = WakePipe()
    private let folder: String
    private let watcher: FolderWatcher
    private var said = ""
    private static let pauseAfterFailure = 5.0

    /// - Parameter folder: its path.
    /// - Throws: `InputError` if it cannot be watched.
    init(folder: String) throws(InputError) {
        let bell = bell
        guard let watcher = FolderWatcher(wholeFilesOnly: true, wake: { bell.ring() }) else {
            throw InputError(
                .malformed,
                "The system cannot watch files: \(String(cString: strerror(errno))). End other "
                    + "programs that watch, or leave out --watch."
            )
        }
        guard watcher.watch(Array(folder.utf8)) != nil else {
            let code = errno
            throw InputError(
                .malformed,
                "The folder \(folder) cannot be watched: \(String(cString: strerror(code)))."
            )
        }
        (self.folder, self.watcher) = (folder, watcher)
    }

    deinit { watcher.stop() }

    /// Works, waits, and works again.
    ///
    /// - Parameters:
    ///   - library: the store.
    ///   - followsStore: whether its saves wake too.
    ///   - work: gets the names of changed files; `nil` = all, at first and if some were lost.
    /// - Throws: an error of the output; `InputError` if the folder is gone.
    func run(
        _ library: Library,
        followsStore: Bool,
        _ work: (Set<String>?) throws -> Void
    ) throws {
        bell.ringAtEnd()
        let bell = bell
        if followsStore { library.follower.wake = { bell.ring() } }
        defer { library.follower.wake = nil }
        var names: Set<String>?
        while !WakePipe.hasToEnd {
            var pause: Double?
            do {
                try library.mergeOthers()
                try work(names)
                (names, said) = ([], "")
            } catch {
                if Console.whyUnwritten(error) != nil || error is ExitCode { throw error }
                if WakePipe.hasToEnd { return }
                say(error)
                pause = Watch.pauseAfterFailure
            }
            try Console.flush()
            bell.wait(seconds: pause)
            let changes = watcher.take()
            if !changes.gone.isEmpty {
                throw InputError(.malformed, "The folder \(folder) is gone; nothing is watched.")
            }
            if changes.isIncomplete { names = nil }
            for name in changes.names.values.joined() {
                names?.insert(String(decoding: name, as: UTF8.self))
            }
        }
    }

    private func say(_ error: any Error) {
        let text = "\(error)"
        if text != said { Console.warn(text) }
        said = text
    }

    /// The folder of a file and its name there, at the end of links; of one that does not exist, where
    /// it will be.
    static func place(of path: String) -> (folder: String, name: String) {
        let path = real(path) ?? path
        guard let slash = path.lastIndex(of: "/") else { return (real(".") ?? ".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (real(folder) ?? folder, String(path[path.index(after: slash)...]))
    }

    private static func real(_ path: String) -> String? {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        return resolved.map { String(cString: $0) }
    }
}

/// An import of one file for a command that watches.
struct WatchedImport {
    /// The program has to end.
    struct Ended: Error {}

    let library: Library
    var broken = Library.BrokenItems.refuseAll
    var batch = Library.importBatch
    let beforeFirst: () -> Void
    private var hasWritten = false

    init(_ library: Library, beforeFirst: @escaping () -> Void) {
        self.library = library
        self.beforeFirst = beforeFirst
    }

    /// Imports a file, and prints what it was.
    ///
    /// - Parameters:
    ///   - path: the file, as messages call it.
    ///   - format: its format.
    ///   - source: its content.
    ///   - former: what the file was before; see `Library.importItems`.
    /// - Returns: what was done; nothing if the report is not complete, which is said.
    /// - Throws: `InputError` if the file cannot be read, or the store's error.
    mutating func run(
        _ path: String,
        _ format: ExchangeFormat,
        _ source: ByteSource,
        since former: ByteSource? = nil
    ) throws -> ImportOutcome {
        let isFirst = !hasWritten
        let beforeFirst = beforeFirst
        var hasStarted = false
        let outcome: ImportOutcome
        do {
            outcome = try library.importItems(
                format,
                from: source,
                named: path.split(separator: "/").last.map { String($0) },
                broken: broken,
                batch: batch,
                since: former,
                progress: { _ in if WakePipe.hasToEnd { throw Ended() } },
                beforeWriting: {
                    hasStarted = true
                    if isFirst { beforeFirst() }
                }
            )
        } catch let stop as ImportIncomplete {
            throw DoneBefore(
                stop.sentence(path),
                stop.cause,
                next: "Import the same file again to complete it, or undo it with `docket undo`."
            )
        }
        hasWritten = hasWritten || hasStarted
        let name = Console.shown(path)
        if let first = outcome.report.skipped.first, broken == .refuseAll {
            let more = outcome.report.skipped.total - 1
            let others = more > 0 ? " \(more) more cannot be read either." : ""
            Console.fail(
                "\(name), line \(first.line): \(first.reason)\(others) Nothing of it is imported "
                    + "until it is corrected."
            )
            return outcome
        }
        if outcome.report.hasDetails { Console.report(outcome.report, heading: "\(name):") }
        // Lines that were only removed are no items.
        if outcome.report.kept + outcome.smartLists > 0 {
            try Console.print("\(name): \(outcome.sentence())")
        }
        return outcome
    }
}
