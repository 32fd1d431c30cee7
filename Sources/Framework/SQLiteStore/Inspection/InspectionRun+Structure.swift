import CSQLite
import ObjectStore

extension InspectionRun {
    /// Compares the pages of the file with their checksums.
    func checkPages() throws {
        let pages = try connection.scanPages { try self.note($0) }
        setPages(pages)
        func examples(_ list: PageReport.Pages) -> [Int64] {
            list.numbers.prefix(StoreFinding.mostExamples).map(Int64.init)
        }
        // A look at the pages corrects no data.
        let sums = pages.corrected
        if sums.count > 0 {
            add(
                StoreFinding(
                    .damagedChecksum,
                    count: sums.count,
                    examples: examples(sums),
                    "The checksum of \(counted(sums.count, "page")) of the file is damaged;"
                        + " what the \(sums.count == 1 ? "page holds" : "pages hold") is right.",
                    repair: "The checksum is made again."
                )
            )
        }
        let flipped = pages.differingInOneBit
        if flipped.count > 0 {
            add(
                StoreFinding(
                    .flippedBit,
                    count: flipped.count,
                    examples: examples(flipped),
                    "\(counted(flipped.count, "page")) of the file "
                        + "\(flipped.count == 1 ? "differs" : "differ") from the checksum in one bit.",
                    repair: "The bit gets its former value."
                )
            )
        }
        if pages.unverified.count > 0 {
            add(
                StoreFinding(
                    .unverifiedPage,
                    count: pages.unverified.count,
                    examples: examples(pages.unverified),
                    "\(counted(pages.unverified.count, "page")) of the file "
                        + "\(pages.unverified.count == 1 ? "was" : "were") written by another"
                        + " program, or damaged.",
                    repair: "Who trusts them can give them checksums as they are."
                )
            )
        }
    }

    /// Lets SQLite check the B-trees and the indexes, and the search index its segments.
    func checkStructure() throws {
        let (broken, indexes) = try connection.structureDamage("integrity_check")
        if let first = broken.first {
            add(
                StoreFinding(
                    .damagedStructure,
                    count: broken.count,
                    "The structure of the file is damaged in \(counted(broken.count, "place"));"
                        + " the first: \(first)."
                )
            )
        }
        if !indexes.isEmpty {
            add(
                StoreFinding(
                    .damagedIndex,
                    count: indexes.count,
                    "\(counted(indexes.count, "entry").replacing("entrys", with: "entries")) of"
                        + " indexes of the database do not agree with the tables.",
                    repair: "All indexes are built again."
                )
            )
        }
    }

}

extension Connection {
    /// What SQLite finds wrong in the structure of the file.
    ///
    /// - Parameter check: `integrity_check`, or `quick_check`, which leaves out the indexes.
    /// - Returns: lines about what cannot be read, and about indexes of readable tables.
    /// - Throws: `SQLiteError` if the file cannot be read.
    /// - Complexity: O(bytes of the file).
    func structureDamage(_ check: String) throws -> (broken: [String], indexes: [String]) {
        var broken: [String] = []
        var indexes: [String] = []
        do {
            let statement = try Statement("PRAGMA \(check)(1000)", on: self)
            defer { statement.finish() }
            while try statement.step() {
                let line = statement.text(0)
                if line == "ok" { continue }
                if Connection.isOfIndex(line) {
                    indexes.append(line)
                } else if !Connection.isOfValue(line) {
                    broken.append(line)
                }
            }
        } catch let error as SQLiteError
            where [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primaryCode)
        {
            broken.append(error.message)
        }
        return (broken, indexes)
    }

    /// Whether a line of the integrity check is about an index of a readable table.
    private static func isOfIndex(_ line: String) -> Bool {
        line.hasPrefix("row ") && line.contains(" missing from index ")
            || line.hasPrefix("wrong # of entries in index ")
            || line.hasPrefix("non-unique entry in index ")
    }

    /// Whether a line is about a value; those are found by the rules of the model.
    private static func isOfValue(_ line: String) -> Bool {
        line.hasPrefix("NULL value in ") || line.hasPrefix("NUMERIC value in ")
            || line.hasPrefix("TEXT value in ") || line.hasPrefix("CHECK constraint failed in ")
    }
}
