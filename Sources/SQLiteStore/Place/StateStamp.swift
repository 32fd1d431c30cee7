import CSQLite
import ObjectModel

/// The name of one committed state of a store, in the header of its file.
///
/// Every transaction of ours draws a random number and mixes it with the stamp of the state that it
/// was made on. So a stamp belongs to one state of one store, also among copies that went different
/// ways, and tells of any other stamp whether it is the next one.
///
/// It stands in the two fields of SQLite's header that are left to applications: the user version
/// holds the random number, the application ID the mix. A file without is of another program, or
/// of a version of this one that did not stamp.
struct StateStamp: Hashable {
    /// `PRAGMA user_version`.
    var number: UInt32
    /// `PRAGMA application_id`.
    var link: UInt32

    static let none = StateStamp(number: 0, link: 0)

    var isNone: Bool { self == .none }

    /// The stamp of a state that is made on this one.
    func next() -> StateStamp {
        let number = UInt32.random(in: 1 ... .max)
        return StateStamp(number: number, link: mixed(with: number))
    }

    /// Whether the state was made on another one.
    func follows(_ other: StateStamp) -> Bool { !isNone && link == other.mixed(with: number) }

    private func mixed(with number: UInt32) -> UInt32 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for word in [self.number, link, number] {
            hash = (hash ^ UInt64(word)) &* 0x100_0000_01b3
            hash ^= hash >> 29
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}

/// The first hundred bytes of a database, as they are in the file or in a log's copy of page 1.
struct FileHeader: Equatable {
    static let size = 100
    private let bytes: [UInt8]

    /// - Returns: `nil` unless the bytes begin like a database.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= FileHeader.size, bytes.starts(with: "SQLite format 3\0".utf8) else {
            return nil
        }
        self.bytes = Array(bytes.prefix(FileHeader.size))
    }

    /// The header in a connection's file, past the log.
    init?(_ connection: Connection) {
        var bytes = [UInt8](repeating: 0, count: FileHeader.size)
        let code = csqlite_read_file(connection.handle, 0, &bytes, Int32(bytes.count))
        guard code == SQLITE_OK else { return nil }
        self.init(bytes)
    }

    var stamp: StateStamp { StateStamp(number: word(60), link: word(68)) }
    /// Whether the file is used with a write-ahead log.
    var isLogged: Bool { bytes[18] == 2 }
    var pageSize: Int {
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        return size == 1 ? 65536 : size
    }
    /// Counts transactions; with a log, those that change the first page.
    var changeCounter: UInt32 { word(24) }

    private func word(_ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
