import CPostgreSQL
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore
import Synchronization

/// A statement with the types of its parameters, prepared on one connection when it is first run.
final class PostgreSQLStatement {
    fileprivate enum State {
        case new
        /// Sent in the pipeline that is being filled.
        case sent
        case ready
    }

    let sql: String
    fileprivate let name: String
    fileprivate let types: [UInt32]
    fileprivate var state = State.new

    fileprivate init(_ sql: String, _ name: String, _ types: [UInt32]) {
        self.sql = sql
        self.name = name
        self.types = types
    }
}

/// One connection to a PostgreSQL server: prepared statements, pipelines, COPY.
///
/// Used by one thread at a time, under the coordinator's lock; only ``interrupt()`` may be called
/// from any thread. A pipeline is filled by ``enqueue(_:_:keepsRows:)`` and run by ``finish()``: one
/// round trip, however many statements it has.
final class PostgreSQLConnection {
    private struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private enum Pending {
        case preparation(PostgreSQLStatement)
        case run(keepsRows: Bool)
    }

    let server: String
    /// Safety: freed with this object.
    let handle: OpaquePointer
    /// What cancels a statement, as a number; 0 when it is freed.
    private let cancel: Mutex<UInt>
    private var statements: [Key: PostgreSQLStatement] = [:]
    private var names = 0
    private var pending: [Pending] = []
    /// Statements that are sent, and whose results nobody waits for.
    private var unread: [Pending] = []
    private var isInPipeline = false
    /// Whether a transaction is open.
    var isInTransaction = false
    /// What goes before the next statement.
    var beforeNext: (() throws -> Void)?
    /// What looks at a result of the pipeline before anybody gets the others.
    private var check: (place: Int, body: (PostgreSQLResult) throws -> Void)?
    /// The place of the statement that may fail without the pipeline, as a NOTIFY after its COMMIT.
    var dispensable: Int?
    /// Prepared INSERTs and UPDATEs of saves.
    var rowStatements = PostgreSQLRowStatements()
    /// How often the server was waited for; for measurements.
    private(set) var roundTrips = 0
    /// Called after each pipeline with its statements and the time it took.
    var onStatement: ((_ sql: String, _ duration: Duration) -> Void)?
    private var traced: [String] = []

    /// - Throws: ``PostgreSQLError``; `ObjectGraphError` without a libpq.
    init(_ place: PostgreSQLPlace) throws {
        server = place.server
        if let reason = cpg_load() {
            throw ObjectGraphError(
                .cannotOpen,
                "PostgreSQL's library cannot be used: \(String(cString: reason)).",
                recovery: "Install libpq, version 14 or later (libpq5 in Debian)."
            )
        }
        let parameters = place.parameters(library: Int(cpg_library_version()))
        let keywords = parameters.map { strdup($0.keyword) }
        let values = parameters.map { strdup($0.value) }
        defer { for text in keywords + values { free(text) } }
        let connected = (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer {
            keywords in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                cpg_connect(keywords.baseAddress, values.baseAddress)
            }
        }
        guard let handle = connected else {
            throw PostgreSQLError(lost: "there is not enough memory", server: place.server)
        }
        guard cpg_is_alive(handle) else {
            defer { cpg_finish(handle) }
            throw PostgreSQLError(lost: String(cString: cpg_error(handle)), server: place.server)
        }
        self.handle = handle
        cancel = Mutex(UInt(bitPattern: cpg_make_cancel(handle)))
        try execute(
            "SET search_path TO \(place.quotedSchema); SET client_min_messages TO error;"
                + " SET lock_timeout TO '\(place.lockTimeout)';"
                // Compiling a statement takes longer than running most of these.
                + " SELECT set_config(name, 'off', FALSE) FROM pg_settings WHERE name = 'jit'"
        )
    }

    deinit {
        cancel.withLock { cancel in
            if let handle = OpaquePointer(bitPattern: cancel) { cpg_free_cancel(handle) }
            cancel = 0
        }
        cpg_finish(handle)
    }

    /// Whether somebody here has cancelled a statement.
    private let isInterrupted = Atomic(false)

    /// Whether the connection was alive when it was used last.
    var isAlive: Bool { cpg_is_alive(handle) }

    /// Stops the running statement, from any thread.
    func interrupt() {
        isInterrupted.store(true, ordering: .relaxed)
        cancel.withLock { cancel in
            if let handle = OpaquePointer(bitPattern: cancel) { cpg_send_cancel(handle) }
        }
    }

    /// Runs statements without arguments, after those of the pipeline.
    func execute(_ sql: String) throws {
        if !pending.isEmpty { _ = try finish() }
        try ensurePipeline(false)
        roundTrips += 1
        guard let result = cpg_execute(handle, sql) else { throw lost() }
        defer { cpg_clear(result) }
        if cpg_status(result) == Int32(CPG_FAILED) { throw failure(result) }
    }

    // MARK: Pipelines

