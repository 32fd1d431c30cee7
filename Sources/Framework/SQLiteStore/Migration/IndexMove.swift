import CSQLite
import FoundationEssentials
import ObjectStore

/// Which indexes of a store stay in a migration, and which are made.
///
/// An index stays if the new layout wants the same one and nothing in its columns changes.
struct IndexMove {
    struct Wanted {
        let index: StoreSchema.Index
        let table: String
    }

    private let dropped: [String]
    let missing: [Wanted]
    private let connection: Connection

    init(_ plan: MigrationPlan, _ connection: Connection) throws {
        self.connection = connection
        var present: [String: String] = [:]
        let statement = try connection.statement(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
                + " AND name LIKE 'Z%'"
        )
        while try statement.step() {
            present[statement.text(0)] = IndexMove.plain(statement.text(1))
        }
        statement.reset()
        let changed = IndexMove.changedColumns(plan)
        let unchangedJoins = Set(plan.joins.filter(\.isSame).map(\.join.table))
        var kept: Set<String> = []
        for index in plan.new.indexes {
            let text = IndexMove.plain(index.statement)
            guard present[index.name] == text else { continue }
            let words = Set(IndexMove.words(text))
            if let columns = changed[index.table] {
                // A name in quotes may hold what separates words.
                let isTouched = columns.contains {
                    words.contains($0) || (quoted($0) != $0 && text.contains($0))
                }
                if !isTouched { kept.insert(index.name) }
            } else if unchangedJoins.contains(index.table) {
                kept.insert(index.name)
            }
        }
        dropped = present.keys.filter { !kept.contains($0) }.sorted()
        missing = plan.new.indexes.filter { !kept.contains($0.name) }
            .map { Wanted(index: $0, table: $0.table) }
    }

    /// By table that keeps its name and rows: the columns whose values or names change.
    ///
    /// Tables that are made again are not listed.
    private static func changedColumns(_ plan: MigrationPlan) -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for move in plan.tables {
            guard let source = move.source, !move.rebuilds, source.name == move.table.name else {
                continue
            }
            var columns = Set(move.dropped)
            if move.renumbers { columns.insert("Z_ENT") }
            for column in move.columns {
                let isChanged =
                    move.bases[column.name] != column.name
                    || !move.updates(column, plan.oldRoles[source.name] ?? [:]).isEmpty
                if isChanged { columns.insert(column.name) }
            }
            result[source.name] = columns
        }
        for item in plan.pairColumns { result[item.table]?.insert(item.column) }
        return result
    }

    func dropChanged() throws {
        for name in dropped { try connection.execute("DROP INDEX \(quoted(name))") }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/migrationConstraint`` if rows
    ///   violate a uniqueness constraint.
    func create(_ wanted: Wanted, _ plan: MigrationPlan) throws {
        do {
            try connection.execute(wanted.index.statement)
        } catch let error as SQLiteError where error.isConstraintViolation {
            throw plan.new.duplicates(under: wanted.index.name)
        }
    }

    /// The text of a statement without what does not matter: quotes, IF NOT EXISTS.
    private static func plain(_ sql: String) -> String {
        sql.replacing("IF NOT EXISTS ", with: "").replacing("\"", with: "")
    }

    private static func words(_ sql: String) -> [String] {
        sql.split { " (),".contains($0) }.map(String.init)
    }
}
