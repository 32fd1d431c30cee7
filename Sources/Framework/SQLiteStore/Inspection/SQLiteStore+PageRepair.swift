import CSQLite
package import FoundationEssentials
import ObjectModel
package import ObjectStore

extension SQLiteStore {
    /// Corrects the flipped bits of a file and, if asked, gives all pages a checksum.
    ///
    /// Pages get a checksum as they are only in a file whose structure is whole then. With `adopts`, a
    /// file of a store of ours that has no room for checksums, because an earlier version made it, is
    /// written again with it.
    ///
    /// - Parameters:
    ///   - url: the file of a store that nobody has open.
    ///   - adopts: whether pages without their checksum get one as they are.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the work between
    ///     two pages.
    /// - Returns: what was corrected; pages that get a checksum as they are count as unverified.
    /// - Throws: `ObjectGraphError`: the store is open elsewhere, or cannot be written; with code
    ///   ``ObjectGraphError/Code/damagedFile`` if its structure is damaged, so that only flipped bits
    ///   were corrected.
    /// - Complexity: O(bytes of the file).
    package static func repairPages(
        at url: URL,
        adopts: Bool = true,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> PageReport {
        try translatingErrors {
            let path = FilePlace.resolved(url.path)
            try foldLog(of: path)
            let report = try scan(path, .correct, progress)
            if !adopts { return report }
            if !report.isChecked { return try addChecksums(path) ?? report }
            if report.unverified.count > 0 {
                try checkStructure(of: path)
                _ = try scan(path, .adopt, nil)
            }
            return report
        }
    }

    /// Passes through the pages of a file that nobody has open.
    private static func scan(
        _ path: String,
        _ work: PageWork,
        _ progress: ((Double) throws -> Void)?
    ) throws -> PageReport {
        let connection = try Connection(path, .readWrite)
        defer { connection.close(folds: !StoreFile.hasLog(path)) }
        if sqlite3_db_readonly(connection.handle, "main") == 1 {
            throw ObjectGraphError(
                .cannotWrite,
                "The store \"\(path)\" is read-only.",
                recovery: "Change the permissions of the file and its folder."
            )
        }
        guard csqlite_lock_file(connection.handle) == SQLITE_OK else {
            throw ObjectGraphError(
                .cannotWrite,
                "The store \"\(path)\" is open in another program.",
                recovery: "Close every window of it, and try again."
            )
        }
        defer { csqlite_unlock_file(connection.handle) }
        return try connection.scanPages(work, progress)
    }

    /// A checksum would make damage of the structure right.
    private static func checkStructure(of path: String) throws {
        let connection = try Connection(path, .readWrite)
        defer { connection.close(folds: true) }
        guard let first = try connection.structureDamage("quick_check").broken.first else { return }
        throw ObjectGraphError(
            .damagedFile,
            "The structure of the store \"\(path)\" is damaged: \(first).",
            recovery:
                "Such damage cannot be repaired in place: save what can be read, or restore a backup."
        )
    }

    /// Moves a log into the file, if one is left there.
    private static func foldLog(of path: String) throws {
        guard StoreFile.hasLog(path) else { return }
        let connection = try Connection(path, .readWrite)
        defer { connection.close(folds: true) }
        try connection.foldLog(empties: true)
    }

    /// Writes the file of a store of ours again with room for checksums.
    private static func addChecksums(_ path: String) throws -> PageReport? {
        let connection = try Connection(path, .readWrite)
        defer { connection.close(folds: !StoreFile.hasLog(path)) }
        let isOurs = try connection.integer(
            "SELECT COUNT(*) FROM sqlite_master WHERE name = 'OG_MODEL'"
        )
        guard isOurs == 1 else { return nil }
        try connection.makeRoomForChecksums()
        try connection.run("VACUUM")
        try connection.foldLog(empties: true)
        return connection.pages
    }
}
