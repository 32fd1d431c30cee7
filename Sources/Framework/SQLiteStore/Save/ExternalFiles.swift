import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

/// The files that a save writes for large data, and those that it replaces.
///
/// A file is written and synced before the end of the transaction that refers to it, so a reference
/// never leads to incomplete data. A save that fails deletes its files.
struct ExternalFiles {
    /// The objects whose rows refer to files now.
    var rows: [ManagedObjectID] = []
    private var written: [String] = []
    private var replaced: [String] = []
    /// The new column bytes of the current row, by slot.
    private var bytes: [Int: Data] = [:]

    /// Writes a file.
    ///
    /// - Returns: the reference for the column.
    mutating func write(_ data: Data, _ folder: String) throws -> Data {
        PrivateFile.makeFolder(folder)
        let name = UUID().uuidString
        let path = folder + "/" + name
        written.append(path)
        let code = PrivateFile.write(data, to: path)
        guard code == 0 else {
            throw ObjectGraphError(
                .cannotWrite,
                "A large value cannot be written beside the store: "
                    + "\(String(cString: strerror(code))).",
                recovery: "Nothing was changed; check the space on the disk and its permissions."
            )
        }
        PrivateFile.sync(folder)
        return ExternalData.reference(name)
    }

    mutating func note(_ data: Data, slot: Int) { bytes[slot] = data }

    /// The new column bytes of the current row; `nil` if it has no large data.
    mutating func takeBytes() -> [Int: Data]? {
        if bytes.isEmpty { return nil }
        defer { bytes = [:] }
        return bytes
    }

    /// Collects the files that a row no longer refers to: for the given slots, or for all.
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

    /// Deletes the files of a save that failed.
    func removeWritten() {
        for path in written { unlink(path) }
    }

    /// Deletes files that nothing refers to after the save.
    func removeReplaced() {
        for path in replaced { unlink(path) }
    }
}
