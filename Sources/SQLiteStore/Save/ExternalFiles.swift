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
