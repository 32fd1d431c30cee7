import CivilTime
public import FoundationEssentials
import Glibc
import ObjectGraph

/// Up to which moment the reminders of a store were announced: a small file that all programs of a
/// user share, so that each reminder is announced once.
///
/// Without a folder, or if the file cannot be written, only this program knows it.
public final class ReminderMark {
    /// How far the first look of all goes back.
    private static let firstSpan: TimeInterval = 86_400
    private let path: String?
    /// Up to which moment this program knows that all were announced.
    public private(set) var last: Date?

    /// The mark of a library's store, in the user's folder for such files; `nil` if there is none.
    public init(of library: Library, in folder: String?) {
        let store = library.coordinator.persistentStores.first?.identifier.uuidString ?? "none"
        path = folder.map { "\($0)/reminded-\(store)" }
    }

    /// Announces what has come since the last time, and notes that it was.
    ///
    /// Another program that announces at this moment has the turn: then nothing is done.
    ///
    /// - Parameters:
    ///   - library: the open store.
    ///   - announce: gets at least one reminder, and returns whether someone was reminded; else they
    ///     stay for the next time.
    /// - Throws: what reading the store throws.
    public func announce(
        of library: Library,
        _ announce: ([DueReminder]) throws -> Bool
    ) throws {
        let now = library.clock().now
        let file = open()
        defer { if let file { close(file) } }
        if let file, flock(file, LOCK_EX | LOCK_NB) != 0 { return }
        let start = file.flatMap(date(in:)) ?? last ?? now - Self.firstSpan
        let reminders = try library.reminders(after: start, until: now)
        if !reminders.isEmpty, try !announce(reminders) { return }
        last = now
        // A clock that was ahead must not silence what comes until then.
        if let file, !reminders.isEmpty || start > now { note(now, in: file) }
    }

    private func open() -> Int32? {
        guard let path else { return nil }
        try? FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return file < 0 ? nil : file
    }

    private func date(in file: Int32) -> Date? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(file, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
        return Int64(text).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Seconds since 1970 in a fixed width, so that one write replaces the former.
    private func note(_ date: Date, in file: Int32) {
        let text = Array("\(Int64(date.timeIntervalSince1970.rounded(.down)))\n".utf8)
        _ = pwrite(file, text, text.count, 0)
    }
}
