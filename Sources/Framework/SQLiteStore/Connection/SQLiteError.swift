import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel

/// A failure of SQLite: its code and where it happened.
///
/// It becomes an ``ObjectGraphError`` with a sentence before it leaves the store.
struct SQLiteError: Error {
    /// The extended result code.
    let code: Int32
    let path: String
    /// SQLite's own message; it may name tables and columns, never values.
    ///
    /// For conclusions only: no error shows it.
    let message: String
    let sql: String?
    /// Whether the system has refused space, also where SQLite reports only a failed call.
    private let isFull: Bool
    /// Whether the process, or the system, has no room for another open file.
    private let hasNoDescriptor: Bool

    init(_ handle: OpaquePointer?, code: Int32, path: String, sql: String? = nil) {
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        self.code = extended == SQLITE_OK ? code : extended
        self.path = path
        message =
            handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
            ?? String(cString: sqlite3_errstr(code))
        self.sql = sql
        isFull =
            self.code & 0xff == SQLITE_FULL
            || self.code & 0xff == SQLITE_IOERR
                && handle.map { [ENOSPC, EDQUOT].contains(sqlite3_system_errno($0)) } == true
        hasNoDescriptor =
            [SQLITE_CANTOPEN, SQLITE_IOERR].contains(self.code & 0xff)
            && handle.map { [EMFILE, ENFILE].contains(sqlite3_system_errno($0)) } == true
    }

    private init(_ error: SQLiteError, path: String) {
        code = error.code
        self.path = path
        message = error.message
        sql = error.sql
        isFull = error.isFull
        hasNoDescriptor = error.hasNoDescriptor
    }

    /// The same failure, of the file that the work was for.
    func named(_ path: String) -> SQLiteError { SQLiteError(self, path: path) }

    /// The code without its extension.
    var primaryCode: Int32 { code & 0xff }

    var isConstraintViolation: Bool { primaryCode == SQLITE_CONSTRAINT }

    /// The failure as a sentence that says what to do.
    var error: ObjectGraphError {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        func make(
            _ code: ObjectGraphError.Code,
            _ message: String,
            _ recovery: String
        ) -> ObjectGraphError {
            ObjectGraphError(code, message, recovery: recovery, underlying: [self])
        }
        if hasNoDescriptor {
            return make(
                .cannotOpen,
                "The database \"\(name)\" cannot be opened: too many files are open.",
                "Nothing was changed; raise the limit (ulimit -n), or close other programs."
            )
        }
        switch isFull ? SQLITE_FULL : primaryCode {
        case SQLITE_NOTADB:
            return make(
                .cannotOpen,
                "The file \"\(name)\" is not a database.",
                "Check the name, or restore it from a backup."
            )
        case SQLITE_CORRUPT:
            return make(
                .damagedFile,
                "The database \"\(name)\" is damaged.",
                "Keep a copy of it and restore a backup."
            )
        case SQLITE_READONLY:
            return make(
                .cannotWrite,
                "The database \"\(name)\" is read-only.",
                "Change the permissions of the file and its folder."
            )
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            return make(
                .timedOut,
                "Another program is writing to the database \"\(name)\".",
                "Nothing was changed; try again when it has finished."
            )
        case SQLITE_FULL:
            return make(
                .cannotWrite,
                "The disk with the database \"\(name)\" is full.",
                "Nothing was changed; free some space and try again."
            )
        case SQLITE_IOERR where code == Int32(CSQLITE_REFUSED_PAGE):
            return make(
                .damagedFile,
                "A page of the database \"\(name)\" differs from its checksum: it is damaged, or another"
                    + " program wrote it.",
                "Nothing was changed; repair the store, which corrects a flipped bit, and accept the"
                    + " pages that are right as they are."
            )
        case SQLITE_IOERR:
            return make(
                .cannotWrite,
                "Reading or writing the database \"\(name)\" failed.",
                "Nothing was changed; check the disk."
            )
        case SQLITE_CANTOPEN:
            return make(
                .cannotOpen,
                "The database \"\(name)\" cannot be opened or created.",
                "Check that its folder exists and is writable."
            )
        case SQLITE_PERM, SQLITE_AUTH:
            return make(
                .cannotOpen,
                "There is no permission to open the database \"\(name)\".",
                "Change the permissions of the file."
            )
        case SQLITE_INTERRUPT:
            return make(.cancelled, "The request was cancelled.", "")
        case SQLITE_NOMEM:
            return make(
                .sqlite,
                "There is not enough memory for the database \"\(name)\".",
                "Nothing was changed; close other programs and try again."
            )
        case SQLITE_TOOBIG:
            return make(
                .sqlite,
                "A value is too large for the database \"\(name)\".",
                "Nothing was changed; store it in smaller pieces."
            )
        default:
            return make(
                .sqlite,
                "The database \"\(name)\" cannot do what it was asked for (error \(code) of SQLite).",
                "Nothing was changed; report the number."
            )
        }
    }
}

extension SQLiteError: CustomStringConvertible, CustomReflectable {
    /// The number alone: SQLite's message and the statement name tables, columns and what stands in
    /// predicates.
    var description: String { "error \(code) of SQLite" }

    var customMirror: Mirror { Mirror(self, children: ["code": code]) }
}

/// Does work and turns a failure of SQLite into the framework's error.
func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as SQLiteError {
        throw error.error
    }
}
