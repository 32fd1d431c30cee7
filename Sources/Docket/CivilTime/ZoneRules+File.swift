import FoundationEssentials

extension ZoneRules {
    /// Reads a zone from a compiled time zone file (RFC 9636, any version).
    ///
    /// `nil` if the bytes are not such a file or are incomplete.
    public init?(file bytes: [UInt8], name: String) {
        guard let first = Header(bytes, at: 0) else { return nil }
        var header = first
        if first.version >= 2 {
            guard let second = Header(bytes, at: first.end(width: 4)) else { return nil }
            header = second
        }
        let width = first.version >= 2 ? 8 : 4
        let end = header.end(width: width)
        guard header.types > 0, end <= bytes.count else { return nil }

        let times = header.start
        let indexes = times + header.times * width
        let types = indexes + header.times
        var changes: [Int] = []
        var offsets: [Int] = []
        changes.reserveCapacity(header.times)
        offsets.reserveCapacity(header.times)
        func offset(ofType type: Int) -> Int? {
            guard type < header.types else { return nil }
            return Int(Int32(truncatingIfNeeded: bytes.bigEndian(at: types + type * 6, width: 4)))
        }
        for index in 0..<header.times {
            let raw = bytes.bigEndian(at: times + index * width, width: width)
            let moment = width == 8 ? Int(raw) : Int(Int32(truncatingIfNeeded: raw))
            guard let offset = offset(ofType: Int(bytes[indexes + index])),
                changes.last.map({ $0 < moment }) ?? true
            else { return nil }
            changes.append(moment)
            offsets.append(offset)
        }
        guard let firstOffset = offset(ofType: 0) else { return nil }

        var tail: ZoneTail?
        if width == 8, end < bytes.count, bytes[end] == 10 {
            let text = bytes[(end + 1)...].prefix { $0 != 10 }
            if !text.isEmpty { tail = ZoneTail(text) }
        }
        self.init(
            name: name,
            changes: changes,
            offsets: offsets,
            firstOffset: firstOffset,
            tail: tail
        )
    }

    /// The user's zone: `TZ` from the given environment, else `/etc/localtime`, else UTC.
    ///
    /// A link to a file of the time zone database gives the zone its name; `/etc/localtime` as a copy
    /// is "local".
    ///
    /// `TZ` may hold a zone's name, a file's path (both with or without a leading colon) or a POSIX
    /// rule. Anything else means UTC, as in the C library.
    ///
    /// - Complexity: reads one file of a few kilobytes.
    public static func local(
        environment: [String: String],
        folder: String = "/usr/share/zoneinfo",
        systemFile: String = "/etc/localtime"
    ) -> ZoneRules {
        guard var text = environment["TZ"] else {
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: systemFile)
            return read(path: systemFile, name: file.flatMap(nameInDatabase) ?? "local") ?? .utc
        }
        if text.hasPrefix(":") { text.removeFirst() }
        if text.isEmpty { return .utc }
        return named(text, folder: folder) ?? .utc
    }

    /// A zone by name (`Europe/Berlin`), absolute path or POSIX rule text; `nil` if unknown.
    public static func named(_ name: String, folder: String = "/usr/share/zoneinfo") -> ZoneRules? {
        let isPath = name.hasPrefix("/")
        if isPath || !name.split(separator: "/").contains("..") {
            let path = isPath ? name : "\(folder)/\(name)"
            let known = isPath ? nameInDatabase(name) : nil
            if let zone = read(path: path, name: known ?? name) { return zone }
        }
        guard let tail = ZoneTail(name.utf8) else { return nil }
        return ZoneRules(
            name: name,
            changes: [],
            offsets: [],
            firstOffset: tail.standard,
            tail: tail
        )
    }

    /// `Europe/Berlin` of `/usr/share/zoneinfo/Europe/Berlin`; `nil` for a file elsewhere.
    private static func nameInDatabase(_ path: String) -> String? {
        path.firstRange(of: "/zoneinfo/").map { String(path[$0.upperBound...]) }
    }

    private static func read(path: String, name: String) -> ZoneRules? {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        return ZoneRules(file: [UInt8](data), name: name)
    }

    private struct Header {
        let version: Int
        /// Offset of the first byte after the header.
        let start: Int
        let times: Int
        let types: Int
        private let rest: (universal: Int, standard: Int, leaps: Int, letters: Int)

        init?(_ bytes: [UInt8], at offset: Int) {
            guard offset + 44 <= bytes.count, bytes[offset..<offset + 4].elementsEqual("TZif".utf8)
            else { return nil }
            func count(_ index: Int) -> Int {
                Int(bytes.bigEndian(at: offset + 20 + index * 4, width: 4))
            }
            version = bytes[offset + 4] == 0 ? 1 : Int(bytes[offset + 4]) - 48
            start = offset + 44
            rest = (count(0), count(1), count(2), count(5))
            times = count(3)
            types = count(4)
            guard times <= 100_000, types <= 256, end(width: 8) < Int(Int32.max),
                end(width: version >= 2 && offset > 0 ? 8 : 4) <= bytes.count
            else { return nil }
        }

        func end(width: Int) -> Int {
            start + times * (width + 1) + types * 6 + rest.letters + rest.leaps * (width + 4)
                + rest.standard + rest.universal
        }
    }
}

extension [UInt8] {
    fileprivate func bigEndian(at offset: Int, width: Int) -> Int64 {
        var value: UInt64 = 0
        for byte in self[offset..<offset + width] { value = value << 8 | UInt64(byte) }
        return Int64(bitPattern: value)
    }
}
