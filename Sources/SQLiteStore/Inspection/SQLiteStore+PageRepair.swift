import CSQLite
package import FoundationEssentials
import ObjectModel
package import ObjectStore

extension SQLiteStore {
    /// Corrects the flipped bits of a file and, if asked, gives all pages a checksum.
    ///
    /// With `adopts`, a file of a store of ours that has no room for checksums, because an earlier
    /// version made it, is written again with it.
    ///
    /// - Parameters:
    ///   - url: the file of a store that nobody has open.
    ///   - adopts: whether pages without their checksum get one as they are.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the work between
    ///     two pages.
    /// - Returns: what was corrected; pages that get a checksum as they are count as unverified.
    /// - Throws: `ObjectGraphError`: the store is open elsewhere, or cannot be written.
    /// - Complexity: O(bytes of the file).
    package static func repairPages(
        at url: URL,
        adopts: Bool = true,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> PageReport {
        try translatingErrors {
            let path = FilePlace.resolved(url.path)
            try foldLog(of: path)
            let connection = try Connection(path, .readWrite)
            defer { connection.close(folds: !StoreFile.hasLog(path)) }
            guard csqlite_lock_file(connection.handle) == SQLITE_OK else {
                throw ObjectGraphError(
                    .cannotWrite,
                    "The store \"\(path)\" is open in another program.",
                    recovery: "Close every window of it, and try again."
                )
            }
            let report: PageReport
            do {
                defer { csqlite_unlock_file(connection.handle) }
                report = try connection.scanPages(adopts ? .adopt : .correct, progress)
            }
            if report.isChecked || !adopts { return report }
            try addChecksums(connection)
            return connection.pages
        }
    }

    /// Moves a log into the file, if one is left there.
    private static func foldLog(of path: String) throws {
        guard StoreFile.hasLog(path) else { return }
        let connection = try Connection(path, .readWrite)
        defer { connection.close(folds: true) }
        try connection.foldLog(empties: true)
    }

    /// Writes the file again with room for checksums.
    private static func addChecksums(_ connection: Connection) throws {
        let isOurs = try connection.integer(
            "SELECT COUNT(*) FROM sqlite_master WHERE name = 'OG_MODEL'"
        )
        guard isOurs == 1 else { return }
        try connection.makeRoomForChecksums()
        try connection.run("VACUUM")
        try connection.foldLog(empties: true)
    }
}
