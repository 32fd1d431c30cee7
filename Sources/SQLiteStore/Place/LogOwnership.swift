import FoundationEssentials
import Glibc

/// Tells whether a log that lies beside a store's file was written for that file, as it is.
///
/// SQLite goes by the name alone: a log that a killed process left is replayed into whatever file
/// has its name by then. If that is a restored copy, the result is a damaged store, or silently the
/// state that the copy was to replace. So every opening asks here first, and what does not belong
/// is set aside.
///
/// **Write-ahead log.** Each transaction of ours stamps the header (``StateStamp``), so each has a
/// copy of page 1 in the log. Let *M* be the header in the file and *P₁ … Pₙ* those of the log's
/// commits. Without a crash in between, a file is either as it was when the log began, then *P₁*
/// follows *M*; or the log was moved into it up to some commit, then *M* is *Pᵢ*: page 1 is the
/// first page that is moved, so this holds as soon as anything was moved. Any other file is another
/// state: not this log's.
///
/// That leaves copies of exactly these states, such as a backup that was made just before the
/// process began which was killed later: byte by byte they are the file that the log belongs to.
/// Only their times tell: whoever puts a copy there writes the file after the last write to the
/// log. We do that too when we move the log, but then there is a mark beside the file
/// (``FoldMark``), and at the end the log is touched. SQLite itself moves the log when the last
/// connection closes; then nobody else reads or writes, and *M* is *Pₙ* from the first page on. So
/// if the file is newer than the log and there is no mark, only *M = Pₙ* belongs.
/// The time of the last change of the inode counts, since a copy may keep the other times. If both
/// times are the same, the log belongs: rather a log too many than a command lost.
///
/// A log by a program that does not stamp has the stamp of *M* in its copies of page 1, or no copy;
/// it is replayed, as SQLite would. Where neither has a stamp (a store of an earlier version), the
/// change counter must fit: it never falls, and *P₁* has that of *M*, or one more.
///
/// **Rollback journal.** It holds page 1 as it was before the transaction that was cut off. The
/// file has the same header, or one that counts one change more; anything else is another state.
///
/// The log is read without a lock: whoever is alone with the file asks again under its lock, and
/// who is not takes a refusal only after asking for a while (``StoreOpening``).
enum LogOwnership {
    /// The log, or journal, holds nothing that would be replayed.
    case empty
    case belongs
    case foreign

    // MARK: Write-ahead log

    /// Judges the write-ahead log of a file with a header; `nil` for a file without one.
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
        // What was not committed is not replayed.
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

    /// Judges the rollback journal of a file with a header; `nil` for a file without one.
    static func journal(of path: String, header: FileHeader?) -> LogOwnership {
        guard let journal = RawFile(path + "-journal"), let start = journal.bytes(at: 0, 28),
            start.starts(with: [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
        else { return .empty }
        func word(_ place: Int) -> Int { start[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (pages, sector, page) = (word(16), word(20), word(24))
        // A transaction that began with an empty file.
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
    /// Those of the transactions that were committed, and of one that was not.
    private(set) var headers: [FileHeader] = []
    /// That of the newest commit.
    private(set) var last: FileHeader?

    /// - Returns: `nil` if the log has no head.
    ///
    /// - Complexity: O(frames), some bytes of each; frames from before the log began again end it.
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
            // The last frame of a commit tells the size of the database.
            if frame[4..<8].contains(where: { $0 != 0 }) {
                hasCommits = true
                last = pending ?? last
                pending = nil
            }
            place += 24 + pageSize
        }
    }
}

/// A log or journal to look into; SQLite takes no locks on those, so it may be opened and closed.
final class RawFile {
    private let descriptor: Int32

    /// - Returns: `nil` if the file is not there, is empty or cannot be read.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// - Returns: `nil` if the file ends before.
    func bytes(at place: Int, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(place)) == count ? bytes : nil
    }

    var identity: FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }
}
