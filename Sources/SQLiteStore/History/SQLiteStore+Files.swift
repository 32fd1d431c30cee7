import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

extension SQLiteStore {
    /// Deletes the files that neither a row nor the history uses.
    package func removeUnusedFiles() throws {
        let columns = schema.entities.filter { $0.entity.superentity == nil }.flatMap { root in
            schema.hierarchy(of: root.entity).flatMap { entity in
                entity.externalColumns.map { (table: root.table.name, name: $0.name) }
            }
        }
        let folder = schema.entities.lazy.flatMap(\.layout.columns).compactMap(\.externalFolder)
            .first
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else { return }
        var places = columns.map {
            "SELECT 1 FROM \(quoted($0.table)) WHERE \(quoted($0.name)) = ?1"
        }
        // Also if this program does not write the history.
        let hasHistory = try HistoryTables.exist(in: connection)
        if hasHistory { places.append("SELECT 1 FROM OG_CHANGE WHERE INSTR(data, ?2) > 0") }
        let sql = "SELECT EXISTS (\(places.joined(separator: " UNION ALL ")))"
        for name in names {
            let reference = ExternalData.reference(name)
            let isUsed =
                hasHistory
                ? try connection.integer(sql, .blob(reference), .blob(Data(name.utf8)))
                : try connection.integer(sql, .blob(reference))
            if isUsed == 0 { unlink(folder + "/" + name) }
        }
    }
}

extension SQLiteStore {
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try checkPlace()
        return try translatingErrors { try connection.readTransaction(body) }
    }

    /// The newest transaction, and the sizes and times of the files.
    ///
    /// Programs that do not write history change those too.
    package var stateMark: String? {
        // A snapshot may be older than the files.
        guard let url, keepsHistory || !isReadOnly else { return nil }
        var parts = [keepsHistory ? (try? latestTransaction()).map { "\($0)" } ?? "" : "-"]
        for suffix in ["", "-wal"] {
            var status = stat()
            guard stat(url.path + suffix, &status) == 0 else { continue }
            let time = status.st_mtim
            parts.append("\(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)")
        }
        return parts.joined(separator: ",")
    }
}
