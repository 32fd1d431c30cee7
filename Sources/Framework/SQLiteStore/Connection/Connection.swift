import CSQLite
import FoundationEssentials
import Glibc
import ObjectStore

/// What ``Connection/ticking(_:_:)`` calls while statements run.
class Ticker {
    /// Whether to stop the running statement.
    func tick() -> Bool { false }
}

/// One open SQLite database: cached statements and transactions.
///
/// Used by one thread at a time, under the coordinator's lock; only ``interrupt()`` may be called
/// from any thread while the connection is open.
final class Connection {
    enum Access {
        case readOnly
        /// Read-only on a medium where even the index of the write-ahead log cannot be created; the
        /// file must not change while it is open.
        case immutable
        case readWrite
    }

    /// The path of the file, for messages.
    let path: String
    let access: Access
    /// Safety: valid as long as this object, which closes it; after ``close(folds:)`` only statements
    /// that are not finished may use it.
    let handle: OpaquePointer

    /// Called after each statement with its text and duration; set by ``trace(_:)``.
    fileprivate(set) var onStatement: ((_ sql: String, _ duration: Duration) -> Void)?

    private var cache: [String: Statement] = [:]
    /// Whether a search index may have got no memory; see ``connectIndexesAgain()``.
    private var mayHoldWrongIndex = false
    private(set) var isClosed = false

    /// Whether transactions stamp the state that they create; true in stores of our own.
    var stampsStates = false
    /// Whether somebody else has written since ``beginNotingForeignWrites()``, as far as the write
    /// transactions of this connection have seen.
    private(set) var hasForeignWrites = false
    /// ``pagerVersion`` at the end of the last write transaction.
    private var ownVersion: UInt32 = 0
    /// The newest state that this connection has created or received.
    var stamp = StateStamp.none
    /// The length of the write-ahead log after the last commit of this connection, in frames.
    ///
    /// Safety: freed with this object; ``close(folds:)`` has made SQLite write it no more.
    private let logLength: UnsafeMutablePointer<Int32>
    var logFrames: Int { Int(logLength.pointee) }

    /// How long a statement waits for another process's lock before it fails.
    static let busyTimeout = Duration.seconds(10)

    init(
        _ path: String,
        _ access: Access,
        fileSystem: String? = nil,
        trustsChecksums: Bool = false
    ) throws {
        self.path = path
        self.access = access
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
        switch access {
        case .readOnly, .immutable: flags |= SQLITE_OPEN_READONLY
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        }
        var parameters: [String] = []
        if access == .immutable { parameters.append("immutable=1") }
        if trustsChecksums { parameters.append("og_trusts_checksums=1") }
        // Without the empty host, a path that begins with two slashes would name one.
        let uri =
            (path.hasPrefix("/") ? "file://" : "file:") + Connection.escaped(path)
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
        var handle: OpaquePointer?
        // Without memory for the checking one, the file is still readable.
        let checking = csqlite_checked_files(fileSystem)
        let code =
            checking.map { sqlite3_open_v2(uri, &handle, flags, $0) }
            ?? sqlite3_open_v2(uri, &handle, flags, fileSystem)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(handle, code: code, path: path)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        logLength = .allocate(capacity: 1)
        logLength.initialize(to: 0)
        setBusyTimeout()
        // The store moves the log itself, after checking that the file is still its own.
        _ = csqlite_fold_on_close(handle, false)
        _ = csqlite_forbid_views(handle)
        csqlite_watch_log(handle, logLength)
        csqlite_register_text(handle)
        DecimalFunctions.register(on: handle)
    }

    deinit {
        close()
        logLength.deallocate()
    }

    /// A path as the file part of an SQLite URI.
    private static func escaped(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0...0x20, 0x7f...:
                result += "%"
                if byte < 16 { result += "0" }
                result += String(byte, radix: 16)
            default: result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return result
    }

    /// The prepared form of a statement, from the cache if it was used before.
    func statement(_ sql: String) throws -> Statement {
        if mayHoldWrongIndex { connectIndexesAgain() }
        if let statement = cache[sql] {
            if !statement.isRunning { return statement }
            return try Statement(sql, on: self)
        }
        let statement = try Statement(sql, on: self)
        // Fetches have any number of different statements; the ones that matter are soon used
        // again.
        if cache.count >= 512 { dropIdleStatements() }
        cache[sql] = statement
        return statement
    }