    /// The prepared form of a statement; it is sent with its first use.
    func statement(_ sql: String, _ types: [ServerType]) -> PostgreSQLStatement {
        let key = Key(sql: sql, types: types.map(\.rawValue))
        if let known = statements[key] { return known }
        names += 1
        let made = PostgreSQLStatement(sql, "s\(names)", key.types)
        statements[key] = made
        return made
    }

    /// Fetches have any number of different statements, and the server keeps each of them.
    ///
    /// Nobody holds one between two pipelines outside a transaction.
    private func forgetStatements() {
        guard statements.count > Self.statementLimit, !isInTransaction,
            (try? execute("DEALLOCATE ALL")) != nil
        else { return }
        statements = [:]
        rowStatements = PostgreSQLRowStatements()
    }

    private static let statementLimit = 512

    /// Adds a statement to the pipeline.
    ///
    /// - Returns: its place among the results.
    @discardableResult
    func enqueue(
        _ statement: PostgreSQLStatement,
        _ fields: FieldWriter,
        keepsRows: Bool = false
    ) throws -> Int {
        if let first = beforeNext {
            beforeNext = nil
            try first()
        }
        try ensurePipeline(true)
        if statement.state == .new {
            let isSent = statement.types.withUnsafeBufferPointer {
                cpg_prepare(
                    handle,
                    statement.name,
                    statement.sql,
                    Int32($0.count),
                    $0.baseAddress
                )
            }
            if !isSent { throw lost() }
            statement.state = .sent
            pending.append(.preparation(statement))
        }
        let isSent = fields.bytes.withUnsafeBufferPointer { bytes in
            cpg_run(
                handle,
                statement.name,
                Int32(fields.lengths.count),
                bytes.baseAddress,
                fields.offsets,
                fields.lengths
            )
        }
        if !isSent { throw lost() }
        if onStatement != nil { traced.append(statement.sql) }
        pending.append(.run(keepsRows: keepsRows))
        runs += 1
        return runs - 1
    }

    /// How many statements the pipeline has.
    private(set) var runs = 0

    @discardableResult
    func enqueue(_ sql: String, _ arguments: SQLValue..., keepsRows: Bool = false) throws -> Int {
        try enqueue(sql, arguments, keepsRows: keepsRows)
    }

    func enqueue(_ sql: String, _ arguments: [SQLValue], keepsRows: Bool = true) throws -> Int {
        var fields = FieldWriter()
        for argument in arguments { fields.add(argument) }
        let statement = statement(sql, arguments.map(\.serverType))
        return try enqueue(statement, fields, keepsRows: keepsRows)
    }

    /// Adds a query whose result decides whether the pipeline has failed.
    func enqueue(
        _ sql: String,
        checking check: @escaping (PostgreSQLResult) throws -> Void
    ) throws {
        self.check = (try enqueue(sql, keepsRows: true), check)
    }

    /// Adds a statement whose only parameter is a list of numbers.
    func enqueue(_ sql: String, list: [Int64], keepsRows: Bool = true) throws -> Int {
        var fields = FieldWriter()
        fields.add(list)
        return try enqueue(statement(sql, [.integers]), fields, keepsRows: keepsRows)
    }

    /// Runs the pipeline.
    ///
    /// - Returns: the results of the statements whose rows were wanted, by place.
    /// - Throws: ``PostgreSQLError`` of the first statement that has failed.
    func finish() throws -> [Int: PostgreSQLResult] {
        let started = ContinuousClock.now
        defer { endTrace(started) }
        let waiting = pending
        let (check, dispensable) = (check, dispensable)
        (self.check, self.dispensable) = (nil, nil)
        pending = []
        runs = 0
        if waiting.isEmpty { return [:] }
        roundTrips += 1
        guard cpg_sync(handle) else { throw lost() }
        skipUnread()
        if let monitor { try wait(monitor) }
        let results = try results(of: waiting, without: dispensable)
        forgetStatements()
        if let check, let result = results[check.place] { try check.body(result) }
        return results
    }

    /// Reads the results of statements that were sent together.
    private func results(
        of sent: [Pending],
        without dispensable: Int? = nil
    ) throws -> [Int: PostgreSQLResult] {
        var results: [Int: PostgreSQLResult] = [:]
        var failed: PostgreSQLError?
        var place = 0
        for item in sent {
            guard let result = cpg_next(handle) else { throw failed ?? lost() }
            let status = cpg_status(result)
            if status == Int32(CPG_FAILED), failed == nil, place != dispensable {
                failed = failure(result)
                failed?.place = place
            }
            let isGood = status == Int32(CPG_OK) || status == Int32(CPG_ROWS)
            var keeps = false
            switch item {
            case .preparation(let statement): statement.state = isGood ? .ready : .new
            case .run(let keepsRows):
                keeps = keepsRows && isGood
                place += 1
            }
            if keeps {
                results[place - 1] = PostgreSQLResult(result)
            } else {
                cpg_clear(result)
            }
            while let more = cpg_next(handle) { cpg_clear(more) }
            if !isAlive { throw failed ?? lost() }
        }
        if let end = cpg_next(handle) { cpg_clear(end) }
        if let failed { throw failed }
        return results
    }

