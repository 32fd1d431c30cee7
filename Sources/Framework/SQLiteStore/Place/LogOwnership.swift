import FoundationEssentials
import Glibc
import ObjectStore

/// Decides whether a log beside a store's file was written for this file in its present state.
///
/// SQLite uses the name only: it replays a log of a killed process into whatever file has its name
/// at that time. If that is a restored copy, the result is a damaged store, or without any message
/// the state that the copy was to replace. So every opening checks here first, and a log that does
/// not belong is set aside.
///
/// **Write-ahead log.** Each of our transactions stamps the header (``StateStamp``), so each has a
/// copy of page 1 in the log. Let *M* be the header in the file and *P₁ … Pₙ* the headers in the
/// commits of the log. Without a crash there are two cases. The file is as it was when the log
/// began: then *P₁* follows *M*. Or the log was moved into the file up to some commit: then *M* is
/// *Pᵢ*. Page 1 is moved first, so this holds as soon as anything was moved. Every other file is
/// another state, and the log does not belong to it.
///
/// Copies of exactly these states remain, such as a backup that was made just before the start of a
/// process that was killed later. Byte by byte they equal the file of the log; only their times
/// differ: a copy is written after the last write to the log. Moving the log also writes the file
/// later, but then there is a mark beside the file (``FoldMark``), and at the end the log is
/// touched. SQLite itself moves the log when the last connection closes; then nobody else reads or
/// writes, and *M* is *Pₙ* from the first page on. So if the file is newer than the log and there
/// is no mark, the log belongs only if *M = Pₙ*. The time of the last change of the inode counts,
/// because a copy may keep the other times. If both times are equal, the log belongs: an extra log
/// does less harm than a lost command.
///
/// A log of a program that does not stamp has the stamp of *M* in its copies of page 1, or no copy;
/// it is replayed, as SQLite would do. Where neither has a stamp (a store of an earlier version),
/// the change counter must fit: it never decreases, and *P₁* has the counter of *M*, or one more.
///
/// **Rollback journal.** It holds page 1 from before the interrupted transaction. The file has the
/// same header, or one with a change counter that is one higher; anything else is another state.
///
/// The log is read without a lock. A process that is alone with the file checks again under its
/// lock; any other process refuses only after checking several times (``StoreOpening``).
enum LogOwnership {
    /// The log, or journal, holds nothing that SQLite would replay.
    case empty
    case belongs
    case foreign

    // MARK: Write-ahead log

    /// Decides about the write-ahead log of a file with a header; `nil` for a file without one.
    static func log(of path: String, header: FileHeader?) -> LogOwnership {
        guard let log = RawFile(path + "-wal") else { return .empty }
        guard let scan = LogScan(log) else { return .empty }
        guard let header, scan.pageSize == header.pageSize else {
            return scan.hasCommits ? .foreign : .empty
        }
        return judge(scan, header) { isChanged(path, after: log) && !FoldMark.isThere(path) }
    }

    /// Whether a state with a stamp was committed into the log of a file.
    ///
    /// - Complexity: as ``log(of:header:)``.
    static func logHolds(_ stamp: StateStamp, at path: String) -> Bool {
        guard let log = RawFile(path + "-wal"), let scan = LogScan(log) else { return false }
        return scan.headers.contains { $0.stamp == stamp }
    }

    private static func judge(
        _ scan: LogScan,
        _ header: FileHeader,
        isNewer: () -> Bool
    ) -> LogOwnership {
        // Frames without a commit are not replayed.
        guard scan.hasCommits else { return .empty }
        guard let first = scan.headers.first else { return .belongs }
        if header == scan.last ?? first { return .belongs }
        if isNewer() { return .foreign }
        if scan.headers.contains(header) { return .belongs }
        let (ours, theirs) = (header.stamp, first.stamp)
        let counts = [header.changeCounter, header.changeCounter &+ 1]
        if ours.isNone, !counts.contains(first.changeCounter) { return .foreign }
        return ours == theirs || theirs.follows(ours) ? .belongs : .foreign
    }

    /// Whether a file was changed after the last write to its log.
    private static func isChanged(_ path: String, after log: RawFile) -> Bool {
        guard let file = FileIdentity(path), let log = log.identity else { return false }
        return log.changed < file.changed
    }

    // MARK: Rollback journal

    /// Decides about the rollback journal of a file with a header; `nil` for a file without one.
    static func journal(of path: String, header: FileHeader?) -> LogOwnership {
        guard let journal = RawFile(path + "-journal"), let start = journal.bytes(at: 0, 28),
            start.starts(with: [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
        else { return .empty }
        func word(_ place: Int) -> Int { start[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (pages, sector, page) = (word(16), word(20), word(24))
        // The journal of a transaction that began with an empty file.
        if pages == 0 {
            guard let header else { return .belongs }
            return header.changeCounter <= 1 ? .belongs : .foreign
        }
        guard let header else { return .foreign }
        guard page >= 512, sector >= 28 else { return .empty }
        guard page == header.pageSize else { return .foreign }
        var place = sector
        while let record = journal.bytes(at: place, 4 + FileHeader.size) {
            if record.prefix(4).elementsEqual([0, 0, 0, 1]) {
                guard let before = FileHeader(record.dropFirst(4)) else { return .belongs }
                let isNext = header.changeCounter == before.changeCounter &+ 1
                return header == before || isNext ? .belongs : .foreign
            }
            place += page + 8
        }
        return .belongs
    }
}

/// The copies of page 1 in a write-ahead log.
private struct LogScan {
    let pageSize: Int
    private(set) var hasCommits = false
    /// The copies of committed transactions, and of one that is not committed.
    private(set) var headers: [FileHeader] = []
    /// The copy of the newest commit.
    private(set) var last: FileHeader?

    /// - Returns: `nil` if the log has no head.
    ///
    /// - Complexity: O(frames), some bytes of each; the first frame from an earlier use of the log
    ///   ends it.
    init?(_ log: RawFile) {
        guard let head = log.bytes(at: 0, 32), head[0] == 0x37, head[1] == 0x7f, head[2] == 0x06,
            head[3] & 0xfe == 0x82
        else { return nil }
        pageSize = head[8..<12].reduce(0) { $0 << 8 | Int($1) }
        guard pageSize >= 512, pageSize <= 65536 else { return nil }
        let salts = head[16..<24]
        var place = 32
        var pending: FileHeader?
        while let frame = log.bytes(at: place, 24), frame[8..<16].elementsEqual(salts) {
            if frame.prefix(4).elementsEqual([0, 0, 0, 1]),
                let page = log.bytes(at: place + 24, FileHeader.size), let header = FileHeader(page)
            {
                pending = header
                if headers.last != header { headers.append(header) }
            }
            // The last frame of a commit has the size of the database.
            if frame[4..<8].contains(where: { $0 != 0 }) {
                hasCommits = true
                last = pending ?? last
                pending = nil
            }
            place += 24 + pageSize
        }
    }
}

/// A log or journal for reading.
///
/// SQLite holds no locks on these files, so opening and closing them is safe.
final class RawFile {
    private let descriptor: Int32

    /// - Returns: `nil` if the file does not exist, is empty or cannot be read.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// - Returns: `nil` if the file is shorter.
    func bytes(at place: Int, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(place)) == count ? bytes : nil
    }

    var identity: FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }
}