    /// Drops the statements that nobody runs, with the values that were bound last.
    func dropIdleStatements() { cache = cache.filter { $0.value.isRunning } }

    /// Runs one or more statements without arguments.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code, sql) }
    }

    /// The error of a statement that has failed with a code.
    func failure(_ code: Int32, _ sql: String?) -> SQLiteError {
        let error = SQLiteError(handle, code: code, path: path, sql: sql)
        if error.primaryCode == SQLITE_NOMEM || error.code == Connection.damagedIndex {
            mayHoldWrongIndex = true
        }
        return error
    }

    /// SQLITE_CORRUPT_VTAB, which is a macro that is not imported.
    private static let damagedIndex = SQLITE_CORRUPT | (1 << 8)

    /// Makes SQLite forget what its search indexes (FTS5) have in memory.
    ///
    /// A search index whose request for memory was refused keeps a wrong picture of its tables, even
    /// after the rollback, and reports them as damaged until it is connected again; that happens
    /// when SQLite reads the schema. Prepared statements stay valid.
    private func connectIndexesAgain() {
        // Within a transaction the index has changes that are not written.
        if isInTransaction { return }
        if sqlite3_exec(handle, "PRAGMA writable_schema=RESET", nil, nil, nil) == SQLITE_OK {
            mayHoldWrongIndex = false
            // SQLite would prepare them again when they are needed, and need memory for it.
            for end in ["COMMIT", "ROLLBACK"] { cache[end] = nil }
        }
    }

    /// The first column of the first row as an integer; `nil` if there is no row or it is NULL.
    func integer(_ sql: String, _ arguments: SQLValue...) throws -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(arguments)
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE touched.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The key of the row that was inserted last.
    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs work in one write transaction; an error rolls all of it back.
    func transaction<Result>(
        beginning statement: String = "BEGIN IMMEDIATE",
        _ body: () throws -> Result
    ) throws -> Result {
        // Prepared while there is memory, so that the end of a failed transaction needs none: a connection
        // that stays in it would hold the lock, and read what was never committed.
        let rollback = try self.statement("ROLLBACK")
        try run(statement)
        if pagerVersion != ownVersion { hasForeignWrites = true }
        defer { ownVersion = pagerVersion }
        do {
            let before = sqlite3_total_changes64(handle)
            let result = try body()
            let made = sqlite3_total_changes64(handle) != before ? try stampState() : nil
            try run("COMMIT")
            if let made { stamp = made }
            return result
        } catch {
            // SQLite may have rolled back itself, for example after a full disk.
            if isInTransaction {
                _ = try? rollback.step()
                rollback.reset()
            }
            throw error
        }
    }

    /// A number that changes with every state of the database that this connection has seen or made;
    /// reads nothing.
    var pagerVersion: UInt32 {
        var version: UInt32 = 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// From now on, every state that this connection has not made is somebody else's.
    func beginNotingForeignWrites() {
        ownVersion = pagerVersion
        hasForeignWrites = false
    }

    /// Stamps the state that the running transaction creates; ``LogOwnership`` explains the
    /// purpose.
    private func stampState() throws -> StateStamp? {
        guard stampsStates else { return nil }
        let next = try storedStamp().next()
        let (number, link) = (Int32(bitPattern: next.number), Int32(bitPattern: next.link))
        try execute("PRAGMA user_version=\(number); PRAGMA application_id=\(link)")
        return next
    }

    /// The stamp of the state that a read sees.
    func storedStamp() throws -> StateStamp {
        let number = try integer("PRAGMA user_version") ?? 0
        let link = try integer("PRAGMA application_id") ?? 0
        return StateStamp(
            number: UInt32(truncatingIfNeeded: number),
            link: UInt32(truncatingIfNeeded: link)
        )
    }

    /// Runs work that sees one state of the database.
    func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        if isInTransaction { return try body() }
        // Prepared while there is memory, as in a write transaction.
        let commit = try self.statement("COMMIT")
        try run("BEGIN")
        defer {
            if isInTransaction {
                _ = try? commit.step()
                commit.reset()
            }
        }
        return try body()
    }

    /// Runs a statement without arguments through the cache.
    func run(_ sql: String) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// Moves the write-ahead log into the file, as far as readers allow it.
    ///
    /// - Parameter empties: whether to wait a moment for readers, and then to truncate the log.
    /// - Throws: `SQLiteError` if the disk fails; the log is then complete, as before.
    func foldLog(empties: Bool) throws {
        guard StoreFile.hasLog(path) else { return }
        let mark = FoldMark(path)
        sqlite3_busy_timeout(handle, empties ? 100 : 0)
        defer {
            setBusyTimeout()
            touchLog()
            mark.remove()
        }
        try run("PRAGMA wal_checkpoint(\(empties ? "TRUNCATE" : "PASSIVE"))")
    }

    /// Gives the log a newer time than the file, as after a commit.
    func touchLog() { utimensat(AT_FDCWD, path + "-wal", nil, 0) }

    private func setBusyTimeout() {
        sqlite3_busy_timeout(handle, Int32(Connection.busyTimeout.components.seconds) * 1000)
    }

    /// Stops the running statement, which then fails with a cancellation.
    func interrupt() { sqlite3_interrupt(handle) }

    /// Runs work whose statements are cancelled soon after the monitor is cancelled.
    func watched<Result>(by monitor: FetchMonitor, _ body: () throws -> Result) throws -> Result {
        try monitor.check()
        // The handler does not hold the monitor: it is removed before this function returns.
        // Some ten thousand times a second: cheap, and often enough for a user.
        let instructions: Int32 = 2000
        // Safety: the handler does not hold the monitor; it is removed before this function returns.
        sqlite3_progress_handler(
            handle,
            instructions,
            { context in
                guard let context else { return 0 }
                return Unmanaged<FetchMonitor>.fromOpaque(context).takeUnretainedValue()
                    .isCancelled ? 1 : 0
            },
            Unmanaged.passUnretained(monitor).toOpaque()
        )
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        return try withExtendedLifetime(monitor, body)
    }

    /// Runs work while a function is called some ten thousand times a second; a statement fails with
    /// a cancellation once it returns true.
    func ticking<Result>(_ ticker: Ticker, _ body: () throws -> Result) throws -> Result {
        // Safety: the handler does not hold the ticker; it is removed before this function returns.
        sqlite3_progress_handler(
            handle,
            2000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Ticker>.fromOpaque(context).takeUnretainedValue().tick() ? 1 : 0
            },
            Unmanaged.passUnretained(ticker).toOpaque()
        )
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        return try withExtendedLifetime(ticker, body)
    }

    /// Reports each statement that has run, with its duration; `nil` ends it.
    func trace(_ observer: ((_ sql: String, _ duration: Duration) -> Void)?) {
        onStatement = observer
        guard observer != nil else {
            sqlite3_trace_v2(handle, 0, nil, nil)
            return
        }
        // Safety: the trace does not hold the connection; `close`, at the latest in `deinit`, ends it.
        sqlite3_trace_v2(
            handle,
            UInt32(SQLITE_TRACE_PROFILE),
            { _, context, statement, nanoseconds in
                guard let context, let statement,
                    let text = sqlite3_sql(OpaquePointer(statement))
                else { return 0 }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                let duration = nanoseconds.map { $0.load(as: Int64.self) } ?? 0
                let sql = String(cString: text)
                // The stamp of a state is the framework's statement, not the program's.
                if sql.hasPrefix("PRAGMA user_v") || sql.hasPrefix("PRAGMA application_i") {
                    return 0
                }
                connection.onStatement?(sql, .nanoseconds(duration))
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Ends the use of the file.
    ///
    /// - Parameter folds: whether the last connection moves the log into the file and removes it.
    func close(folds: Bool = false) {
        if isClosed { return }
        isClosed = true
        for statement in cache.values { statement.finish() }
        cache = [:]
        // A statement that is not finished keeps SQLite's connection, without its callbacks.
        sqlite3_trace_v2(handle, 0, nil, nil)
        sqlite3_wal_hook(handle, nil, nil)
        _ = csqlite_fold_on_close(handle, folds)
        sqlite3_close_v2(handle)
    }
}
