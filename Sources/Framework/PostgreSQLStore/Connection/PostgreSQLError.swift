import CPostgreSQL
import FoundationEssentials
import ObjectModel

/// A failure of a PostgreSQL server, or of the connection to it.
///
/// It becomes an ``ObjectGraphError`` with a sentence before it leaves the store.
struct PostgreSQLError: Error {
    /// The five characters of SQLSTATE; empty where the connection itself has failed.
    let state: String
    /// The server's words; for conclusions only, no error shows them.
    let message: String
    let constraint: String
    /// What the server was doing, such as `COPY zitem, line 3`.
    let context: String
    /// The server, as the user has named it.
    let server: String
    /// Whether the connection is lost.
    let isLost: Bool
    /// Whether the statement was cancelled here, not by the server.
    var isCancelled = false
    /// The place of the statement in its pipeline.
    var place = 0

    init(_ result: OpaquePointer, server: String, isAlive: Bool) {
        func part(_ letter: Character) -> String {
            guard let code = letter.asciiValue else { return "" }
            return cpg_error_part(result, CChar(code)).map { String(cString: $0) } ?? ""
        }
        state = part("C")
        message = part("M")
        constraint = part("n")
        context = part("W")
        self.server = server
        // The server ends connections when it is shut down, or when it has crashed.
        // It also ends those that were idle for longer than it allows.
        isLost =
            !isAlive || state.hasPrefix("08")
            || ["57P01", "57P02", "57P03", "57P05", "25P03", "25P04"].contains(state)
    }

    init(lost message: String, server: String) {
        state = ""
        constraint = ""
        context = ""
        self.message = message
        self.server = server
        isLost = true
    }

    /// Whether the statement was stopped before its end.
    var isStopped: Bool { state == "57014" }
    var isUniqueViolation: Bool { state == "23505" }
    /// Whether the same transaction may succeed if it is repeated.
    var isPassing: Bool { state == "40001" || state == "40P01" }
    /// Whether a right is missing.
    var isWithoutRight: Bool { state == "42501" }
    /// Whether the server has become one that only reads.
    var isOfReader: Bool { state == "25006" }
    /// Whether the server is there, and not ready yet.
    var isStarting: Bool { state == "57P03" || message.contains("starting up") }

    /// The failure as a sentence that says what to do.
    var error: ObjectGraphError {
        func make(
            _ code: ObjectGraphError.Code,
            _ message: String,
            _ recovery: String
        ) -> ObjectGraphError {
            ObjectGraphError(code, message, recovery: recovery, underlying: [self])
        }
        if state.isEmpty, doubt == nil, let refusal = PostgreSQLRefusal.find(in: message) {
            return make(
                refusal.code,
                "The database server \(server) \(refusal.sentence).",
                refusal.recovery
            )
        }
        switch state {
        case _ where doubt != nil:
            return make(
                .serverAccess,
                "The database server \(server) has not proved who it is: \(doubt ?? "").",
                "Name the file with the authority's certificate by sslrootcert in the address (else"
                    + " ~/.postgresql/root.crt), and the server as its certificate does. Where the"
                    + " network itself is safe, sslmode=disable turns this off."
            )
        case "" where message.contains("does not support SSL"):
            return make(
                .serverAccess,
                "The database server \(server) does not encrypt its connections.",
                "Turn TLS on at the server. Where the network itself is safe, sslmode=disable in the"
                    + " address does without."
            )
        case "" where message.contains("invalid connection option"):
            return make(
                .cannotOpen,
                "The address of the database server \(server) has a parameter that PostgreSQL's"
                    + " library does not know.",
                "Check the names after the question mark."
            )
        case _ where state.hasPrefix("53"):
            return make(
                .cannotWrite,
                "The database server \(server) has no space, memory or connection left.",
                "Nothing was changed; try again when it has."
            )
        case "25P03", "25P04":
            return make(
                .timedOut,
                "The database server \(server) has ended a transaction that took longer than it"
                    + " allows.",
                "Nothing was changed; its administrator sets idle_in_transaction_session_timeout and"
                    + " transaction_timeout."
            )
        case _ where isLost:
            return make(
                .serverUnreachable,
                "The database server \(server) cannot be reached.",
                "Check its address, the network, and whether it runs; then try again."
            )
        // Migrations keep this table.
        case "42P01" where message.contains("og_state"):
            return make(
                .cannotOpen,
                "The store is not in its schema on the database server \(server) any more: somebody"
                    + " has dropped or renamed it.",
                "Nothing was changed; try again when it is back."
            )
        // A table or a column that is gone, or has another type.
        case "42P01", "42703", "0A000": return .migrated
        case _ where isCancelled: return make(.cancelled, "The request was cancelled.", "")
        case "57014":
            return make(
                .timedOut,
                "The database server \(server) has stopped a statement that took longer than it"
                    + " allows.",
                "Nothing was changed; its administrator sets statement_timeout."
            )
        case "55P03", "40001", "40P01":
            return make(
                .timedOut,
                "Others are writing to the store on the database server \(server).",
                "Nothing was changed; try again when they have finished."
            )
        case "42501":
            return make(
                .serverAccess,
                "You do not have all rights for this on the database server \(server): a writer needs"
                    + " SELECT, INSERT, UPDATE and DELETE on all tables of the store, and only its owner"
                    + " makes or changes tables.",
                "Nothing was changed; ask the owner of the store for the rights (GRANT)."
            )
        case "25006":
            return make(
                .cannotWrite,
                "The database server \(server) only reads at the moment.",
                "Nothing was changed; use the server that writes."
            )
        default:
            return make(
                .server,
                "The database server \(server) cannot do what it was asked for (error \(state)).",
                "Nothing was changed; report the error."
            )
        }
    }

    /// Why a server is not the one that it should be; `nil` if that is not what has failed.
    private var doubt: String? {
        guard state.isEmpty else { return nil }
        if message.contains("root certificate file") {
            return "there is no file with the certificate of its authority"
        }
        if message.contains("does not match host name") {
            return "its certificate is for another name"
        }
        return message.contains("certificate verify failed")
            ? "its certificate is not of an authority that is trusted here" : nil
    }
}

extension PostgreSQLError: CustomStringConvertible, CustomReflectable {
    /// The code alone: the server's message names tables, columns and values.
    var description: String { "error \(state.isEmpty ? "of the connection" : state) of PostgreSQL" }

    var customMirror: Mirror { Mirror(self, children: ["state": state]) }
}

/// Does work and turns a failure of the server into the framework's error.
func translatingServerErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as PostgreSQLError {
        throw error.error
    }
}
