import Foundation
import Glibc
import MarkdownFolder
import ObjectGraph
import Synchronization

/// A folder of files that a test fills, with names of any bytes.
final class NotesFolder {
    let path: String
    var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    init() throws {
        // Not `/tmp` itself: the path must have no links, so that a test can compare it.
        path =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
            + "/notes-\(UUID().uuidString)"
        guard mkdir(path, 0o755) == 0 else { throw POSIXError(.EIO) }
    }

    deinit {
        let tool = Process()
        tool.executableURL = URL(filePath: "/bin/sh")
        tool.arguments = ["-c", "chmod -R u+rwx \"$0\"; rm -rf \"$0\"", path]
        try? tool.run()
        tool.waitUntilExit()
    }

    private func system(_ name: [UInt8]) -> [CChar] {
        (Array(path.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
    }

    func write(_ name: [UInt8], _ bytes: [UInt8]) throws {
        let file = open(system(name), O_CREAT | O_TRUNC | O_WRONLY, 0o644)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw POSIXError(.EIO) }
            rest = rest.dropFirst(count)
        }
    }

    func write(_ name: String, _ text: String) throws {
        try write(Array(name.utf8), Array(text.utf8))
    }

    func make(_ folder: String) throws {
        guard mkdir("\(path)/\(folder)", 0o755) == 0 else { throw POSIXError(.EIO) }
    }

    func remove(_ name: String) { Glibc.remove("\(path)/\(name)") }

    func rename(_ old: String, _ new: String) { Glibc.rename("\(path)/\(old)", "\(path)/\(new)") }

    func link(_ name: String, to target: String) { symlink(target, "\(path)/\(name)") }

    func allow(_ name: String, _ mode: mode_t) { chmod("\(path)/\(name)", mode) }

    var reads: FolderReads { MarkdownFolderStore.reads(at: url) }

    /// What a body reads.
    func reads(_ body: () throws -> Void) rethrows -> FolderReads {
        let before = reads
        try body()
        return reads - before
    }
}

/// Runs a body without the rights of the superuser over files, on this thread.
func withoutPrivileges(_ body: () throws -> Void) rethrows {
    typealias Setting = @convention(c) (UInt32) -> Int32
    guard geteuid() == 0, let found = dlsym(nil, "setfsuid") else { return try body() }
    let setFileUser = unsafeBitCast(found, to: Setting.self)
    _ = setFileUser(65_534)
    defer { _ = setFileUser(0) }
    try body()
}

/// Counts calls of `wake`, and waits for them.
final class Alarm: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func ring() { semaphore.signal() }

    /// Catches up until a condition holds.
    ///
    /// - Returns: false if it did not within some seconds.
    func wait(_ library: FolderLibrary, until condition: () throws -> Bool) throws -> Bool {
        let deadline = DispatchTime.now() + .seconds(20)
        while true {
            try library.catchUp()
            if try condition() { return true }
            if semaphore.wait(timeout: deadline) == .timedOut { return try condition() }
        }
    }
}

extension FolderLibrary {
    func rows() throws -> FetchedResultsController<FolderEntry> { try entries(of: root()) }

    func names() throws -> [String] { try rows().fetchedObjects.map(\.name) }

    func document(_ path: String) throws -> Document? { try entry(at: path) as? Document }

    func text(_ path: String) throws -> String {
        guard let document = try document(path) else { return "no document" }
        let text = try text(of: document)
        return text.problem ?? text.text
    }
}
