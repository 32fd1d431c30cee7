import Glibc

/// The records that the kernel writes about watched folders.
package enum InotifyEvents {
    /// The content of some records: the name of a file, and the events (`IN_MODIFY`, …).
    package static func records(in bytes: ArraySlice<UInt8>) -> [(name: String, mask: UInt32)] {
        let header = MemoryLayout<inotify_event>.size
        var records: [(name: String, mask: UInt32)] = []
        var place = bytes.startIndex
        func number(at offset: Int) -> Int {
            bytes[place + offset..<place + offset + 4].enumerated().reduce(0) {
                $0 + Int($1.element) << ($1.offset * 8)
            }
        }
        while place + header <= bytes.endIndex {
            let length = number(at: 12)
            let text = bytes[(place + header)..<min(place + header + length, bytes.endIndex)]
            let name = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            records.append((name, UInt32(truncatingIfNeeded: number(at: 4))))
            place += header + length
        }
        return records
    }
}
