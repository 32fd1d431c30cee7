import Glibc

/// A document that is read in parts, and may be read again from its beginning.
///
/// Nothing holds the whole document: a file is read from its descriptor, and what comes through a
/// pipe is first copied into a temporary file without a name.
public final class ByteSource {
    /// How many bytes one part has at most.
    public let partSize: Int
    public static let usualPartSize = 1 << 18
    /// How many bytes one item has at most; readers leave out a longer one, and tests choose less.
    public var itemLimit = 16 << 20

    private enum Origin {
        case memory([UInt8])
        case file(Int32)
        /// Parts that something makes, from the beginning each time it is opened.
        case made(() throws -> Parts)
    }

    /// Makes the next part; `nil` at the end.
    public typealias Parts = () throws -> [UInt8]?

    private let origin: Origin
    private var at = 0
    /// Where reading ends, if the document is cut in two.
    private var end = Int.max
    /// What this document is of a list of items; see ``cutInTwo(atLeast:)``.
    public private(set) var share = Share.whole
    /// The document of which this is the second half; it owns the descriptor.
    private var firstHalf: ByteSource?
    /// The error number of the last read, if it failed; the document then ends early.
    private var failure: Int32?
    /// What the last part's maker threw; the document then ends early.
    private var error: (any Error)?
    /// The maker of the following parts.
    private var parts: Parts?
    private var hash = ByteSource.firstHash
    /// How many bytes the hash covers.
    private var hashed = 0

    /// A document in memory.
    public init(_ bytes: [UInt8], partSize: Int = ByteSource.usualPartSize) {
        origin = .memory(bytes)
        self.partSize = partSize
    }

    /// A document in a file.
    ///
    /// - Parameter file: a descriptor of a file that can be read at any place; it is closed at the
    ///   end.
    public init(file: Int32) {
        origin = .file(file)
        partSize = ByteSource.usualPartSize
    }

    /// The second half of a document in a file.
    private init(after first: ByteSource, _ file: Int32, isInArray: Bool) {
        origin = .file(file)
        partSize = first.partSize
        itemLimit = first.itemLimit
        firstHalf = first
        at = first.end
        share = .secondHalf(isInArray: isInArray)
    }

    /// A document whose parts are made while it is read.
    ///
    /// - Parameter open: called for each pass.
    public init(making open: @escaping () throws -> Parts) {
        origin = .made(open)
        partSize = ByteSource.usualPartSize
    }