    /// Takes the results that nobody waits for; what is wrong with the connection shows in the next
    /// statement.
    private func skipUnread() {
        let sent = unread
        unread = []
        if !sent.isEmpty { _ = try? results(of: sent) }
    }

    /// Who may cancel the statements of the next pipelines.
    var monitor: FetchMonitor?

    /// Waits for the first result, and cancels the statement when its caller does.
    private func wait(_ monitor: FetchMonitor) throws {
        while cpg_is_busy(handle) {
            if cpg_wait(handle, 20, -1) < 0 { throw lost() }
            if monitor.isCancelled { interrupt() }
        }
    }

    /// Runs one statement.
    func run(_ sql: String, _ arguments: [SQLValue] = []) throws -> PostgreSQLResult {
        let place = try enqueue(sql, arguments)
        return try result(at: place)
    }

    func run(_ sql: String, list: [Int64]) throws -> PostgreSQLResult {
        var fields = FieldWriter()
        fields.add(list)
        return try run(statement(sql, [.integers]), fields)
    }

    func run(_ statement: PostgreSQLStatement, _ fields: FieldWriter) throws -> PostgreSQLResult {
        try result(at: try enqueue(statement, fields, keepsRows: true))
    }

    private func result(at place: Int) throws -> PostgreSQLResult {
        guard let result = try finish()[place] else { throw lost() }
        return result
    }

    func number(_ sql: String, _ arguments: SQLValue...) throws -> Int64? {
        try run(sql, arguments).number
    }

    /// Sends rows by COPY, outside a pipeline.
    ///
    /// - Parameters:
    ///   - target: the table with its columns.
    ///   - rows: the rows with their end.
    /// - Throws: ``PostgreSQLError``.
    func copy(into target: String, _ rows: FieldWriter) throws {
        if !pending.isEmpty { _ = try finish() }
        try ensurePipeline(false)
        roundTrips += 2
        let started = ContinuousClock.now
        let sql = "COPY \(target) FROM STDIN WITH (FORMAT binary)"
        if onStatement != nil { traced.append(sql) }
        defer { endTrace(started) }
        guard let begun = cpg_execute(handle, sql) else { throw lost() }
        defer { cpg_clear(begun) }
        guard cpg_status(begun) == Int32(CPG_COPY_IN) else { throw failure(begun) }
        let isSent = rows.bytes.withUnsafeBufferPointer {
            cpg_copy(handle, $0.baseAddress, $0.count)
        }
        guard isSent, cpg_end_copy(handle) else { throw lost() }
        var failed: PostgreSQLError?
        while let result = cpg_next(handle) {
            if cpg_status(result) == Int32(CPG_FAILED), failed == nil {
                failed = failure(result)
            }
            cpg_clear(result)
            if !isAlive { throw failed ?? lost() }
        }
        if let failed { throw failed }
    }

    // MARK: Transactions

    func begin(_ sql: String = "BEGIN") throws {
        try enqueue(sql)
        isInTransaction = true
    }

    /// Ends the transaction without its changes; on a lost connection it has ended.
    func rollback() {
        isInTransaction = false
        if !isAlive { return }
        if !pending.isEmpty { _ = try? finish() }
        try? execute("ROLLBACK")
    }

    /// Ends a transaction that has only read, without waiting for the server.
    func endReading() {
        guard isAlive, pending.isEmpty, (try? enqueue("ROLLBACK")) != nil, cpg_sync(handle) else {
            return rollback()
        }
        isInTransaction = false
        unread = pending
        pending = []
        runs = 0
    }

    /// Runs work in a transaction.
    func transaction<Result>(
        _ sql: String = "BEGIN",
        _ body: () throws -> Result
    ) throws -> Result {
        try begin(sql)
        do {
            let result = try body()
            try enqueue("COMMIT")
            _ = try finish()
            isInTransaction = false
            return result
        } catch {
            rollback()
            throw error
        }
    }

    private func ensurePipeline(_ isWanted: Bool) throws {
        if isWanted == isInPipeline { return }
        if !isWanted { skipUnread() }
        guard isWanted ? cpg_begin_pipeline(handle) : cpg_end_pipeline(handle) else {
            throw lost()
        }
        isInPipeline = isWanted
    }

    private func endTrace(_ started: ContinuousClock.Instant) {
        guard let onStatement, !traced.isEmpty else { return }
        let duration = (ContinuousClock.now - started) / traced.count
        for sql in traced { onStatement(sql, duration) }
        traced = []
    }

    private func failure(_ result: OpaquePointer) -> PostgreSQLError {
        var error = PostgreSQLError(result, server: server, isAlive: isAlive)
        error.isCancelled =
            error.isStopped && isInterrupted.exchange(false, ordering: .relaxed)
        return error
    }

    private func lost() -> PostgreSQLError {
        PostgreSQLError(lost: String(cString: cpg_error(handle)), server: server)
    }
}
