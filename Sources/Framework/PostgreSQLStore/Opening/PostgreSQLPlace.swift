package import FoundationEssentials
import ObjectModel

/// Where a store is: a server, a database, a schema in it.
///
/// `postgresql://user@host:port/database?schema=name`, and any other parameter of libpq. A host that
/// is not this computer has to prove by a certificate who it is, unless the URL gives another
/// `sslmode`.
package struct PostgreSQLPlace: Sendable {
    /// The address without a password, for messages and for the store's URL.
    package let url: URL
    package let schema: String
    private var given: [String: String] = [:]

    /// The schema of a URL without one.
    package static let defaultSchema = "objectgraph"

    /// How long a statement waits for another one's lock, in milliseconds.
    let lockTimeout = 10_000

    /// Whether a URL is of such a store.
    package static func isPlace(_ url: URL) -> Bool {
        ["postgresql", "postgres"].contains(url.scheme?.lowercased() ?? "")
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen``.
    package init(_ url: URL) throws {
        guard PostgreSQLPlace.isPlace(url),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else {
            throw ObjectGraphError(
                .cannotOpen,
                "The address of the store is not one of a PostgreSQL database.",
                recovery: "Give it as postgresql://user@host:port/database?schema=name."
            )
        }
        var given: [String: String] = [:]
        if let host = parts.host, !host.isEmpty {
            given["host"] = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        }
        if let port = parts.port { given["port"] = String(port) }
        if let user = parts.user, !user.isEmpty { given["user"] = user }
        if let password = parts.password { given["password"] = password }
        let database = parts.path.drop { $0 == "/" }
        if !database.isEmpty { given["dbname"] = String(database) }
        var names: Set<String> = []
        for item in parts.queryItems ?? [] {
            if !names.insert(item.name).inserted {
                throw ObjectGraphError(
                    .cannotOpen,
                    "The address of the store gives \"\(item.name)\" twice.",
                    recovery: "Leave one of them out."
                )
            }
            given[item.name] = item.value ?? ""
        }
        schema = given.removeValue(forKey: "schema") ?? PostgreSQLPlace.defaultSchema
        guard !schema.isEmpty, schema.utf8.count < 64, !schema.contains("\0"),
            !schema.hasPrefix("pg_")
        else {
            throw ObjectGraphError(
                .cannotOpen,
                "\"\(schema)\" is not the name of a schema.",
                recovery: "Give one of 1 to 63 bytes that does not begin with pg_, or none."
            )
        }
        self.given = given
        parts.password = nil
        parts.queryItems = parts.queryItems?.filter { $0.name != "password" }
        self.url = parts.url ?? url
    }

    /// The server, for messages.
    package var server: String {
        let host = given["host"] ?? given["hostaddr"] ?? ""
        if host.isEmpty || host.hasPrefix("/") { return "of this computer" }
        return given["port"].map { "\(host):\($0)" } ?? host
    }

    var quotedSchema: String { "\"\(schema.replacing("\"", with: "\"\""))\"" }

    /// The name of the notifications about the store.
    var channel: String { "\"og \(schema.replacing("\"", with: "\"\""))\"" }

    /// Whether the server is this computer, as far as its address shows.
    var isLocal: Bool {
        let hosts = (given["hostaddr"] ?? given["host"] ?? "").split(
            separator: ",",
            omittingEmptySubsequences: false
        )
        return hosts.allSatisfy { host in
            host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@")
                || ["localhost", "127.0.0.1", "::1"].contains(host)
        }
    }

    /// The parameters of a connection.
    ///
    /// - Parameter library: the version of libpq.
    /// - Returns: keywords of libpq with their values, each once.
    package func parameters(library: Int) -> [(keyword: String, value: String)] {
        var all = [
            "application_name": "ObjectGraph", "connect_timeout": "10",
            "tcp_user_timeout": "30000",
        ]
        if !isLocal {
            all["sslmode"] = "verify-full"
            // From version 16 on the certificates of the system can be named.
            if library >= 160_000, given["sslmode"] == nil { all["sslrootcert"] = "system" }
        }
        all.merge(given) { _, given in given }
        all["client_encoding"] = "UTF8"
        return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
