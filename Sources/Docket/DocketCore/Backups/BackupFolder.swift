import CivilTime
public import DocketFormats
public import FoundationEssentials
import Glibc

/// The folder of a store's backups, `docket.sqlite-backups` beside `docket.sqlite`.
///
/// A name says when and why: `docket-20261122T090000Z-daily.sqlite`; one with `.doubtful.sqlite` has
/// pages that do not have their checksum. Other files in the folder are left alone.
public struct BackupFolder: Sendable {
    public let path: String
    /// The beginning of all names, from the store's own.
    private let base: String

    /// - Parameter store: the path of the store's file.
    public init(store: String) {
        path = store + "-backups"
        let name = store.split(separator: "/").last.map(String.init) ?? store
        base = name.hasSuffix(".sqlite") ? String(name.dropLast(7)) : name
    }

    /// All backups, the newest first.
    ///
    /// Cost: one listing, and one call for each backup.
    public var backups: [Backup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap(backup).sorted {
            ($0.date, $0.number, $0.name) > ($1.date, $1.number, $1.name)
        }
    }

    private func backup(_ name: String) -> Backup? {
        guard name.hasPrefix(base + "-"),
            let suffix = [".sqlite", ".sqlite.age"].first(where: name.hasSuffix)
        else { return nil }
        var rest = name.dropFirst(base.count + 1).dropLast(suffix.count)
        let isDoubtful = rest.hasSuffix(BackupFolder.doubt)
        if isDoubtful { rest = rest.dropLast(BackupFolder.doubt.count) }
        guard let dash = rest.firstIndex(of: "-"),
            let (reason, number) = reason(rest[rest.index(after: dash)...]),
            let date = ISODate.moment(rest[..<dash], zone: .utc)
        else { return nil }
        let file = "\(path)/\(name)"
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Backup(
            path: file,
            date: date,
            reason: reason,
            number: number,
            bytes: Int(status.st_size),
            isDoubtful: isDoubtful
        )
    }

    private static let doubt = ".doubtful"

    /// The path of a backup with doubtful pages instead of another one.
    static func doubtful(_ path: String) -> String {
        path.dropLast(".sqlite".count) + doubt + ".sqlite"
    }

    /// The reason in a name; several backups of one second have numbers.
    private func reason(_ text: Substring) -> (Backup.Reason, number: Int)? {
        if let reason = Backup.Reason(rawValue: String(text)) { return (reason, 1) }
        guard let dash = text.lastIndex(of: "-"),
            let number = Int(text[text.index(after: dash)...]),
            let reason = Backup.Reason(rawValue: String(text[..<dash]))
        else { return nil }
        return (reason, number)
    }

    /// Whether there is no backup of the last day.
    ///
    /// Those from the future are from before the clock was set back.
    var isNewestOlderThanADay: Bool {
        let now = Date()
        return !backups.contains { (0...BackupPolicy.day).contains(now.timeIntervalSince($0.date)) }
    }

    /// The right to make a backup by itself, which one process at a time has.
    struct Turn {
        fileprivate let file: Int32

        func end() { close(file) }
    }

    /// Takes the turn.
    ///
    /// - Parameter waits: whether to wait for another process that has it.
    /// - Returns: the turn; `nil` if another process has it.
    /// - Throws: `InputError` if the folder cannot be created.
    func takeTurn(waits: Bool = false) throws(InputError) -> Turn? {
        try makeFolder()
        let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if file < 0 { return nil }
        if flock(file, LOCK_EX | (waits ? 0 : LOCK_NB)) == 0 { return Turn(file: file) }
        close(file)
        return nil
    }

    /// The path for a new backup; the folder is created if it is missing, and what killed backups
    /// have left is removed.
    ///
    /// - Throws: `InputError` if the folder cannot be created.
    func newPath(
        _ reason: Backup.Reason,
        at date: Date,
        suffix: String = ".sqlite"
    ) throws(InputError) -> String {
        try makeFolder()
        removeUnfinished()
        let name = "\(path)/\(base)-\(ISODate.basicString(date))-\(reason.rawValue)"
        // After all of this second that are left: a number of a deleted one would be an older place.
        let known = backups.filter { $0.reason == reason && $0.path.hasPrefix(name) }
        var number = (known.map(\.number).max() ?? 0) + 1
        while true {
            let file = number == 1 ? name : "\(name)-\(number)"
            // A copy of a damaged store has another ending.
            let endings = [suffix, BackupFolder.doubt + ".sqlite", ".damaged"]
            if endings.allSatisfy({ access(file + $0, F_OK) != 0 }) { return file + suffix }
            number += 1
        }
    }

    /// The path for an encrypted backup that the user asks for; it is never deleted by itself.
    ///
    /// - Throws: `InputError` if the folder cannot be created.
    public func newEncryptedPath(at date: Date) throws(InputError) -> String {
        try newPath(.asked, at: date, suffix: ".sqlite.age")
    }

    /// The path of the plain form of an encrypted backup, which is removed soon; what a killed
    /// process leaves is removed before the next backup.
    public func temporaryPath() throws(InputError) -> String {
        try makeFolder()
        removeUnfinished()
        return "\(path)/\(base)-encrypting.sqlite.part-\(getpid())-age"
    }

    private func makeFolder() throws(InputError) {
        if mkdir(path, 0o700) == 0 {
            // A umask may have removed the owner's permissions.
            chmod(path, 0o700)
        } else if errno != EEXIST {
            throw InputError(
                .malformed,
                "The folder for backups \(path) cannot be created: "
                    + "\(String(cString: strerror(errno)))."
            )
        }
    }

    /// Deletes the oldest rotating backups beyond a policy; the newest one whose pages were all
    /// verified stays.
    ///
    /// - Returns: the deleted ones.
    @discardableResult
    func prune(_ policy: BackupPolicy) -> [Backup] {
        var counts: [Backup.Reason: Int] = [:]
        var bytes = 0
        var deleted: [Backup] = []
        let now = Date()
        // The clock may have been set back: what was made ahead of it is older than what follows.
        let sorted =
            backups.filter { $0.date <= now } + backups.filter { $0.date > now }
        let verified = sorted.first { $0.reason.isRotating && !$0.isDoubtful }
        for backup in sorted where backup.reason.isRotating {
            let count = counts[backup.reason, default: 0] + 1
            let most = backup.reason == .daily ? policy.count : BackupPolicy.others
            let isFirst = counts.isEmpty
            counts[backup.reason] = count
            let hasRoom = count <= most && bytes + backup.bytes <= policy.bytes
            if isFirst || backup == verified || hasRoom {
                bytes += backup.bytes
                continue
            }
            if unlink(backup.path) == 0 { deleted.append(backup) }
            unlink(Vault.path(beside: backup.path))
        }
        return deleted
    }

    /// Removes the parts of backups whose process has ended.
    private func removeUnfinished() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let parts = name.components(separatedBy: ".sqlite.part-")
            guard parts.count == 2, name.hasPrefix(base + "-"),
                let process = parts[1].split(separator: "-").first.flatMap({ Int32($0) }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            unlink("\(path)/\(name)")
        }
    }
}
