import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel

/// The pages of a database file, read without SQLite.
///
/// Pages of a write-ahead log take the place of those in the file, up to the last commit whose
/// checksums are right. A page that differs from its checksum in one bit is corrected.
package final class PageFile {
    let pageSize: Int
    /// The bytes of a page that hold data.
    let usableSize: Int
    package let pageCount: Int
    private let data: Data
    /// The place of a page's newest copy in the log.
    private var frames: [Int: Int] = [:]
    private let log: Data?
    private let isChecked: Bool
    /// How many pages were corrected.
    private(set) var correctedPages: Set<Int> = []
    /// How many pages of long records may still be read or filled in.
    private var rest = 0

    /// - Throws: `ObjectGraphError` if the file cannot be read at all, or is empty.
    package init(_ path: String) throws {
        guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            throw ObjectGraphError(
                .cannotOpen,
                "The file \"\(path)\" cannot be read: \(String(cString: strerror(errno))).",
                recovery: "Check its name and its permissions."
            )
        }
        guard data.count >= 512 else {
            throw ObjectGraphError(
                .cannotOpen,
                "The file \"\(path)\" is empty.",
                recovery: "There is nothing to save in it; restore a backup."
            )
        }
        self.data = data
        let head = [UInt8](data.prefix(4096))
        var first = head
        if first.count == 4096 { csqlite_correct_page(&first, 1) }
        let size = Int(first[16]) << 8 | Int(first[17])
        let isMade = first.starts(with: "SQLite format 3\0".utf8)
        let isSize = size >= 512 && size <= 32768 && size & (size - 1) == 0
        // A first page that is lost: as our stores are made.
        pageSize = isMade && size == 1 ? 65536 : isMade && isSize ? size : 4096
        let room = isMade ? Int(first[20]) : 8
        usableSize = pageSize - (room <= 32 ? room : 0)
        isChecked = pageSize == 4096 && usableSize == 4088
        let log = try? Data(contentsOf: URL(filePath: path + "-wal"))
        self.log = log
        var count = (data.count + pageSize - 1) / pageSize
        if let log {
            // A log makes a file longer by the pages that are in it, by no more.
            let most = count + log.count / pageSize
            frames = PageFile.committed(log, pageSize).filter { $0.key <= most }
            count = max(count, frames.keys.max() ?? 0)
        }
        pageCount = count
        // A page belongs to one record; it is read again where a row was found twice.
        rest = 8 * count + 1000
    }

    /// Counts pages of a long record.
    ///
    /// - Parameter count: how many pages the record is long.
    /// - Returns: false if all records together are so long that most are not what they seem.
    func permits(pages count: Int) -> Bool {
        guard count <= rest else { return false }
        rest -= count
        return true
    }

    /// The bytes of a page, filled with zeros behind the end of the file; `nil` if there is no page.
    package func page(_ number: Int) -> [UInt8]? {
        guard number >= 1, number <= pageCount else { return nil }
        if let log, let place = frames[number] { return [UInt8](log[place..<place + pageSize]) }
        // A log may have pages far behind the end of a file that was cut off.
        let start = min((number - 1) * pageSize, data.count)
        var page = [UInt8](data[start..<min(start + pageSize, data.count)])
        if page.count < pageSize {
            page += [UInt8](repeating: 0, count: pageSize - page.count)
        } else if isChecked, csqlite_correct_page(&page, UInt32(number)) {
            correctedPages.insert(number)
        }
        return page
    }

    // MARK: The log

    /// The places of the newest committed pages in a log.
    private static func committed(_ log: Data, _ pageSize: Int) -> [Int: Int] {
        let bytes = [UInt8](log.prefix(32))
        guard bytes.count == 32, bytes[0] == 0x37, bytes[1] == 0x7f, bytes[2] == 0x06,
            bytes[3] & 0xfe == 0x82
        else { return [:] }
        let isBigEndian = bytes[3] & 1 == 1
        return log.withUnsafeBytes { log in
            func word(_ place: Int) -> UInt32 {
                UInt32(bigEndian: log.loadUnaligned(fromByteOffset: place, as: UInt32.self))
            }
            guard Int(word(8)) == pageSize else { return [:] }
            var sum: (UInt32, UInt32) = (0, 0)
            func add(_ start: Int, _ count: Int) {
                for place in Swift.stride(from: start, to: start + count, by: 8) {
                    let one = log.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                    let two = log.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                    sum.0 &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ sum.1
                    sum.1 &+= (isBigEndian ? two.bigEndian : two.littleEndian) &+ sum.0
                }
            }
            add(0, 24)
            guard sum == (word(24), word(28)) else { return [:] }
            var result: [Int: Int] = [:]
            var pending: [Int: Int] = [:]
            var place = 32
            while place + 24 + pageSize <= log.count {
                guard word(place + 8) == word(16), word(place + 12) == word(20) else { break }
                add(place, 8)
                add(place + 24, pageSize)
                guard sum == (word(place + 16), word(place + 20)) else { break }
                pending[Int(word(place))] = place + 24
                if word(place + 4) != 0 {
                    result.merge(pending) { $1 }
                    pending = [:]
                }
                place += 24 + pageSize
            }
            return result
        }
    }
}
