import Glibc

/// The records that the kernel writes about watched folders.
public enum InotifyEvents {
    /// One record.
    public struct Record {
        /// Which watch it is about; -1 if records were lost.
        public var watch: Int32
        /// The events (`IN_MODIFY`, …).
        public var mask: UInt32
        /// The bytes of the file's name; empty for the folder itself.
        public var name: ArraySlice<UInt8>
    }

    /// The content of some records: the name of a file, and the events (`IN_MODIFY`, …).
    public static func records(in bytes: ArraySlice<UInt8>) -> [(name: String, mask: UInt32)] {
        rawRecords(in: bytes).map { (String(decoding: $0.name, as: UTF8.self), $0.mask) }
    }

    /// The content of some records, with the bytes of the names.
    public static func rawRecords(in bytes: ArraySlice<UInt8>) -> [Record] {
        let header = MemoryLayout<inotify_event>.size
        var records: [Record] = []
        var place = bytes.startIndex
        func number(at offset: Int) -> UInt32 {
            bytes[place + offset..<place + offset + 4].enumerated().reduce(0) {
                $0 | UInt32($1.element) << UInt32($1.offset * 8)
            }
        }
        while place + header <= bytes.endIndex {
            let length = Int(number(at: 12))
            let text = bytes[(place + header)..<min(place + header + length, bytes.endIndex)]
            records.append(
                Record(
                    watch: Int32(bitPattern: number(at: 0)),
                    mask: number(at: 4),
                    name: text.prefix { $0 != 0 }
                )
            )
            place += header + length
        }
        return records
    }
}
