import DocketFormats
public import FoundationEssentials
import Glibc

/// How the last exchange of a library with a server ended: a small file of the user.
///
/// `docket-sync` writes it, whoever has started that: a window, a timer or a shell. It is not in the
/// store: an exchange that changes nothing writes nothing there, and so wakes no window.
public struct SyncNote: Codable, Hashable, Sendable {
    public enum End: String, Codable, Sendable {
        case done
        /// The server was not reached; the next exchange goes on.
        case offline
        case failed
    }

    public var end: End
    /// When it ended.
    public var date: Date
    /// When one was done for the last time.
    public var done: Date?
    /// The sentence of the error; empty if there is none.
    public var problem = ""
    /// What was sent, and what is new, changed, deleted and in conflict here.
    public var sent = 0
    public var inserted = 0
    public var updated = 0
    public var deleted = 0
    public var conflicts = 0

    public init(_ end: End, _ date: Date, problem: String = "") {
        (self.end, self.date, self.problem) = (end, date, problem)
        if end == .done { done = date }
    }

    /// Where the notes are, in the user's folder for what programs remember.
    public static func folder(in state: String) -> String { "\(state)/sync" }

    /// The file of a server.
    ///
    /// - Parameters:
    ///   - server: its name in the settings.
    ///   - store: the library's file.
    ///   - state: the user's folder for what programs remember.
    /// - Returns: the path.
    public static func path(ofServer server: String, store: String, in state: String) -> String {
        let resolved = realpath(store, nil)
        defer { free(resolved) }
        let file = resolved.map { String(cString: $0) } ?? store
        let key = ByteSource.fingerprint(Array("\(file)\n\(server)".utf8))
        return "\(folder(in: state))/\(String(key, radix: 16))"
    }

    /// The note in a file; `nil` if there is none.
    public init?(at path: String) {
        guard let data = try? Data(contentsOf: URL(filePath: path)),
            let note = try? JSONDecoder().decode(SyncNote.self, from: data)
        else { return nil }
        self = note
    }

    /// Replaces the note in a file; one that cannot be written is left out, without a message.
    public func write(to path: String) {
        var note = self
        if end != .done { note.done = SyncNote(at: path)?.done }
        let file = URL(filePath: path)
        SyncNote.makeFolder(file.deletingLastPathComponent().path)
        guard let data = try? JSONEncoder().encode(note) else { return }
        try? data.write(to: file, options: .atomic)
    }

    /// Makes the folder of the notes, for its owner alone.
    public static func makeFolder(_ path: String) {
        try? FileManager.default.createDirectory(
            at: URL(filePath: path),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }
}
