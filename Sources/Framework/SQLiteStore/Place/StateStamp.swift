import CSQLite

/// The name of one committed state of a store, in the header of its file.
///
/// Every transaction of ours draws a random number and mixes it with the stamp of the state before
/// it. So a stamp identifies one state of one store, even among copies that were changed in
/// different ways, and shows whether one state directly follows another.
///
/// It is in the two fields that SQLite's header reserves for applications: the user version holds
/// the random number, the application ID the mix. A file without a stamp comes from another
/// program, or from an earlier version of this one.
struct StateStamp: Hashable {
    /// `PRAGMA user_version`.
    var number: UInt32
    /// `PRAGMA application_id`.
    var link: UInt32

    static let none = StateStamp(number: 0, link: 0)

    var isNone: Bool { self == .none }

    /// The stamp of a state that directly follows this one.
    func next() -> StateStamp {
        let number = UInt32.random(in: 1 ... .max)
        return StateStamp(number: number, link: mixed(with: number))
    }

    /// Whether the state directly follows another one.
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

/// The first hundred bytes of a database, from the file or from a log's copy of page 1.
struct FileHeader: Equatable {
    static let size = 100
    private let bytes: [UInt8]

    /// - Returns: `nil` unless the bytes start with SQLite's signature.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= FileHeader.size, bytes.starts(with: "SQLite format 3\0".utf8) else {
            return nil
        }
        self.bytes = Array(bytes.prefix(FileHeader.size))
    }

    /// The header as the connection sees it, with the log.
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
