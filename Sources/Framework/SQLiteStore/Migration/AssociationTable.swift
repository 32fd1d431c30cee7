import FoundationEssentials
package import ObjectModel
import ObjectStore

/// Which destination objects a migration has made from which source objects, for each entity
/// mapping.
///
/// It is a temporary database, which SQLite keeps in memory while it is small, and in a file without
/// a name while it is large.
package final class AssociationTable {
    /// One pair of objects.
    package struct Pair: Hashable {
        package let source: ManagedObjectID
        package let destination: ManagedObjectID

        package init(source: ManagedObjectID, destination: ManagedObjectID) {
            self.source = source
            self.destination = destination
        }
    }

    private let connection: Connection
    private let path: String

    /// - Parameter path: the store that is migrated, for the errors.
    /// - Throws: `ObjectGraphError` if there is no memory or no place for temporary files.
    package init(for path: String) throws {
        self.path = path
        connection = try AssociationTable.translatingErrors(path) {
            let connection = try Connection("", .readWrite)
            try connection.execute(
                """
                PRAGMA cache_size=-8192; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
                CREATE TABLE pair (mapping INTEGER, source INTEGER, destination INTEGER,
                    PRIMARY KEY (mapping, source, destination)) WITHOUT ROWID;
                CREATE INDEX made ON pair (mapping, destination);
                """
            )
            return connection
        }
    }

    private func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        try AssociationTable.translatingErrors(path, body)
    }

    private static func translatingErrors<Result>(
        _ path: String,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw error.named(path).error
        }
    }

    /// Adds pairs of a mapping; one that is known already is added once.
    package func add(_ pairs: [Pair], mapping: Int) throws {
        try translatingErrors {
            try connection.transaction {
                let statement = try connection.statement(
                    "INSERT OR IGNORE INTO pair (mapping, source, destination) VALUES (?, ?, ?)"
                )
                for pair in pairs {
                    try statement.run(
                        .integer(Int64(mapping)),
                        .integer(Int64(bitPattern: pair.source.raw)),
                        .integer(Int64(bitPattern: pair.destination.raw))
                    )
                }
            }
        }
    }

    /// The destination objects that a mapping, or any mapping, has made from a source object.
    package func destinations(
        of source: ManagedObjectID,
        mapping: Int?
    ) throws -> [ManagedObjectID] {
        try others("destination", "source", source, mapping)
    }

    /// The source objects from which a mapping, or any mapping, has made a destination object.
    package func sources(
        of destination: ManagedObjectID,
        mapping: Int?
    ) throws -> [ManagedObjectID] {
        try others("source", "destination", destination, mapping)
    }

    private func others(
        _ wanted: String,
        _ known: String,
        _ id: ManagedObjectID,
        _ mapping: Int?
    ) throws -> [ManagedObjectID] {
        try translatingErrors {
            let mappings = mapping.map { "mapping = \($0)" } ?? "mapping >= 0"
            let statement = try connection.statement(
                "SELECT \(wanted) FROM pair WHERE \(mappings) AND \(known) = ?"
                    + " ORDER BY mapping, \(wanted)"
            )
            defer { statement.reset() }
            statement.bind(Int64(bitPattern: id.raw), at: 1)
            var result: [ManagedObjectID] = []
            while try statement.step() { result.append(Self.id(statement.integer(0))) }
            return result
        }
    }

    /// The next pairs of a mapping after one, in the order of their source objects.
    package func pairs(of mapping: Int, after last: Pair?, limit: Int) throws -> [Pair] {
        try translatingErrors {
            let statement = try connection.statement(
                "SELECT source, destination FROM pair WHERE mapping = ?"
                    + " AND (source, destination) > (?, ?) ORDER BY source, destination LIMIT ?"
            )
            defer { statement.reset() }
            statement.bind(Int64(mapping), at: 1)
            statement.bind(last.map { Int64(bitPattern: $0.source.raw) } ?? .min, at: 2)
            statement.bind(last.map { Int64(bitPattern: $0.destination.raw) } ?? .min, at: 3)
            statement.bind(Int64(limit), at: 4)
            var result: [Pair] = []
            while try statement.step() {
                result.append(
                    Pair(
                        source: Self.id(statement.integer(0)),
                        destination: Self.id(statement.integer(1))
                    )
                )
            }
            return result
        }
    }

    private static func id(_ number: Int64) -> ManagedObjectID {
        ManagedObjectID(raw: UInt64(bitPattern: number))
    }
}
