import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

/// The files that a save writes for large data, and those that it makes superfluous.
///
/// A file is written and synced before the transaction that refers to it ends, so a reference never
/// leads to less than its data; a save that fails takes its files away again.
struct ExternalFiles {
    /// The objects whose rows refer to files now.
    var rows: [ManagedObjectID] = []
    private var written: [String] = []
    private var replaced: [String] = []
    /// What the columns of the row in hand got, by slot.
    private var bytes: [Int: Data] = [:]

    /// Writes a file.
    /// - Returns: What the column refers to it by.
    mutating func write(_ data: Data, _ folder: String) throws -> Data {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let name = UUID().uuidString
        let path = folder + "/" + name
        written.append(path)
        do {
            try data.write(to: URL(filePath: path))
        } catch {
            throw ObjectGraphError(
                .cannotWrite,
                "A large value cannot be written beside the store.",
                recovery: "Nothing was changed; check the space on the disk and its permissions.",
                underlying: [error]
            )
        }
        ExternalFiles.sync(path)
        ExternalFiles.sync(folder)
        return ExternalData.reference(name)
    }

    private static func sync(_ path: String) {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        _ = Glibc.close(descriptor)
    }

    mutating func note(_ data: Data, slot: Int) { bytes[slot] = data }

    /// What the columns of the row in hand got; `nil` if it has no large data.
    mutating func takeBytes() -> [Int: Data]? {
        if bytes.isEmpty { return nil }
        defer { bytes = [:] }
        return bytes
    }

    /// Notes the files that a row no longer refers to: those of the slots given, or all.
    mutating func replace(in old: OldValues, _ schema: EntitySchema, _ slots: [Int: Data]?) {
        for (index, column) in schema.layout.columns.enumerated() {
            guard let folder = column.externalFolder,
                slots.map({ $0[column.slot] != nil }) ?? true
            else { continue }
            old.withBytes(index) { bytes in
                if let name = ExternalData.fileName(bytes) { replaced.append(folder + "/" + name) }
            }
        }
    }

    /// Takes away the files of a save that failed.
    func removeWritten() {
        for path in written { unlink(path) }
    }

    /// Takes away files that nothing refers to after the save.
    func removeReplaced() {
        for path in replaced { unlink(path) }
    }
}

extension SaveOperation {
    /// Binds data that may lie in a file: small ones with a mark, large ones by the file's name.
    func bindExternal(_ value: Value, _ column: BoundColumn, to statement: Statement) throws {
        guard case .data(let data) = value, let folder = column.column.externalFolder else {
            sqlite3_bind_null(statement.handle, column.index)
            external.note(Data(), slot: column.slot)
            return
        }
        let bytes =
            data.count > ExternalData.inlineLimit
            ? try external.write(data, folder) : ExternalData.inline(data)
        external.note(bytes, slot: column.slot)
        statement.bind(.blob(bytes), at: column.index)
    }
}

extension SQLiteStore {
    /// Deletes the files that neither a row nor the history refers to.
    func removeUnusedFiles() throws {
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
        if keepsHistory { places.append("SELECT 1 FROM OG_CHANGE WHERE INSTR(data, ?2) > 0") }
        let sql = "SELECT EXISTS (\(places.joined(separator: " UNION ALL ")))"
        for name in names {
            let reference = ExternalData.reference(name)
            let isUsed =
                keepsHistory
                ? try connection.integer(sql, .blob(reference), .blob(Data(name.utf8)))
                : try connection.integer(sql, .blob(reference))
            if isUsed == 0 { unlink(folder + "/" + name) }
        }
    }
}
