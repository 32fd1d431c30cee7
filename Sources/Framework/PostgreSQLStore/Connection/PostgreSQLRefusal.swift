import ObjectModel

/// Why there is no connection, by the words of libpq and of the server: before there is one, an error
/// has no code.
struct PostgreSQLRefusal {
    /// One of these is in the message.
    private let words: [String]
    let code: ObjectGraphError.Code
    /// What the server does: the end of a sentence that begins with it.
    let sentence: String
    let recovery: String

    /// The reason that a message has.
    static func find(in message: String) -> PostgreSQLRefusal? {
        all.first { $0.words.contains { message.contains($0) } }
    }

    private init(
        _ words: String...,
        code: ObjectGraphError.Code = .serverAccess,
        sentence: String,
        recovery: String
    ) {
        (self.words, self.code) = (words, code)
        (self.sentence, self.recovery) = (sentence, recovery)
    }

    /// Of several hosts, one that has answered says more than one that has not.
    private static let all = [
        PostgreSQLRefusal(
            "password authentication failed",
            "no password supplied",
            sentence: "does not let this user in without the right password",
            recovery: "Give the password in PGPASSWORD, in ~/.pgpass or in the address."
        ),
        PostgreSQLRefusal(
            "no pg_hba.conf entry",
            sentence: "does not let this user in from this computer",
            recovery: "Its administrator allows that in pg_hba.conf; where that asks for TLS,"
                + " sslmode=disable in the address is in the way."
        ),
        PostgreSQLRefusal(
            "eer authentication failed",
            "dent authentication failed",
            sentence: "lets in only the user of the same name as that of this computer",
            recovery:
                "Leave the user out of the address, or name a host, so that a password is asked for."
        ),
        // A database is missing in the same words.
        PostgreSQLRefusal(
            "FATAL:  role \"",
            sentence: "has no user of this name, or does not let them in",
            recovery:
                "Check the user in the address; the administrator makes one (CREATE ROLE name LOGIN)."
        ),
        PostgreSQLRefusal(
            "FATAL:  database \"",
            sentence: "has no database of this name, or does not let anybody in there",
            recovery:
                "Check the database in the address; the administrator makes one (createdb name)."
        ),
        PostgreSQLRefusal(
            "too many c",
            "remaining connection slots",
            code: .serverUnreachable,
            sentence: "takes no more connections",
            recovery: "Try again when others have left; its administrator sets max_connections."
        ),
        PostgreSQLRefusal(
            "starting up",
            "shutting down",
            "in recovery mode",
            "not accepting connections",
            "not yet accepting connections",
            code: .serverUnreachable,
            sentence: "is starting or stopping",
            recovery: "Try again in a moment."
        ),
        PostgreSQLRefusal(
            "authentication",
            "certificate",
            "FATAL",
            sentence: "does not let this user in",
            recovery:
                "Check user, password, database and certificates, and the server's pg_hba.conf."
        ),
        PostgreSQLRefusal(
            "could not translate host name",
            code: .serverUnreachable,
            sentence: "cannot be reached: nobody knows a computer of this name",
            recovery: "Check the name in the address, and the network."
        ),
        PostgreSQLRefusal(
            "Connection refused",
            "No such file or directory",
            code: .serverUnreachable,
            sentence: "cannot be reached: nothing listens there",
            recovery: "Check host and port in the address, and whether the server runs."
        ),
    ]
}