    /// A document that can be read only once, from its present place to its end.
    ///
    /// - Parameter stream: the descriptor of a pipe, a terminal or a device; it stays open.
    /// - Returns: the document at its beginning.
    /// - Throws: ``Failure`` if it cannot be read, or the copy cannot be written.
    public static func copying(_ stream: Int32) throws(Failure) -> ByteSource {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: usualPartSize)
        while bytes.count < smallest {
            let count = read(stream, &part)
            if count < 0 { throw Failure(code: errno, isOfCopy: false) }
            if count == 0 { return ByteSource(bytes) }
            bytes.append(contentsOf: part[..<count])
        }
        let copy = try temporaryFile()
        let source = ByteSource(file: copy)
        try write(bytes, bytes.count, to: copy)
        bytes = []
        while true {
            let count = read(stream, &part)
            if count < 0 { throw Failure(code: errno, isOfCopy: false) }
            if count == 0 { return source }
            try write(part, count, to: copy)
        }
    }

    /// A document that could not be copied.
    public struct Failure: Error {
        public let code: Int32
        /// Whether the temporary file failed, not the document.
        public let isOfCopy: Bool
    }

    deinit {
        if case .file(let file) = origin, firstHalf == nil { close(file) }
    }

    /// A text that distinguishes documents, after the document was read to its end.
    public var fingerprint: String { String(hash, radix: 16) }

    /// The same for bytes in memory, as a number.
    public static func fingerprint(_ bytes: [UInt8]) -> UInt64 { update(firstHash, bytes[...]) }

    /// Checks that reading has not ended early.
    public func checkWhole() throws(InputError) {
        if let error { throw InputError(.malformed, "\(error)") }
        guard let failure else { return }
        throw InputError(
            .malformed,
            "The document cannot be read to its end: \(String(cString: strerror(failure)))."
        )
    }

    /// Continues with the first byte.
    public func rewind() {
        at = firstHalf?.end ?? 0
        failure = nil
        error = nil
        parts = nil
    }

    /// The first bytes of the document, which is at its beginning again afterwards.
    public func beginning() -> [UInt8] {
        rewind()
        var bytes: [UInt8] = []
        _ = readOn(into: &bytes)
        rewind()
        return bytes
    }

    /// All bytes that were not read yet.
    public func remaining() -> [UInt8] {
        var bytes: [UInt8] = []
        while read(into: &bytes) {}
        return bytes
    }

    /// Appends the next part.
    ///
    /// - Returns: whether there was one; false at the end, and after an error.
    public func read(into bytes: inout [UInt8]) -> Bool {
        if failure != nil || error != nil { return false }
        let (place, start) = (at, bytes.count)
        guard readOn(into: &bytes) else { return false }
        if place == hashed {
            hash = ByteSource.update(hash, bytes[start...])
            hashed = at
        }
        return true
    }

    private static let firstHash: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func update(_ hash: UInt64, _ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBufferPointer { buffer in
            var hash = hash
            for byte in buffer { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return hash
        }
    }

    private func readOn(into bytes: inout [UInt8]) -> Bool {
        switch origin {
        case .made(let open):
            do {
                let parts = try parts ?? open()
                self.parts = parts
                guard let part = try parts() else { return false }
                bytes.append(contentsOf: part)
                at += part.count
                // An empty document has one empty part.
                return !part.isEmpty
            } catch {
                self.error = error
                return false
            }
        case .memory(let all):
            if at >= all.count { return false }
            let end = min(at + partSize, all.count)
            bytes.append(contentsOf: all[at..<end])
            at = end
            return true
        case .file(let file):
            let size = min(partSize, max(0, end - at))
            var count = 0
            let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
                count = ByteSource.retrying { pread(file, buffer.baseAddress, size, off_t(at)) }
                initialized = max(0, count)
            }
            if count < 0 { failure = errno }
            at += part.count
            bytes += part
            return count > 0
        }
    }

    // MARK: Halves

    /// What a document is of a list of items.
    public enum Share: Equatable {
        case whole
        /// It ends between two items.
        case firstHalf
        /// It begins between two items.
        case secondHalf(isInArray: Bool)
    }

    /// What is smaller is not worth a second thread.
    public static let leastToCut = 8 << 20

    /// Cuts a JSON document in two, so that two threads can read it.
    ///
    /// The cut is before a line that begins with an object. That may be inside an item; then the
    /// first half ends in a broken one.
    ///
    /// - Parameter least: how many bytes the document must have.
    /// - Returns: the second half, while this document becomes the first one, until ``join()``; `nil`
    ///   for a document that is small, is not in a file, or has no such line near its middle.
    public func cutInTwo(atLeast least: Int = leastToCut) -> ByteSource? {
        var status = stat()
        guard case .file(let file) = origin, share == .whole, fstat(file, &status) == 0,
            status.st_size >= least
        else { return nil }
        let head = beginning().drop { $0 <= 32 || [0xEF, 0xBB, 0xBF].contains($0) }
        guard let first = head.first, "[{".utf8.contains(first) else { return nil }
        at = Int(status.st_size) / 2
        var middle: [UInt8] = []
        let (start, isRead) = (at, readOn(into: &middle))
        rewind()
        guard isRead, let line = ByteSource.lineWithObject(middle) else { return nil }
        end = start + line
        share = .firstHalf
        return ByteSource(after: self, file, isInArray: first == UInt8(ascii: "["))
    }

    /// The document is whole again; the next part is the one after the last.
    public func join() {
        end = .max
        share = .whole
    }

    /// How many lines end before the second half.
    public var linesOfFirstHalf: Int {
        guard let firstHalf else { return 0 }
        firstHalf.rewind()
        var (lines, part) = (0, [UInt8]())
        while firstHalf.readOn(into: &part) {
            lines += part.count { $0 == 10 }
            part.removeAll(keepingCapacity: true)
        }
        return lines
    }

    /// Begins again, as if nothing was read yet.
    public func restart() {
        rewind()
        (hash, hashed) = (ByteSource.firstHash, 0)
    }

    /// Reads the rest for the fingerprint only.
    public func skipRest() {
        var part: [UInt8] = []
        while read(into: &part) { part.removeAll(keepingCapacity: true) }
    }

    /// Where the first line begins that begins with an object.
    private static func lineWithObject(_ bytes: [UInt8]) -> Int? {
        var line: Int?
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 10: line = index + 1
            case 9, 13, 32: continue
            case UInt8(ascii: "{"): if let line { return line }
            default: line = nil
            }
        }
        return nil
    }

    // MARK: Copies

    /// What is not larger is kept in memory.
    private static let smallest = 4 << 20

    private static func temporaryFile() throws(Failure) -> Int32 {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let place = folder.isEmpty ? "/tmp" : folder
        var name = Array("\(place)/docket-XXXXXX".utf8CString)
        let file = name.withUnsafeMutableBufferPointer { name in
            name.baseAddress.map { mkstemp($0) } ?? -1
        }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        if file < 0 { throw Failure(code: errno, isOfCopy: true) }
        unlink(name)
        return file
    }

    private static func write(_ bytes: [UInt8], _ count: Int, to file: Int32) throws(Failure) {
        var start = 0
        while start < count {
            let written = bytes.withUnsafeBytes { bytes in
                retrying { Glibc.write(file, bytes.baseAddress.map { $0 + start }, count - start) }
            }
            if written <= 0 { throw Failure(code: errno, isOfCopy: true) }
            start += written
        }
    }

    private static func read(_ file: Int32, _ part: inout [UInt8]) -> Int {
        part.withUnsafeMutableBytes { part in
            retrying { Glibc.read(file, part.baseAddress, part.count) }
        }
    }

    private static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
