/// The text form of age files: PEM with the label "AGE ENCRYPTED FILE" (RFC 7468, strict).
enum Armor {
    static let columns = 64
    static let begin = Array("-----BEGIN AGE ENCRYPTED FILE-----".utf8)
    static let end = Array("-----END AGE ENCRYPTED FILE-----".utf8)

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte)
    }
}

/// Makes text of the bytes of an age file, piece by piece.
struct ArmorWriter {
    private var waiting: [UInt8] = []
    private var hasBegun = false

    /// The text of the next bytes, as far as they fill lines.
    mutating func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text = beginning()
        waiting += bytes
        var start = 0
        let size = Armor.columns / 4 * 3
        while waiting.count - start >= size {
            text += Base64.encode(waiting[start..<start + size]) + [UInt8(ascii: "\n")]
            start += size
        }
        waiting.removeFirst(start)
        return text
    }

    /// The rest of the text.
    mutating func finish() -> [UInt8] {
        var text = beginning()
        if !waiting.isEmpty {
            text += Base64.encode(waiting, padded: true) + [UInt8(ascii: "\n")]
        }
        waiting = []
        return text + Armor.end + [UInt8(ascii: "\n")]
    }

    private mutating func beginning() -> [UInt8] {
        if hasBegun { return [] }
        hasBegun = true
        return Armor.begin + [UInt8(ascii: "\n")]
    }
}

/// Reads the bytes out of armored text.
///
/// Accepts white space before and after the block, and lines that end with LF or CRLF; everything else
/// must be as a writer makes it, so that nobody can change the text without notice.
struct ArmorReader: ByteInput {
    private var source: BufferedSource
    private var waiting: ArraySlice<UInt8> = []
    private var hasBegun = false
    private var hasShortLine = false
    private var hasEnded = false

    /// White space before the block.
    private static let largestMargin = 1024

    init(_ source: BufferedSource) { self.source = source }

    /// Whether the text is armored; skips white space before it.
    static func isArmored(_ source: inout BufferedSource) throws -> Bool {
        var margin = 0
        while let byte = try source.peek(), Armor.isSpace(byte) {
            margin += 1
            guard margin <= largestMargin else { break }
            _ = try source.next()
        }
        let isArmored = try source.peek() == Armor.begin.first
        // Binary files have no margin.
        guard isArmored || margin == 0 else {
            throw EncryptionError(.invalidForm, "This is not an age file.")
        }
        return isArmored
    }

    mutating func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        while waiting.isEmpty, !hasEnded { try readLine() }
        let count = min(target.count, waiting.count)
        target.copyBytes(from: waiting.prefix(count))
        waiting = waiting.dropFirst(count)
        return count
    }

    private mutating func readLine() throws {
        let line = try nextLine()
        if !hasBegun {
            guard line == Armor.begin else { throw Self.invalid }
            hasBegun = true
            return
        }
        if line == Armor.end {
            hasEnded = true
            while let byte = try source.next() {
                guard Armor.isSpace(byte) else { throw Self.invalid }
            }
            return
        }
        guard !hasShortLine, (1...Armor.columns).contains(line.count),
            let bytes = Base64.decode(line, padded: true)
        else { throw Self.invalid }
        hasShortLine = line.count < Armor.columns || line.last == UInt8(ascii: "=")
        waiting = bytes[...]
    }

    /// The next line; the last one needs no end.
    private mutating func nextLine() throws -> [UInt8] {
        var line: [UInt8] = []
        while let byte = try source.next(), byte != UInt8(ascii: "\n") {
            guard line.count <= Armor.columns + 1 else { throw Self.invalid }
            line.append(byte)
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }

    private static var invalid: EncryptionError { AgeHeader.invalid("a line that is not armor") }
}
