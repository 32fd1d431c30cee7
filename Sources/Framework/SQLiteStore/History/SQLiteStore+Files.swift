package import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

extension SQLiteStore {
    /// The folder in which a store at a place keeps large data.
    package static func externalFolder(of url: URL) -> String {
        let base = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().appending(path: ".\(base)_SUPPORT")
            .appending(path: "_EXTERNAL_DATA").path
    }

    /// The names of the files of large data that belong to one store alone.
    ///
    /// Stores whose names differ only in the extension share the folder, as in Core Data. Then a file
    /// that one of them does not use may be the other's, so there are none.
    package static func ownFiles(in folder: String, of path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        if names.isEmpty { return [] }
        let support = FilePlace.folder(of: folder)
        let place = FilePlace.folder(of: support)
        // The name is ".", the stem and "_SUPPORT".
        let stem = FilePlace.name(of: support).dropFirst().dropLast("_SUPPORT".count)
        let neighbours = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        let isShared = neighbours.contains { name in
            let url = URL(filePath: place).appending(path: name)
            return name.hasPrefix(stem) && url.deletingPathExtension().lastPathComponent == stem
                && !StoreFile.isSame(url.path, path) && StoreFile.isDatabase(url.path)
        }
        return isShared ? [] : names
    }

    /// Deletes the files that neither a row nor the history uses.
    package func removeUnusedFiles() throws {
        let columns = schema.entities.filter { $0.entity.superentity == nil }.flatMap { root in
            schema.hierarchy(of: root.entity).flatMap { entity in
                entity.externalColumns.map { (table: root.table.name, name: $0.name) }
            }
        }
        let folder = schema.entities.lazy.flatMap(\.layout.columns).compactMap(\.externalFolder)
            .first
        guard let folder, let url else { return }
        let names = Self.ownFiles(in: folder, of: url.path)
        if names.isEmpty { return }
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
