import CSQLite
import ObjectStore

// The checksums of the pages. `CheckedFiles.c` writes and checks them below SQLite; a file that was
// made before it, or by another program, has none, and is read as it is.

/// What a pass through the pages of a file does.
enum PageWork: Int32 {
    case look = 0
    /// Corrects flipped bits.
    case correct = 1
    /// Corrects flipped bits, and gives all other pages a checksum as they are.
    case adopt = 2
}

extension Connection {
    /// What this connection has met so far while it read the file.
    var pages: PageReport { PageReport(csqlite_checked_pages(handle)) }

    /// Gives the pages of a file checksums that has no page yet.
    func checkNewPages() { _ = csqlite_check_new_pages(handle) }

    /// Lets the next `VACUUM` write pages with room for checksums.
    func makeRoomForChecksums() throws {
        var room: Int32 = 8
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &room)
        if code != SQLITE_OK { throw SQLiteError(nil, code: code, path: path) }
    }

    /// Checks all pages of the file, used or not, as they are on the disk.
    ///
    /// - Parameters:
    ///   - work: what is written; for that the connection must be alone on the file.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the scan.
    /// - Returns: what is wrong with them.
    /// - Throws: `SQLiteError` if the file cannot be read.
    /// - Complexity: O(bytes of the file), some 0.5 s for a gigabyte in the page cache.
    func scanPages(
        _ work: PageWork = .look,
        _ progress: ((Double) throws -> Void)? = nil
    ) throws -> PageReport {
        final class Context {
            var failure: (any Error)?
            let progress: ((Double) throws -> Void)?
            init(_ progress: ((Double) throws -> Void)?) { self.progress = progress }
        }
        // Safety: held until the scan, which calls back, has returned.
        let context = Context(progress)
        var found = csqlite_pages()
        let code = withExtendedLifetime(context) {
            csqlite_scan_pages(
                handle,
                work.rawValue,
                &found,
                { context, done, total in
                    guard let context else { return true }
                    let object = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
                    do {
                        try object.progress?(Double(done) / Double(max(1, total)))
                        return true
                    } catch {
                        object.failure = error
                        return false
                    }
                },
                Unmanaged.passUnretained(context).toOpaque()
            )
        }
        if let failure = context.failure { throw failure }
        guard code == SQLITE_OK else { throw SQLiteError(nil, code: code, path: path) }
        return PageReport(found)
    }
}

extension PageReport {
    fileprivate init(_ pages: csqlite_pages) {
        self.init()
        isChecked = pages.state == Int32(CSQLITE_CHECKED)
        corrected = Pages(pages.corrected)
        differingInOneBit = Pages(pages.one_bit)
        unverified = Pages(pages.unknown)
    }
}

extension PageReport.Pages {
    fileprivate init(_ list: csqlite_page_list) {
        self.init()
        count = Int(clamping: list.count)
        numbers = withUnsafeBytes(of: list.numbers) {
            $0.bindMemory(to: UInt32.self).prefix(count).map(Int.init)
        }
    }
}
