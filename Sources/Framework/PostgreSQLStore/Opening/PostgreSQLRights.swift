import ObjectModel
import ObjectStore

// What the roles of a database may do with a store: a reader has SELECT on its tables, a writer also
// INSERT, UPDATE and DELETE, and the owner makes and migrates them.

extension PostgreSQLConnection {
    /// What a reader lacks, in words.
    static let writingRight = "the right to INSERT, UPDATE and DELETE in its tables (GRANT)"
    /// 1 for a writer, else 0: every save updates this table.
    static let mayWrite =
        "CAST(CASE WHEN has_table_privilege('og_state', 'UPDATE') THEN 1 ELSE 0 END AS BIGINT)"

    /// Throws if there is a store that this user must not even read.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/serverAccess``.
    func checkRights(_ place: PostgreSQLPlace) throws {
        let isThere = try number(
            "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'z_metadata'",
            .text(place.schema)
        )
        if isThere == nil { return }
        throw ObjectGraphError(
            .serverAccess,
            "You may not read the store in the schema \"\(place.schema)\" of the database server"
                + " \(server): USAGE on the schema or SELECT on its tables is missing.",
            recovery: "Ask the owner of the store for the rights (GRANT)."
        )
    }

    /// Makes tables again without taking from others what they may do with them; new ones get what
    /// others may do with any.
    ///
    /// Inside a transaction.
    func keepingGrants(_ body: () throws -> Void) throws {
        let before = try grants()
        try body()
        _ = try finish()
        if before.isEmpty { return }
        let present = try run(
            "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()"
        )
        let tables = (0..<present.count).map { present.text($0, 0) }
        for (grantee, former) in before.sorted(by: { $0.key < $1.key }) {
            let any = former.values.reduce(into: Set<String>()) { $0.formUnion($1) }
            for table in tables {
                for right in (former[table] ?? any).sorted() {
                    try enqueue(
                        "GRANT \(right) ON \(quotedExactly(table))"
                            + " TO \(grantee == "PUBLIC" ? grantee : quotedExactly(grantee))"
                    )
                }
            }
        }
        _ = try finish()
    }

    /// The rights of others on the tables of the store: by role, and by table.
    private func grants() throws -> [String: [String: Set<String>]] {
        let found = try run(
            "SELECT CAST(grantee AS TEXT), CAST(table_name AS TEXT), CAST(privilege_type AS TEXT)"
                + " FROM information_schema.table_privileges"
                + " WHERE table_schema = current_schema() AND grantee <> current_user"
        )
        var grants: [String: [String: Set<String>]] = [:]
        for row in 0..<found.count {
            grants[found.text(row, 0), default: [:]][found.text(row, 1), default: []]
                .insert(found.text(row, 2))
        }
        return grants
    }
}

/// A name that exists, with its upper and lower case letters, for a statement.
func quotedExactly(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
